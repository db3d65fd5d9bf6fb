import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openEmbedded } from '#server/db/embedded.ts'
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
  writeFileSync(file, 'not an archive')
  expect((await runCommand('restore', [file], env)).code).toBe(1)
  expect(await names(env.DATA_DIR)).toHaveLength(1)
  expect(existsSync(join(env.DATA_DIR, 'db.restore'))).toBe(false)
  expect((await runCommand('backup', [], env)).output).toContain('npm run backup -- FILE')
})
