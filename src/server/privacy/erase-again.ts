import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { erase } from './erase.ts'
import { held, type Match, matchesScope } from './store/erased-again.ts'
import { hashesOf, readErasures } from './store/erasures.ts'

/** Matches that are erased at once. */
const BATCH = 200

export interface ErasedAgain {
  /** Addresses with data that was erased. */
  addresses: number
  /** Erased records, of these addresses and single ones. */
  records: number
}

/** The counts as text. */
export const sumOf = ({ addresses, records }: ErasedAgain): string =>
  `${addresses} ${addresses === 1 ? 'address' : 'addresses'}, ${records} ${records === 1 ? 'record' : 'records'}`

/**
 * Erases data that the list of erasures names and that is in the database again, because it was restored
 * from an older backup. Data that arrived after the erasure stays.
 */
export const eraseAgain = async (deps: {
  db: Database
  config: Pick<Config, 'authSecret' | 'dataDir'>
}): Promise<ErasedAgain> => {
  const matches = await findErased(deps)
  let records = 0
  for (let start = 0; start < matches.length; start += BATCH)
    records += await eraseMatches(deps, matches.slice(start, start + BATCH))
  const addresses = matches.filter(({ what }) => what === 'address').length
  return { addresses, records }
}

const findErased = async ({ db, config }: Parameters<typeof eraseAgain>[0]): Promise<Match[]> => {
  const erasedAt = new Map(
    (await readErasures(db)).map(({ what, hash, erasedAt: at }) => [`${what} ${hash}`, at]),
  )
  if (erasedAt.size === 0) return []
  const matches: Match[] = []
  for await (const { what, value, oldest } of held(db)) {
    const times = hashesOf(config.authSecret, what, value).flatMap(
      (hash) => erasedAt.get(`${what} ${hash}`) ?? [],
    )
    const at = times.toSorted().at(-1)
    if (at !== undefined && oldest <= at) matches.push({ what, value, at })
  }
  return matches
}

const eraseMatches = async (
  deps: Parameters<typeof eraseAgain>[0],
  matches: readonly Match[],
): Promise<number> => {
  const { counts: erased } = await erase(deps, matchesScope(deps.config, matches))
  return kinds.reduce((sum, { path }) => sum + (erased[path] ?? 0), 0)
}
