import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { newPostgres } from '#server/db/testing.ts'
import { functionSettings, type Packages, packFunctions, startFunction } from './functions.ts'

/** Unpacked far from the repository. */
let packages: Packages

beforeAll(async () => {
  packages = await packFunctions(mkdtempSync(join(tmpdir(), 'fledge-functions-')))
}, 300_000)

function start(env: Record<string, string>) {
  const { process, call } = startFunction(packages.home('api'), env)
  onTestFinished(() => {
    process.kill('SIGKILL')
  })
  return call
}

test('each package is at most 3 MB and holds no embedded database', () => {
  expect(packages.sizes.map(({ name }) => name)).toContain('api.zip')
  for (const { name, bytes } of packages.sizes) {
    console.log(`${name}: ${(bytes / 1e6).toFixed(2)} MB`)
    expect([name, bytes <= 3e6]).toEqual([name, true])
    const files = packages.files(name.replace('.zip', ''))
    expect(files.filter((file) => /electric-sql|nodemailer/.test(file))).toEqual([])
  }
})

test('a packaged function signs in and takes a submission, far from the repository', async () => {
  const { url } = await newPostgres('migrated')
  const call = start(functionSettings(url))
  const health = await call('/api/health')
  expect(health.status).toBe(200)
  console.log(`first answer of a fresh process: ${Math.round(health.at)} ms`)

  const login = await call('/api/auth/login', {
    email: 'owner@example.test',
    password: 'a long and quiet walk',
  })
  expect(login.status).toBe(200)
  expect(JSON.parse(login.body)).toMatchObject({ success: true, user: { role: 'superuser' } })

  const contact = { name: 'Ada', email: 'ada@example.test', message: 'Hello there' }
  expect((await call('/api/contacts', contact)).status).toBe(201)
})

test('without a database, as in a preview that was given none, every call is out of reach', async () => {
  const call = start({})
  const answer = await call('/api/health')
  expect(answer.status).toBe(503)
  expect(JSON.parse(answer.body)).toMatchObject({ success: false, code: 'unavailable' })
})

test('a packaged function works through Neon’s HTTP driver too', async () => {
  const { url, neonEndpoint } = await newPostgres('migrated')
  const call = start({ ...functionSettings(url), NEON_FETCH_ENDPOINT: neonEndpoint })
  const contact = { name: 'Ada', email: 'ada@example.test', message: 'Hello there' }
  expect((await call('/api/contacts', contact)).status).toBe(201)
})
