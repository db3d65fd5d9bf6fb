import { type SQL, sql } from 'drizzle-orm'
import type { Placed } from '#contract/mail/inbound.ts'
import { inboundMail } from '#server/db/schema/mail.ts'

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
