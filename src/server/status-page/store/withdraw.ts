import { type Database, sql } from '#server/db/drizzle.ts'
import { recordEventOf } from '#server/db/events/record-event.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { writesAny } from '#server/db/write.ts'
import { offersRecalled } from '#server/kinds/store/offers.ts'
import { appointmentsEnded } from '#server/mail-out/store/appointments.ts'
import { isWaiting, type Linked } from './find.ts'

/**
 * Withdraws a record: it owes nothing any more, and mail to its sender that has not left is recalled. An
 * answer in that mail does not count.
 * Nothing changes where it is withdrawn already. False where there is no such record in the inbox.
 */
export const withdraw = (db: Database, { kind, id }: Linked): Promise<boolean> =>
  writesAny(
    db,
    sql`
      target as materialized (
        select id, withdrawn_at from ${kind.table} where id = ${id}::uuid and box = 'inbox' for update
      ),
      recalled as (
        update ${mail} m set status = 'recalled', text = '', html = '' from target t
        where t.withdrawn_at is null
          and m.record_kind = ${kind.path} and m.record_id = t.id and m.kind in ('message', 'acknowledgement')
          and ${isWaiting}
        returning m.event_id
      ),
      answer as materialized (
        select exists (
          select from recalled x join ${events} e on e.id = x.event_id where e.before->>'waiting_for' = 'us'
        ) as is_recalled
      ),
      updated as (
        update ${kind.table} r
        set withdrawn_at = now(), snoozed_until = null, version = r.version + 1, updated_at = now(),
          waiting_for = case when a.is_recalled then 'us' else r.waiting_for end,
          answered_at = case when not a.is_recalled then r.answered_at end
        from target t cross join answer a where t.id = r.id and t.withdrawn_at is null
        returning r.id, r.version
      ),
      ${offersRecalled(sql`select event_id from recalled where event_id is not null`)},
      ${appointmentsEnded(sql`select id from updated`)},
      logged as (
        ${recordEventOf('updated', {
          kind: 'withdrawn',
          targetKind: kind.path,
          fields: ['withdrawnAt'],
          version: sql`version`,
        })}
      )`,
    sql`select id from target`,
  )
