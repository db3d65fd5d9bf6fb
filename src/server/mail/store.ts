import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { rows } from '#server/db/rows.ts'
import { mail } from '#server/db/schema/mail.ts'
import type { Next } from './ladder.ts'
import type { Message } from './message.ts'

export interface Claimed extends Message {
  /** Attempts before this one. */
  attempts: number
}

// Longer than a whole batch can take at the sender's own time limit.
const LEASE = sql.raw(`interval '3 minutes'`)

// Stored times are rounded to the millisecond: one of just now may lie half of one ahead.
const soon = sql.raw(`now() + interval '1 millisecond'`)

/** Takes messages that are due, oldest first; no other worker gets them while the lease lasts. */
export const claimDue = (db: Database, count: number): Promise<Claimed[]> =>
  rows<Claimed>(
    db,
    sql`update ${mail} set leased_until = now() + ${LEASE}
      where id in (
        select id from ${mail}
        where status = 'waiting' and next_attempt_at <= ${soon}
          and (leased_until is null or leased_until <= now())
        order by next_attempt_at
        limit ${count}
        for update skip locked
      )
      returning id, kind, recipient as "to", reply_to as "replyTo", subject, text, html, attempts`,
  )

/**
 * Writes down how an attempt ended and gives the lease back; false where the message was erased
 * meanwhile.
 */
export const recordAttempt = async (db: Database, id: string, next: Next): Promise<boolean> => {
  const delay = next.status === 'waiting' ? next.delay : 0
  // A message that was recalled while it was on its way stays recalled, unless it has gone out.
  const recorded = await rows(
    db,
    sql`update ${mail} set
        status = case when status = 'waiting' or ${next.status}::text = 'sent' then ${next.status}::text else status end,
        attempts = attempts + 1,
        leased_until = null,
        next_attempt_at = now() + make_interval(secs => ${delay}::int),
        last_error = ${next.status === 'sent' ? null : next.error}::text,
        provider_id = coalesce(${next.status === 'sent' ? next.providerId : null}::text, provider_id),
        sent_at = case when ${next.status}::text = 'sent' then now() else sent_at end
      where id = ${id}::uuid
      returning 1`,
  )
  return recorded.length > 0
}
