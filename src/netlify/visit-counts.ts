import { randomUUID } from 'node:crypto'
import { namedStore } from '#netlify/due-times.ts'
import { type Deps, nameOf, type Visits } from '#server/deps.ts'
import { type Counted, foldCounts, withOne } from '#server/visits/counts.ts'
import { pagesCounted } from '#server/visits/store.ts'

/** Pages that a nightly run asks the site for: a beacon may name any path. */
const MOST_ASKED = 100

/**
 * Visits of a deploy without a process that stays: each process keeps its counts of a day in one blob, which it alone
 * writes, so that a visit wakes no database and no count is lost to another writer. The nightly run stores what was
 * counted on days that are over.
 */
export const deployedVisits = (
  databaseUrl: string,
  { db, publicPage, log }: Pick<Deps, 'db' | 'publicPage' | 'log'>,
): Visits & { foldNightly: (now?: Date, isOver?: () => boolean) => Promise<void> } => {
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
        log({ level: 'warn', event: 'visit_not_counted', name: nameOf(error) })
      }
    },
    async fold() {},
    async foldNightly(now = new Date(), isOver = () => false) {
      const today = now.toISOString().slice(0, 10)
      const store = await open()
      const { blobs } = await store.list()
      const past = blobs.filter(({ key }) => key < today)
      if (past.length === 0 || isOver()) return
      const pages = new Map((await pagesCounted(db)).map((page) => [page, true]))
      let asked = 0
      const isPage = async (path: string): Promise<boolean> => {
        const known = pages.get(path)
        if (known !== undefined) return known
        if (asked >= MOST_ASKED || isOver()) return false
        asked += 1
        const found = (await publicPage(path)) !== undefined
        pages.set(path, found)
        return found
      }
      for (const { key } of past) {
        if (isOver()) return
        const counts: Counted[] | null = await store.get(key, { type: 'json' })
        // Removed first: a count that is lost is better than one that is told twice.
        await store.delete(key)
        await foldCounts(db, isPage, counts ?? [])
      }
    },
  }
}
