import { limits } from '#contract/limits.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEventOf } from '#server/db/events/record-event.ts'
import { anyRow } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { linkMarker } from '#server/mail-out/link.ts'
import { renderSenderErasure } from '#server/mail-out/render/account.ts'
import { tellSuperusers } from '#server/mail-out/store/account.ts'
import { appointmentsEnded } from '#server/mail-out/store/appointments.ts'
import type { Scope } from './erase.ts'
import { remember } from './erasures.ts'

/**
 * True if staff have corrected the address of `r` lately. The names of the fields outlive an
 * erasure.
 */
const isReaddressed = (kind: Kind, r: SQL): SQL => sql`exists (
  select from ${events} e
  where e.target_kind = ${kind.path} and e.target_id = ${r}.id and e.by is not null
    and e.kind in ('corrected', 'undo') and 'email' = any(e.fields)
    and e.at > now() - make_interval(days => ${limits.erasureDelayDays}::int)
)`

const toldSuperusers = (what: 'erased' | 'asked', kind: Kind, id: string, from: SQL): SQL =>
  tellSuperusers(renderSenderErasure(what, kind, id), sql`exists (select from ${from})`)

/** One record, erased by its sender. It is remembered and logged by its id, and superusers are told. */
export const recordScope = (key: string, kind: Kind, id: string): Scope => ({
  kinds: [kind],
  ctes: [],
  after: [
    sql`remembered as (${remember(key, 'record', id, sql`gone`)})`,
    sql`logged as (${recordEventOf('gone', {
      kind: 'erased_by_sender',
      via: 'sender',
      targetKind: kind.path,
    })})`,
    sql`told as (${toldSuperusers('erased', kind, id, sql`gone`)})`,
  ],
  records: sql`r.id = ${id}::uuid and not ${isReaddressed(kind, sql.raw('r'))}`,
  keepsAccepted: sql`keep`,
  // Mail that lists the links of an address, and digests, belong to no record.
  mail: sql`(exists (select from gone) and (m.kind = 'digest' or (m.kind = 'code' and m.record_id is null
    and position(${linkMarker(kind.path, id)}::text in m.text) > 0)))`,
})

/** Moves a record of a recently corrected address to the trash and tells superusers; else answers false. */
export const trashForSender = (db: Database, kind: Kind, id: string): Promise<boolean> =>
  anyRow(
    db,
    sql`with
      target as materialized (
        select t.* from ${kind.table} t
        where t.id = ${id}::uuid and t.box <> 'trash' and ${isReaddressed(kind, sql.raw('t'))}
        for update
      ),
      updated as (
        update ${kind.table} r
        set box = 'trash', trashed_from = t.box, trashed_at = now(), version = r.version + 1, updated_at = now()
        from target t where t.id = r.id
        returning r.id, r.version
      ),
      logged as (${recordEventOf('updated', {
        kind: 'erasure_asked',
        via: 'sender',
        targetKind: kind.path,
        fields: ['box'],
        version: sql`updated.version`,
      })}),
      ${kind.path === 'consultations' ? sql`${appointmentsEnded(sql`select id from updated`)},` : sql``}
      told as (${toldSuperusers('asked', kind, id, sql`updated`)})
      select id from updated`,
  )
