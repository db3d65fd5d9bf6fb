import { sql } from 'drizzle-orm'
import type { MailMessage } from '#contract/mail.ts'
import type { Database } from '#server/db/database.ts'
import { recordEvent } from '#server/db/record-event.ts'
import { rows } from '#server/db/rows.ts'
import { mail } from '#server/db/schema/mail.ts'
import { write } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import { iso } from '#server/kinds/record.ts'

// A webhook's path may be its secret: staff see the host.
const message = sql`
  m.id as _id, m.kind, m.status, m.attempts, m.last_error as "lastError",
  case when m.kind = 'webhook' then substring(m.recipient from '^https?://[^/?#]+') else m.recipient end as to,
  case when m.status = 'waiting' then ${iso(sql`m.next_attempt_at`)} end as "nextAttemptAt",
  json_build_object('kind', m.record_kind, '_id', m.record_id) as record`

/** Messages that wait or failed, newest first, from the one after `before` on. */
export const listMessages = (
  db: Database,
  statuses: readonly string[],
  count: number,
  before: string | undefined,
): Promise<MailMessage[]> =>
  rows<MailMessage>(
    db,
    sql`select ${message} from ${mail} m
      where m.status = any(${`{${statuses.join(',')}}`}::text[])
        ${before ? sql`and m.id < ${before}::uuid` : sql``}
      order by m.id desc limit ${count}`,
  )

/** Sets a failed message waiting, with all its attempts before it; undefined when there is no such message. */
export const retryMessage = async (
  db: Database,
  id: string,
  actor: Actor,
): Promise<(MailMessage & { isGone: boolean }) | undefined> => {
  const [found] = await write<MailMessage & { isGone: boolean }>(
    db,
    sql`
      target as materialized (select * from ${mail} where id = ${id}::uuid for update),
      retried as (
        update ${mail} m set status = 'waiting', attempts = 0, next_attempt_at = now(), leased_until = null
        from target t where t.id = m.id and t.status = 'failed' and t.text <> ''
        returning m.*
      ),
      logged as (
        ${recordEvent(
          { by: actor, kind: 'retry', targetKind: 'mail', targetId: sql`id`, fields: ['status'] },
          sql`retried`,
        )}
      ),
      m as (
        select * from retried union all
        select * from target where not exists (select from retried)
      )`,
    sql`select ${message}, m.text = '' as "isGone" from m`,
  )
  return found
}
