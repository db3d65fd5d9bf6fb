import type { KindPath } from '#contract/inbox.ts'
import type { Placed } from '#contract/mail/inbound.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { oneRow } from '#server/db/rows.ts'
import { appointments } from '#server/db/schema/appointments.ts'
import { inboundMail, mail } from '#server/db/schema/mail.ts'
import { recordLinks } from '#server/db/schema/record-links.ts'
import { unionOfKinds } from '#server/kinds/store/record.ts'
import { mailIdOf } from '#server/mail-out/message-id.ts'
import { hashTokenSecret } from '#server/secrets/token-secret.ts'
import type { IncomingMail } from '../parse.ts'

export interface Place {
  earlier: Placed | null
  /** The record that it belongs to, with its sender's address. */
  record: { kind: KindPath; id: string; email: string } | null
}

/**
 * Finds the record of a mail: by the token in its recipient, else by the appointment or mail that
 * it answers.
 */
export const findPlace = (db: Database, mailIn: IncomingMail): Promise<Place> => {
  const { fingerprint, replyTokens, attendance } = mailIn
  const tokenHashes = replyTokens.map(hashTokenSecret)
  // By our id, else by the provider's Message-ID.
  const references = [...mailIn.references, ...mailIn.undelivered].map((messageId) => ({
    messageId,
    mailId: mailIdOf(messageId) ?? null,
  }))
  const records = unionOfKinds(
    ({ path, table }) => sql`select ${sql.raw(`'${path}'`)} as kind, id, email from ${table}`,
  )
  return oneRow<Place>(
    db,
    sql`with
      token as (
        select value as hash, ordinality as nth
        from jsonb_array_elements_text(${JSON.stringify(tokenHashes)}::jsonb) with ordinality
      ),
      reference as (
        select value->>'messageId' as message_id, (value->>'mailId')::uuid as mail_id, ordinality as nth
        from jsonb_array_elements(${JSON.stringify(references)}::jsonb) with ordinality
      ),
      candidate as (
        select 1 as rank, t.nth, l.record_kind, l.record_id
        from token t join ${recordLinks} l on l.reply_hash = t.hash and l.ended_at is null
        union all
        select 2, 0, 'consultations', a.record_id from ${appointments} a where a.id = ${attendance?.appointmentId ?? null}::uuid
        union all
        select 2, f.nth, m.record_kind, m.record_id
        from reference f join ${mail} m on m.id = f.mail_id where m.record_id is not null
        union all
        select 2, f.nth, m.record_kind, m.record_id
        from reference f join ${mail} m on m.message_id = f.message_id where m.record_id is not null
      ),
      chosen as (
        select record_kind, record_id from candidate order by rank, nth limit 1
      )
      select
        (
          select json_build_object('kind', record_kind, '_id', record_id, 'as', kept_as)
          from ${inboundMail} where fingerprint = ${fingerprint}
        ) as earlier,
        (
          select json_build_object('kind', r.kind, 'id', r.id, 'email', r.email)
          from chosen c, lateral (
            select * from (${records}) as r where r.kind = c.record_kind and r.id = c.record_id
          ) as r
        ) as record`,
  )
}

/**
 * Notes that a mail is kept, as a step of the statement that keeps it. It answers a row to one of any
 * number of deliveries of the same mail, so that the others keep nothing.
 *
 * @param isReply whether the record is there already, as the step `target`
 */
export const claimMail = (
  fingerprint: string,
  { kind, _id, as }: Placed,
  { isReply }: { isReply: boolean },
): SQL => sql`
  insert into ${inboundMail} (fingerprint, record_kind, record_id, kept_as)
  select ${fingerprint}::text, ${kind}::text, ${_id}::uuid, ${as}::text
  ${isReply ? sql`from target` : sql``}
  on conflict (fingerprint) do nothing
  returning 1`
