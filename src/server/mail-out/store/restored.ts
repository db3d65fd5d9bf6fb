import type { Database } from '#server/db/database.ts'
import { inArray, sql } from '#server/db/drizzle.ts'
import { run } from '#server/db/rows.ts'
import { mail } from '#server/db/schema/mail.ts'

/** Mails that have been sent or recalled, by id. */
type SettledMail = ReadonlyMap<string, 'sent' | 'recalled'>

export const readSettledMail = async (db: Database): Promise<SettledMail> => {
  const { id, status } = mail
  const settled = await run(
    db
      .select({ id, status })
      .from(mail)
      .where(inArray(status, ['sent', 'recalled'])),
  )
  return new Map(settled.map((one) => [one.id, one.status === 'sent' ? 'sent' : 'recalled']))
}

/**
 * Takes mail off the outbox of a restored database that has been sent or recalled since the backup: it would go
 * out once more.
 */
export const settleMailAgain = async (db: Database, settled: SettledMail): Promise<void> => {
  const { id, status } = mail
  const open = await run(
    db
      .select({ id })
      .from(mail)
      .where(inArray(status, ['waiting', 'held'])),
  )
  const idsOf = (outcome: 'sent' | 'recalled'): string[] =>
    open.flatMap((one) => (settled.get(one.id) === outcome ? [one.id] : []))
  const [sent, recalled] = [idsOf('sent'), idsOf('recalled')]
  await run(
    db
      .update(mail)
      .set({ status: 'sent', sentAt: sql`created_at`, sealed: null, leasedUntil: null })
      .where(inArray(id, sent)),
  )
  await run(
    db
      .update(mail)
      .set({ status: 'recalled', text: '', html: '', sealed: null, leasedUntil: null })
      .where(inArray(id, recalled)),
  )
}
