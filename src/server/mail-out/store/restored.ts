import { type Database, sql } from '#server/db/drizzle.ts'
import { isTableMissing, rows, valuesOf } from '#server/db/rows.ts'
import { staffSettings } from '#server/db/schema/accounts/users.ts'
import { mail } from '#server/db/schema/mail.ts'

interface SettledMail extends Readonly<Record<'sent' | 'recalled', readonly string[]>> {
  /** The day of each account's latest digest. */
  digests: Readonly<Record<string, string>>
}

const readDigestDays = async (db: Database): Promise<SettledMail['digests']> => {
  try {
    const found = await rows<{ id: string; day: string }>(
      db,
      sql`select user_id as id, digest_day as day from ${staffSettings}`,
    )
    return Object.fromEntries(found.map(({ id, day }) => [id, day]))
  } catch (error) {
    // The database is older than the table.
    if (!isTableMissing(error)) throw error
    return {}
  }
}

export const readSettledMail = async (db: Database): Promise<SettledMail> => {
  const idsOf = (status: 'sent' | 'recalled') =>
    valuesOf<string>(db, sql`select id from ${mail} where status = ${status}`)
  return {
    sent: await idsOf('sent'),
    recalled: await idsOf('recalled'),
    digests: await readDigestDays(db),
  }
}

/**
 * Takes mail off the outbox of a restored database that has been sent or recalled since the backup: it would go
 * out once more. So would the digest of a day that had been queued.
 */
export const settleMailAgain = async (
  db: Database,
  { sent, recalled, digests }: SettledMail,
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
  await rows(
    db,
    sql`update ${staffSettings} s set digest_day = d.value::date
      from jsonb_each_text(${JSON.stringify(digests)}::jsonb) d
      where s.user_id = d.key::uuid and s.digest_day < d.value::date`,
  )
}
