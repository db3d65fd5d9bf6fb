import type { EventTarget } from '#contract/audit.ts'
import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { rows } from '#server/db/rows.ts'
import type { Actor } from '#server/http/route.ts'
import { renderExportNotice } from '#server/mail-out/render/account.ts'
import { tellSuperusers } from './account.ts'

interface Exported {
  target: EventTarget
  /** Lists only: the names of the filters. */
  filters?: readonly string[]
}

/** Logs that a list or figures left as a file, and tells every superuser. */
export const logExport = (db: Database, actor: Actor, { target, filters }: Exported) =>
  rows(
    db,
    sql`with
      logged as (${recordEvent({ by: actor, kind: 'export', targetKind: target, fields: filters ?? [] })}),
      noticed as (${tellSuperusers(renderExportNotice(actor.username, target, filters))})
      select`,
  )
