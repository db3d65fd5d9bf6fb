import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { zipFunctions } from '@netlify/zip-it-and-ship-it'
import { parse } from 'smol-toml'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { newPostgres } from '#server/db/testing.ts'

/** The functions as Netlify's own packager makes them, unpacked far from the repository. */
const folder = mkdtempSync(join(tmpdir(), 'fledge-functions-'))
const zips = join(folder, 'zips')
const unpacked = join(folder, 'unpacked')

beforeAll(async () => {
  const { functions } = parse(readFileSync('netlify.toml', 'utf8')) as unknown as {
    functions: Record<string, { included_files?: string[] } | string>
  }
  const config = Object.fromEntries(
    Object.entries(functions).flatMap(([name, own]) =>
      typeof own === 'string'
        ? []
        : [
            [
              name,
              {
                nodeVersion: '24',
                includedFiles: own.included_files ?? [],
                includedFilesBasePath: process.cwd(),
              },
            ],
          ],
    ),
  )
  for (const [target, archiveFormat] of [
    [zips, 'zip'],
    [unpacked, 'none'],
  ] as const) {
    mkdirSync(target)
    await zipFunctions('functions', target, {
      archiveFormat,
      basePath: process.cwd(),
      repositoryRoot: process.cwd(),
      config,
    })
  }
}, 120_000)

interface Answer {
  status: number
  body: string
  /** Milliseconds since the process began. */
  at: number
}

/** A fresh process that has nothing but the unpacked function and its environment. */
function startFunction(env: Record<string, string>) {
  const home = join(unpacked, 'api')
  copyFileSync('tests/fixtures/invoke.mjs', join(home, 'invoke.mjs'))
  const child = spawn(process.execPath, ['invoke.mjs'], {
    cwd: home,
    env: { PATH: '', LAMBDA_TASK_ROOT: home, AWS_LAMBDA_FUNCTION_NAME: 'api', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async (path: string, json?: unknown): Promise<Answer> => {
    const call =
      json === undefined
        ? { path }
        : {
            path,
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(json),
          }
    child.stdin.write(`${JSON.stringify(call)}\n`)
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('The function ended')
      if (value.startsWith('answer ')) return JSON.parse(value.slice('answer '.length))
    }
  }
}

const settings = (url: string) => ({
  DATABASE_URL: url,
  AUTH_SECRET: 'a secret for tests that is long enough to sign',
  SITE_URL: 'https://fledge.test',
  ADMIN_EMAIL: 'owner@example.test',
  ADMIN_USERNAME: 'keeper',
  ADMIN_PASSWORD: 'a long and quiet walk',
})

test('each package is at most 3 MB and holds no embedded database', () => {
  const packages = readdirSync(zips).filter((name) => name.endsWith('.zip'))
  expect(packages).toContain('api.zip')
  for (const name of packages) {
    const { size } = statSync(join(zips, name))
    console.log(`${name}: ${(size / 1e6).toFixed(2)} MB`)
    expect([name, size <= 3e6]).toEqual([name, true])
    const files = readdirSync(join(unpacked, name.replace('.zip', '')), { recursive: true })
    expect(files.filter((file) => /electric-sql|nodemailer/.test(String(file)))).toEqual([])
  }
})

test('a packaged function signs in and takes a submission, far from the repository', async () => {
  const { url } = await newPostgres('migrated')
  const call = startFunction(settings(url))
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

test('a packaged function works through Neon’s HTTP driver too', async () => {
  const { url, neonEndpoint } = await newPostgres('migrated')
  const call = startFunction({ ...settings(url), NEON_FETCH_ENDPOINT: neonEndpoint })
  const contact = { name: 'Ada', email: 'ada@example.test', message: 'Hello there' }
  expect((await call('/api/contacts', contact)).status).toBe(201)
})
