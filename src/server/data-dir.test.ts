import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { openEmbedded } from '#server/db/embedded/embedded.ts'
import { newDataDir, newFolder, startHost } from '#tests/processes.ts'
import { makeDataDir } from './data-dir.ts'

const modeOf = (path: string): number => lstatSync(path).mode & 0o777

/** A file that is gone by now, such as one that got its final name, is open to nobody. */
const isOpen = (path: string): boolean => {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats !== undefined && !stats.isSymbolicLink() && (stats.mode & 0o077) !== 0
}

/** What other users of the machine may read, write or enter in a folder, itself included. */
const openToOthers = (folder: string): string[] => [
  ...[folder].filter(isOpen),
  ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    isOpen(join(folder, name)),
  ),
]

test('a data folder that was open to other users is closed with everything in it', () => {
  const folder = newFolder()
  const elsewhere = join(newFolder(), 'elsewhere')
  writeFileSync(elsewhere, '')
  mkdirSync(join(folder, 'mail'))
  writeFileSync(join(folder, 'mail', 'one.eml'), '')
  symlinkSync(elsewhere, join(folder, 'link'))
  for (const [path, mode] of [
    [join(folder, 'mail', 'one.eml'), 0o666],
    [join(folder, 'mail'), 0o777],
    [folder, 0o755],
    [elsewhere, 0o644],
  ] as const)
    chmodSync(path, mode)
  makeDataDir(folder)
  expect(openToOthers(folder)).toEqual([])
  expect(modeOf(folder)).toBe(0o700)
  expect(modeOf(join(folder, 'mail', 'one.eml'))).toBe(0o600)
  // What a link points to may belong to something else.
  expect(modeOf(elsewhere)).toBe(0o644)
})

test('a data folder that is reached by a link is closed where it really lies', () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'auth-secret'), '')
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'auth-secret'), 0o644)
  const link = join(newFolder(), 'data')
  symlinkSync(folder, link)
  makeDataDir(link)
  expect(openToOthers(folder)).toEqual([])
})

test('a first start writes no file that other users can read, also after one that was broken off', async () => {
  const folder = join(newFolder(), 'data')
  const unfinished = join(folder, 'db.new')
  mkdirSync(unfinished, { recursive: true })
  writeFileSync(join(unfinished, 'PG_VERSION'), '18')
  const connection = await openEmbedded(join(folder, 'db'))
  await connection.db.execute(sql`create table added (word text)`)
  await connection.db.execute(sql`insert into added select 'x' from generate_series(1, 100000)`)
  expect(openToOthers(folder)).toEqual([])
  await connection.close()
  expect(openToOthers(folder)).toEqual([])
  expect(modeOf(folder)).toBe(0o700)
  expect(existsSync(unfinished)).toBe(false)
})

test('a running host keeps its folder closed, one that was open before too', async () => {
  const folder = newDataDir()
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'db'), 0o755)
  chmodSync(join(folder, 'db', 'PG_VERSION'), 0o666)
  const host = await startHost({ DATA_DIR: folder })
  const sent = await fetch(`${host.url}/api/contacts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', email: 'ada@example.test', message: 'Hello there' }),
  })
  expect(sent.status).toBe(201)
  await expect.poll(() => readdirSync(folder), { timeout: 60_000 }).toContain('mail')
  expect(openToOthers(folder)).toEqual([])
})
