import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openEmbedded } from '#server/db/embedded.ts'
import { rows } from '#server/db/rows.ts'

const newFolder = () => join(mkdtempSync(join(tmpdir(), 'fledge-embedded-')), 'db')

async function ownedElsewhere(folder: string): Promise<ChildProcess> {
  const owner = spawn(process.execPath, ['tests/fixtures/own-database.ts', folder])
  await Promise.race([
    once(owner.stdout, 'data'),
    once(owner, 'exit').then(() => Promise.reject(new Error('The owner did not start'))),
  ])
  return owner
}

test('a second start names the owner and touches nothing', async () => {
  const folder = newFolder()
  const owner = await ownedElsewhere(folder)
  const before = readdirSync(join(folder, '..')).sort()
  await expect(openEmbedded(folder)).rejects.toThrow(`belongs to process ${owner.pid}`)
  expect(readdirSync(join(folder, '..')).sort()).toEqual(before)
  owner.kill('SIGKILL')
  await once(owner, 'exit')

  // The lock of a killed process is taken over, and what it wrote is there.
  const connection = await openEmbedded(folder)
  expect(await rows(connection.db, sql`select 1 as one from tallies`)).toEqual([])
  await connection.close()
})

test('one process cannot open the same database twice', async () => {
  const folder = newFolder()
  const first = await openEmbedded(folder)
  await expect(openEmbedded(folder)).rejects.toThrow(`belongs to process ${process.pid}`)
  await first.close()
})

test('a first start that was broken off leaves nothing in the way', async () => {
  const folder = newFolder()
  mkdirSync(`${folder}.new`, { recursive: true })
  writeFileSync(join(`${folder}.new`, 'PG_VERSION'), '18')
  const connection = await openEmbedded(folder)
  await connection.close()
  expect(existsSync(`${folder}.new`)).toBe(false)
})

test('what was written is there after a clean close', async () => {
  const folder = newFolder()
  const first = await openEmbedded(folder)
  await first.db.execute(sql`create table kept (word text)`)
  await first.db.execute(sql`insert into kept values ('here')`)
  await first.close()
  const second = await openEmbedded(folder)
  expect(await rows(second.db, sql`select word from kept`)).toEqual([{ word: 'here' }])
  await second.close()
})
