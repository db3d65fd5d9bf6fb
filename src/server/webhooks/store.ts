import { and, isNull, sql } from 'drizzle-orm'
import type { DeliveryReport } from '#contract/mail/outgoing-mail.ts'
import type { Database } from '#server/db/database.ts'
import { run } from '#server/db/rows.ts'
import { mail } from '#server/db/schema/mail.ts'

/**
 * Stores what the provider reports about a message, named by the provider's id or by ours. Reports may
 * arrive twice and out of order: a bounce or a complaint is never reverted.
 */
export const recordDelivery = async (
  db: Database,
  { id, providerId }: { id: string | null; providerId: string | null },
  delivery: DeliveryReport,
): Promise<void> => {
  await run(
    db
      .update(mail)
      .set({ delivery })
      .where(
        and(
          // An absent id matches nothing.
          sql`(${mail.providerId} = ${providerId}::text or ${mail.id} = ${id}::uuid)`,
          delivery === 'delivered' ? isNull(mail.delivery) : undefined,
        ),
      ),
  )
}
