import type { AuditEntry, EventKind } from '#contract/audit.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { recordEvent } from './record-event.ts'

/** Puts into the audit log what the program did by itself, with how many there were of each kind. */
export const recordProgramEvent = (
  db: Database,
  { via, kind, counts }: Required<Pick<AuditEntry, 'via' | 'counts'>> & { kind: EventKind },
): Promise<unknown> =>
  rows(db, recordEvent({ via, kind, details: sql`${JSON.stringify({ counts })}::jsonb` }))
