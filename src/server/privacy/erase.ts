import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { removeEmlFiles } from './eml-files.ts'
import { deleteLateNotes, deleteRecords, type Scope } from './store/erase.ts'
import { personScope } from './store/person.ts'
import { recordScope } from './store/single.ts'

/** Deletes records with everything that belongs to them; returns counts by table. */
export const erase = async (
  { db, config }: { db: Database; config: Pick<Config, 'dataDir'> },
  scope: Scope,
): Promise<Record<string, number>> => {
  const { counts, gone, messages } = await deleteRecords(db, scope)
  if (gone.length > 0) await deleteLateNotes(db, gone)
  await removeEmlFiles(config, messages)
  return counts
}

/** Deletes everything held on an address and records the erasure; returns counts by table. */
export const erasePerson = (
  deps: { db: Database; config: Config },
  email: string,
  actor: Actor,
): Promise<Record<string, number>> => erase(deps, personScope(deps.config, email, actor))

/** Deletes one record with everything that belongs to it, for its sender. */
export const eraseRecord = async (
  deps: { db: Database; config: Config },
  kind: Kind,
  id: string,
): Promise<void> => {
  await erase(deps, recordScope(deps.config, kind, id))
}
