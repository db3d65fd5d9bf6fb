import type { DeliveryReport } from '#contract/mail/outgoing-mail.ts'
import { and, type Database, inArray, isNull, type SQL, sql } from '#server/db/drizzle.ts'
import { run } from '#server/db/rows.ts'
import { mail } from '#server/db/schema/mail.ts'
import { mailIdOf } from '#server/mail-out/message-id.ts'

/** A mail of ours as the provider names it: by its own id or by ours. */
interface Reported {
  id: string | null
  providerId: string | null
}

// An absent id matches nothing.
const isReported = ({ id, providerId }: Reported): SQL =>
  sql`(${mail.providerId} = ${providerId}::text or ${mail.id} = ${id}::uuid)`

/**
 * Stores what the provider reports about a message. Reports may arrive twice and out of order: a
 * bounce or a complaint is never reverted.
 */
export const recordDelivery = (
  db: Database,
  reported: Reported,
  delivery: DeliveryReport,
): Promise<unknown> =>
  run(
    db
      .update(mail)
      .set({ delivery })
      .where(
        and(isReported(reported), delivery === 'delivered' ? isNull(mail.delivery) : undefined),
      ),
  )

/** Stores the Message-ID under which the provider sent a message: answers name it. */
export const recordMessageId = (
  db: Database,
  reported: Reported,
  messageId: string,
): Promise<unknown> =>
  run(
    db
      .update(mail)
      .set({ messageId })
      .where(and(isReported(reported), isNull(mail.messageId))),
  )

/** Marks mails as bounced that another mail server could not deliver. */
export const recordBounces = async (db: Database, messageIds: readonly string[]): Promise<void> => {
  const mailIds = messageIds.flatMap((id) => mailIdOf(id) ?? [])
  await run(
    db
      .update(mail)
      .set({ delivery: 'bounced' })
      .where(
        and(
          sql`(${inArray(mail.id, mailIds)} or ${inArray(mail.messageId, [...messageIds])})`,
          sql`${mail.delivery} is distinct from 'complained'`,
        ),
      ),
  )
}
