import { sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { linkMarker } from '#server/mail-out/link.ts'
import type { Scope } from './erase.ts'
import { remember } from './erasures.ts'

/** One record, erased by its sender; that it was is remembered in the same statement, without a name. */
export const recordScope = (
  { authSecret }: Pick<Config, 'authSecret'>,
  kind: Kind,
  id: string,
): Scope => ({
  kinds: [kind],
  ctes: [
    sql`remembered as (${remember(authSecret, 'record', id)})`,
    sql`logged as (${recordEvent({ kind: 'erase', targetKind: 'privacy' })})`,
  ],
  records: sql`r.id = ${id}::uuid`,
  keepsAccepted: true,
  // Mail that lists the links of an address, and digests, belong to no record.
  mail: sql`(m.kind = 'digest' or (m.kind = 'code' and m.record_id is null
    and position(${linkMarker(kind.path, id)}::text in m.text) > 0))`,
})
