import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { archiveOf, unpack } from '#server/db/embedded/archive.ts'
import { openEmbedded } from '#server/db/embedded/embedded.ts'
import { rows } from '#server/db/rows.ts'
import { newDataDir, newFolder, shortLived } from '#tests/processes.ts'

/** Where no database has been made yet. */
const newPlace = () => join(newFolder(), 'db')
/** A folder with an empty database. */
const newDatabase = () => join(newDataDir(), 'db')

async function ownedElsewhere(folder: string): Promise<ChildProcess> {
  const owner = spawn(process.execPath, [...shortLived, 'tests/fixtures/own-database.ts', folder])
  await Promise.race([
    once(owner.stdout, 'data'),
    once(owner, 'exit').then(() => Promise.reject(new Error('The owner did not start'))),
  ])
  return owner
}

test('a second start names the owner and touches nothing', async () => {
  const folder = newDatabase()
  const owner = await ownedElsewhere(folder)
  const before = readdirSync(join(folder, '..')).sort()
  await expect(openEmbedded(folder)).rejects.toThrow(`belongs to process ${owner.pid}`)
  expect(readdirSync(join(folder, '..')).sort()).toEqual(before)
  owner.kill('SIGKILL')
  await once(owner, 'exit')

  // The lock of a killed process is taken over, and what it wrote is there.
  const connection = await openEmbedded(folder)
  expect(await rows(connection.db, sql`select 1 as one from record_counts`)).toEqual([])
  // One process cannot open the same database twice either.
  await expect(openEmbedded(folder)).rejects.toThrow(`belongs to process ${process.pid}`)
  await connection.close()
})

test('a lock that cannot be taken for another reason names that, and no process', async () => {
  const folder = newPlace()
  writeFileSync(`${folder}.lock`, 'This is no file of SQLite, as little as one on a full disk is.')
  await expect(openEmbedded(folder)).rejects.toThrow(
    `${folder}.lock cannot be locked: file is not a database.`,
  )
})

/** Puts one word into the database of a folder. */
async function keep(folder: string, word: string): Promise<void> {
  const connection = await openEmbedded(folder)
  await connection.db.execute(sql`create table kept (word text)`)
  await connection.db.execute(sql`insert into kept values (${word})`)
  await connection.close()
}

test('a restore that broke off between its two steps is finished by the next start', async () => {
  const folder = newDatabase()
  await keep(folder, 'old')
  renameSync(folder, `${folder}.replaced-2026-01-01T00-00-00-000Z`)
  const other = newDatabase()
  await keep(other, 'restored')
  renameSync(other, `${folder}.restored`)

  const connection = await openEmbedded(folder)
  expect(connection.hasFinishedRestore).toBe(true)
  expect(await rows(connection.db, sql`select word from kept`)).toEqual([{ word: 'restored' }])
  await connection.close()
  expect(existsSync(`${folder}.restored`)).toBe(false)

  const next = await openEmbedded(folder)
  expect(next.hasFinishedRestore).toBe(false)
  await next.close()
})

test('a start without a database refuses to begin with an empty one beside a replaced one', async () => {
  const folder = newPlace()
  mkdirSync(`${folder}.replaced-2026-01-01T00-00-00-000Z`, { recursive: true })
  await expect(openEmbedded(folder)).rejects.toThrow(
    'beside it there is db.replaced-2026-01-01T00-00-00-000Z: a restore was broken off',
  )
  mkdirSync(`${folder}.restore`)
  await expect(openEmbedded(folder)).rejects.toThrow('000Z and db.restore: ')
  expect(existsSync(folder)).toBe(false)
})

test('a restore that broke off before it replaced anything leaves nothing in the way', async () => {
  const folder = newDatabase()
  await keep(folder, 'here')
  for (const name of [`${folder}.restore`, `${folder}.restored`]) mkdirSync(name)
  const connection = await openEmbedded(folder)
  expect(await rows(connection.db, sql`select word from kept`)).toEqual([{ word: 'here' }])
  await connection.close()
  expect(readdirSync(join(folder, '..')).sort()).toEqual(['db', 'db.lock'])
})

test('where tar cannot be run, a backup fails and the database goes on', async () => {
  const folder = newDatabase()
  const connection = await openEmbedded(folder)
  vi.stubEnv('PATH', newFolder())
  onTestFinished(() => void vi.unstubAllEnvs())
  const { stream } = await archiveOf(connection.client, folder)
  await expect(stream.toArray()).rejects.toThrow('tar ENOENT')
  await expect(unpack(Readable.from([]), newPlace())).rejects.toThrow('tar ENOENT')
  expect(await rows(connection.db, sql`select 1 as one from record_counts`)).toEqual([])
  await connection.close()
})
