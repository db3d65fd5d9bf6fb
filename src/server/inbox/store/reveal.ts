import type { Database } from '#server/db/database.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { logOnRecord } from './log-on-record.ts'

/** Logs that somebody revealed the sender of a record; false where there is none outside the trash. */
export const logReveal = (db: Database, kind: Kind, id: string, actor: Actor): Promise<boolean> =>
  logOnRecord(db, kind, id, { by: actor, kind: 'revealed', fields: kind.hidden })
