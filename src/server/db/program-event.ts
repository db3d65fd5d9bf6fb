import { sql } from 'drizzle-orm'
import type { AuditEntry } from '#contract/audit.ts'
import type { Database } from './database.ts'
import { rows } from './rows.ts'
import { events } from './schema/events.ts'

/** Puts into the audit log what the program did by itself, with how many there were of each kind. */
export const recordProgramEvent = (
  db: Database,
  { via, kind, counts }: Required<Pick<AuditEntry, 'via' | 'kind' | 'counts'>>,
): Promise<unknown> =>
  rows(
    db,
    sql`insert into ${events} (change_id, via, kind, details)
      values (uuid_v7(), ${via}, ${kind}, ${JSON.stringify({ counts })}::jsonb)`,
  )
