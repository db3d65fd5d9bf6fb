import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/drizzle.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { removeEmlFiles } from './eml-files.ts'
import { deleteRecords, type Scope } from './store/erase.ts'
import { erasureKey } from './store/erasures.ts'
import { personScope } from './store/person.ts'
import { recordScope, trashForSender } from './store/single.ts'

export const erase = async (
  { db, config }: { db: Database; config: Pick<Config, 'dataDir'> },
  scope: Scope,
) => {
  const { counts, messages, templates } = await deleteRecords(db, scope)
  await removeEmlFiles(config, messages)
  return { counts, templates }
}

export const erasePerson = async (
  deps: { db: Database; config: Config },
  email: string,
  actor: Actor,
) => erase(deps, personScope(deps.config, await erasureKey(deps.db), email, actor))

/**
 * Deletes one record with everything that belongs to it, for its sender. Soon after a corrected address it
 * goes to the trash instead: who corrected it may be who asks.
 */
export const eraseForSender = async (
  deps: { db: Database; config: Config },
  kind: Kind,
  id: string,
): Promise<void> => {
  if (await trashForSender(deps.db, kind, id)) return
  const { counts } = await erase(deps, recordScope(await erasureKey(deps.db), kind, id))
  // The address was corrected between the two.
  if (counts[kind.path] === 0) await trashForSender(deps.db, kind, id)
}
