import type { Database } from '#server/db/drizzle.ts'
import type { visitCounts } from '#server/db/schema/counts.ts'
import type { Deps, Visits } from '#server/deps.ts'
import { addCounts, sourcesOf } from './store.ts'

/** Visits of a day that have all in common, or one of them. */
export type Counted = typeof visitCounts.$inferSelect

const OTHER = 'other'

/** Sources of one day that are kept by name, and combinations that are held in memory. */
const MOST_SOURCES = 200
const MOST_HELD = 5_000

const keyOf = ({ day, page, source, wide }: Counted): string =>
  JSON.stringify([day, page, source, wide])

type Held = Map<string, Counted>

const addTo = (held: Held, one: Counted): void => {
  const known = held.get(keyOf(one))
  if (known) {
    known.visits += one.visits
    known.begun += one.begun
  } else held.set(keyOf(one), { ...one })
}

const merged = (counts: readonly Counted[]): Held => {
  const held: Held = new Map()
  for (const one of counts) addTo(held, one)
  return held
}

/** Adds one, under `other` where a process would hold too many. */
const countOne = (held: Held, one: Counted): void =>
  addTo(held, held.size < MOST_HELD ? one : { ...one, page: OTHER, source: OTHER })

export const withOne = (counts: readonly Counted[], one: Counted): Counted[] => {
  const held = merged(counts)
  countOne(held, one)
  return [...held.values()]
}

type IsPage = (path: string) => Promise<boolean>

/** Each page and source by name where the site has the page, and the day has room for the source. */
const named = async (db: Database, isPage: IsPage, counts: readonly Counted[]) => {
  const pages = new Map<string, string>()
  for (const { page } of counts)
    if (!pages.has(page)) pages.set(page, (await isPage(page)) ? page : OTHER)
  const known = new Map<string, Set<string>>()
  const nameOf = async ({ day, source }: Counted): Promise<string> => {
    const sources = known.get(day) ?? new Set(await sourcesOf(db, day))
    known.set(day, sources)
    if (!sources.has(source) && sources.size >= MOST_SOURCES) return OTHER
    sources.add(source)
    return source
  }
  const result: Counted[] = []
  for (const one of counts)
    result.push({ ...one, page: pages.get(one.page) ?? OTHER, source: await nameOf(one) })
  return [...merged(result).values()]
}

export const foldCounts = async (db: Database, isPage: IsPage, counts: readonly Counted[]) => {
  if (counts.length > 0) await addCounts(db, await named(db, isPage, counts))
}

export const visitsInMemory = ({ db, publicPage }: Pick<Deps, 'db' | 'publicPage'>): Visits => {
  const isPage: IsPage = async (path) => (await publicPage(path)) !== undefined
  let held: Held = new Map()
  let folding: Promise<void> = Promise.resolve()
  const fold = async () => {
    const taken = [...held.values()]
    held = new Map()
    try {
      await foldCounts(db, isPage, taken)
    } catch (error) {
      for (const one of taken) addTo(held, one)
      throw error
    }
  }
  return {
    async add(one) {
      countOne(held, one)
    },
    // A reader of the figures waits for counts that another call is storing.
    fold() {
      folding = folding.catch(() => undefined).then(fold)
      return folding
    },
  }
}
