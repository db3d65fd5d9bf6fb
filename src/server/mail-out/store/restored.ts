import { type Database, sql } from '#server/db/drizzle.ts'
import { rows, valuesOf } from '#server/db/rows.ts'
import { mail } from '#server/db/schema/mail.ts'

type SettledMail = Readonly<Record<'sent' | 'recalled', readonly string[]>>

export const readSettledMail = async (db: Database): Promise<SettledMail> => {
  const idsOf = (status: keyof SettledMail) =>
    valuesOf<string>(db, sql`select id from ${mail} where status = ${status}`)
  return { sent: await idsOf('sent'), recalled: await idsOf('recalled') }
}

/**
 * Takes mail off the outbox of a restored database that has been sent or recalled since the backup: it would go
 * out once more.
 */
export const settleMailAgain = async (
  db: Database,
  { sent, recalled }: SettledMail,
): Promise<void> => {
  const isOpen = (ids: readonly string[]) =>
    sql`status in ('waiting', 'held') and id = any(${sql.param(ids)}::uuid[])`
  await rows(
    db,
    sql`update ${mail} set status = 'sent', sent_at = created_at, sealed = null, leased_until = null
      where ${isOpen(sent)}`,
  )
  await rows(
    db,
    sql`update ${mail} set status = 'recalled', text = '', html = '', sealed = null, leased_until = null
      where ${isOpen(recalled)}`,
  )
}
