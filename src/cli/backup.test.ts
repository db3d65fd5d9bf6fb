import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openEmbedded, openPglite } from '#server/db/embedded.ts'
import { rows } from '#server/db/rows.ts'
import { newDataDir, newFolder, runCommand, startHost } from '#tests/processes.ts'

const names = async (dataDir: string) => {
  const connection = await openEmbedded(join(dataDir, 'db'))
  const found = await rows<{ name: string }>(
    connection.db,
    sql`select name from contacts order by name`,
  )
  await connection.close()
  return found.map(({ name }) => name)
}

/** The dump of a database that somebody else's program made. */
const dumpWith = async (statements: string) => {
  const client = await openPglite({})
  await client.exec(statements)
  const dump = await client.dumpDataDir('gzip')
  await client.close()
  return new Uint8Array(await dump.arrayBuffer())
}

const ofLaterVersion = `create schema drizzle;
  create table drizzle.__drizzle_migrations as select 'x' as hash, 4000000000000 as created_at`

const send = (url: string, name: string) =>
  fetch(`${url}/api/contacts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, email: 'ada@example.test', message: 'Hello there' }),
  })

test('a backup taken while the host runs comes back whole, and keeps what it replaces', async () => {
  const env = { DATA_DIR: newDataDir() }
  const file = join(newFolder(), 'backup.tar.gz')
  const host = await startHost(env)
  await send(host.url, 'before')
  expect(await runCommand('backup', [file], env)).toMatchObject({ code: 0 })
  await send(host.url, 'after')

  const refused = await runCommand('restore', [file], env)
  expect(refused.code).toBe(1)
  expect(refused.output).toContain(`process ${host.process.pid}`)
  host.process.kill('SIGTERM')
  await once(host.process, 'exit')
  expect(await names(env.DATA_DIR)).toEqual(['after', 'before'])

  expect(await runCommand('restore', [file], env)).toMatchObject({ code: 0 })
  expect(await names(env.DATA_DIR)).toEqual(['before'])
  const kept = readdirSync(env.DATA_DIR).filter((name) => name.startsWith('db.replaced-'))
  expect(kept).toHaveLength(1)
})

test('a backup of a database that nobody has open goes to another folder', async () => {
  const env = { DATA_DIR: newDataDir() }
  const file = join(newFolder(), 'backup.tar.gz')
  const filled = ['--contacts', '2', '--consultations', '0', '--applications', '0']
  await runCommand('sample-data', filled, env)
  expect(await runCommand('backup', [file], env)).toMatchObject({ code: 0 })
  const elsewhere = { DATA_DIR: newDataDir() }
  expect(await runCommand('restore', [file], elsewhere)).toMatchObject({ code: 0 })
  expect(await names(elsewhere.DATA_DIR)).toEqual(await names(env.DATA_DIR))
})

test('what is no backup replaces nothing', async () => {
  const env = { DATA_DIR: newDataDir() }
  await runCommand('sample-data', ['--contacts', '1'], env)
  const file = join(newFolder(), 'backup.tar.gz')
  await runCommand('backup', [file], env)
  const whole = readFileSync(file)
  const refusals: [bytes: Uint8Array, why: string][] = [
    [Buffer.from('not an archive'), 'is no backup, or only a part of one'],
    [whole.subarray(0, whole.length / 2), 'is no backup, or only a part of one'],
    [gzipSync('no database'), 'no whole backup'],
    [await dumpWith(''), 'the backup of something else'],
    [await dumpWith(ofLaterVersion), 'comes from a later version'],
  ]
  for (const [bytes, why] of refusals) {
    writeFileSync(file, bytes)
    const { code, output } = await runCommand('restore', [file], env)
    expect(code).toBe(1)
    expect(output.trim()).toMatch(new RegExp(`${why}[^\\n]*The database was left as it is\\.$`))
  }
  expect(await names(env.DATA_DIR)).toHaveLength(1)
  expect(existsSync(join(env.DATA_DIR, 'db.restore'))).toBe(false)
  expect(await runCommand('restore', ['nowhere'], env)).toMatchObject({
    code: 1,
    output: expect.stringContaining('nowhere cannot be read.'),
  })
})

test('a backup of what is not there is refused rather than made of nothing', async () => {
  const env = { DATA_DIR: newFolder() }
  const file = join(newFolder(), 'backup.tar.gz')
  const { code, output } = await runCommand('backup', [file], env)
  expect(code).toBe(1)
  expect(output).toContain(`There is no database in ${env.DATA_DIR}`)
  expect(existsSync(file)).toBe(false)
  expect((await runCommand('backup', [], env)).output).toContain('npm run backup -- FILE')
})
