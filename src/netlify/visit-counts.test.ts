import { beforeEach, expect, onTestFinished, vi } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { test } from '#server/testing.ts'
import type { Counted } from '#server/visits/counts.ts'
import { startBlobs } from '#tests/blobs.ts'
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

const process = (db: Database) =>
  deployedVisits('postgres://owner@database.example/fledge', {
    db,
    publicPage: async () => 'a page',
    log: () => {},
  })

const visit = (day: string): Counted => ({
  ...{ day, page: '/', source: 'direct', wide: true },
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
