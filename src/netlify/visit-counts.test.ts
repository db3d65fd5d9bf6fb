import { beforeEach, expect, onTestFinished, vi } from 'vitest'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import type { Deps } from '#server/deps.ts'
import { test } from '#server/testing.ts'
import type { Counted } from '#server/visits/counts.ts'
import { startBlobs } from '#tests/blobs.ts'
import { namedStore } from './due-times.ts'
import { deployedVisits } from './visit-counts.ts'

beforeEach(async () => {
  const blobs = await startBlobs()
  vi.stubEnv('NETLIFY_BLOBS_CONTEXT', blobs.environment)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await blobs.close()
  })
})

/** A database that fails the test where a statement reaches it. */
const untouchable = new Proxy({} as Database, {
  get: () => {
    throw new Error('A statement was sent')
  },
})

const databaseUrl = 'postgres://owner@database.example/fledge'

const process = (db: Database, publicPage: Deps['publicPage'] = async () => 'a page') =>
  deployedVisits(databaseUrl, { db, publicPage, log: () => {} })

const visit = (day: string, page = '/'): Counted => ({
  ...{ day, page, source: 'direct', wide: true },
  ...{ visits: 1, begun: 0 },
})

test('visits wake no database, and the nightly run stores days that are over, once', async ({
  db,
}) => {
  const [first, second] = [process(untouchable), process(untouchable)]
  for (const day of ['2026-11-21', '2026-11-22', '2026-11-22', '2026-11-23']) {
    await first.add(visit(day))
    await second.add(visit(day))
  }
  await first.fold()
  const nightly = process(db)
  const stored = async () =>
    (
      await rows<{ day: string; visits: number }>(
        db,
        sql`select day::text as day, visits from visit_counts order by day`,
      )
    ).map(({ day, visits }) => `${day} ${visits}`)
  for (let run = 0; run < 2; run += 1) {
    await nightly.foldNightly(new Date('2026-11-23T03:17:00Z'))
    expect(await stored()).toEqual(['2026-11-21 2', '2026-11-22 4'])
  }
  await nightly.foldNightly(new Date('2026-11-24T03:17:00Z'))
  expect(await stored()).toContain('2026-11-23 2')
})

test('pages that somebody invents are asked for a hundred times a night at most, and take no name from others', async ({
  db,
}) => {
  const asked: string[] = []
  const publicPage = async (path: string) => {
    asked.push(path)
    return path === '/real' ? 'a page' : undefined
  }
  const counting = process(untouchable)
  await counting.add(visit('2026-11-21', '/real'))
  const nightly = process(db, publicPage)
  await nightly.foldNightly(new Date('2026-11-22T03:17:00Z'))
  expect(asked.splice(0)).toEqual(['/real'])

  // Each process of a day leaves one blob.
  const blobs = await namedStore('visits', databaseUrl)()
  const invented = Array.from({ length: 600 }, (_, n) => visit('2026-11-22', `/invented-${n}`))
  await blobs.setJSON('2026-11-22/a', invented)
  await blobs.setJSON('2026-11-22/b', [...invented, visit('2026-11-22', '/real')])
  await nightly.foldNightly(new Date('2026-11-23T03:17:00Z'))
  expect(asked).toHaveLength(100)
  expect(new Set(asked).size).toBe(100)
  const stored = await rows(
    db,
    sql`select page, visits from visit_counts where day = '2026-11-22' order by page`,
  )
  expect(stored).toEqual([
    { page: '/real', visits: 1 },
    { page: 'other', visits: 1_200 },
  ])
})

test('a nightly run whose time is over leaves the counts to the next one', async ({ db }) => {
  await process(untouchable).add(visit('2026-11-21'))
  const stored = () => rows(db, sql`select visits from visit_counts`)
  const nightly = process(db)
  const now = new Date('2026-11-22T03:17:00Z')
  await nightly.foldNightly(now, () => true)
  expect(await stored()).toEqual([])
  await nightly.foldNightly(now)
  expect(await stored()).toEqual([{ visits: 1 }])
})
