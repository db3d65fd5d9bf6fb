import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/drizzle.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { erase } from './erase.ts'
import { held, type Match, matchesScope } from './store/erased-again.ts'
import { endListedLinks, hashesOf, readErasures, unreadable } from './store/erasures.ts'

const BATCH = 200

export interface ErasedAgain {
  addresses: number
  records: number
  links: number
  /** Entries of the list that match nothing, and whose key may be lost. */
  unmatched: number
}

const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`

const UNMATCHED = `Each stands for somebody who has no data here any more, or its key is missing.
If AUTH_SECRET was replaced: set AUTH_SECRET=NEW,OLD and run npm run erase-again.
If the table erasures was copied: copy all of it, with its row "key", and run npm run erase-again.
If the key is lost: erase those people who were erased since the backup once more, in the admin.`

export const linesOf = ({ addresses, records, links, unmatched }: ErasedAgain): string =>
  `Erased since the backup, and now erased again: ${counted(addresses, 'address', 'addresses')}, ${counted(records, 'record', 'records')}.
Links of senders’ pages that had ended, and end again: ${links}.
Entries of the list of erasures that could not be matched: ${unmatched}.${unmatched > 0 ? `\n${UNMATCHED}` : ''}`

/**
 * Erases data that the list of erasures names and that is in the database again, because it was restored
 * from an older backup, and ends the links that it names. Data that arrived after the erasure stays.
 */
export const eraseAgain = async (deps: {
  db: Database
  config: Pick<Config, 'authSecret' | 'dataDir'>
}): Promise<ErasedAgain> => {
  const { matches, unmatched } = await findErased(deps)
  let records = 0
  for (let start = 0; start < matches.length; start += BATCH) {
    const scope = matchesScope(deps.config, matches.slice(start, start + BATCH))
    const { counts } = await erase(deps, scope)
    records += kinds.reduce((sum, { path }) => sum + (counts[path] ?? 0), 0)
  }
  const addresses = matches.filter(({ what }) => what === 'address').length
  return { addresses, records, links: await endListedLinks(deps.db), unmatched }
}

const findErased = async ({
  db,
  config: { authSecret },
}: Parameters<typeof eraseAgain>[0]): Promise<{ matches: Match[]; unmatched: number }> => {
  const list = await readErasures(db)
  const keys = list.flatMap(({ what, hash }) => (what === 'key' ? hash : []))
  const erasedAt = new Map(list.map(({ what, hash, erasedAt: at }) => [`${what} ${hash}`, at]))
  const matches: Match[] = []
  const matched = new Set<string>()
  if (list.some(({ what }) => what === 'address' || what === 'record'))
    for await (const { what, value, oldest } of held(db)) {
      const known = hashesOf({ keys, authSecret }, what, value).filter((hash) =>
        erasedAt.has(`${what} ${hash}`),
      )
      for (const hash of known) matched.add(hash)
      const at = known
        .map((hash) => erasedAt.get(`${what} ${hash}`) ?? '')
        .toSorted()
        .at(-1)
      if (at !== undefined && oldest <= at) matches.push({ what, value, at })
    }
  return { matches, unmatched: unreadable(list, matched) }
}
