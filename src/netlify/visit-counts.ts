import { randomUUID } from 'node:crypto'
import { namedStore } from '#netlify/due-times.ts'
import type { Deps, Visits } from '#server/deps.ts'
import { nameOf } from '#server/error-name.ts'
import { type Counted, foldCounts, withOne } from '#server/visits/counts.ts'

/**
 * Visits of a deploy without a process that stays: each process keeps its counts of a day in one blob, which it alone
 * writes, so that a visit wakes no database and no count is lost to another writer. The nightly run stores what was
 * counted on days that are over.
 */
export const deployedVisits = (
  databaseUrl: string,
  deps: Pick<Deps, 'db' | 'publicPage' | 'log'>,
): Visits & { foldNightly: (now?: Date) => Promise<void> } => {
  const open = namedStore('visits', databaseUrl)
  const me = randomUUID()
  let held: Counted[] = []
  return {
    async add(one) {
      held = withOne(
        held.filter(({ day }) => day === one.day),
        one,
      )
      try {
        await (await open()).setJSON(`${one.day}/${me}`, held)
      } catch (error) {
        deps.log({ level: 'warn', event: 'visit_not_counted', name: nameOf(error) })
      }
    },
    async fold() {},
    async foldNightly(now = new Date()) {
      const today = now.toISOString().slice(0, 10)
      const store = await open()
      const { blobs } = await store.list()
      for (const { key } of blobs.filter(({ key }) => key < today)) {
        const counts: Counted[] | null = await store.get(key, { type: 'json' })
        // Removed first: a count that is lost is better than one that is told twice.
        await store.delete(key)
        await foldCounts(deps, counts ?? [])
      }
    },
  }
}
