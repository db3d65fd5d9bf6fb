import * as z from 'zod/mini'
import { type Database, sql } from '#server/db/drizzle.ts'
import type { PgColumn } from '#server/db/pg-core.ts'
import { checkedRows, rows } from '#server/db/rows.ts'
import { totpSecrets } from '#server/db/schema/accounts/factors.ts'
import { hostHours, pushSubscriptions } from '#server/db/schema/accounts/users.ts'
import { mail } from '#server/db/schema/mail.ts'
import { recordLinks } from '#server/db/schema/record-links.ts'
import { webhookEndpoints } from '#server/db/schema/webhooks.ts'
import * as secrets from '../encrypt.ts'
import { keysOf } from '../keys.ts'

interface SealedColumn {
  column: PgColumn
  key: PgColumn
  owner: PgColumn
  purpose: (owner: string) => string
}

const totp = { key: totpSecrets.userId, owner: totpSecrets.userId, purpose: secrets.totpPurpose }

const webhook = {
  key: webhookEndpoints.id,
  owner: webhookEndpoints.id,
  purpose: secrets.webhookPurpose,
}

const sealedColumns: readonly SealedColumn[] = [
  { column: mail.sealed, key: mail.id, owner: mail.id, purpose: () => secrets.mailPurpose },
  {
    column: recordLinks.sealed,
    key: recordLinks.id,
    owner: recordLinks.recordId,
    purpose: secrets.recordLinkPurpose,
  },
  {
    column: pushSubscriptions.sealed,
    key: pushSubscriptions.id,
    owner: pushSubscriptions.userId,
    purpose: secrets.devicePurpose,
  },
  {
    column: hostHours.busySealed,
    key: hostHours.userId,
    owner: hostHours.userId,
    purpose: secrets.busyUrlPurpose,
  },
  { ...totp, column: totpSecrets.secret },
  { ...totp, column: totpSecrets.pending },
  { ...webhook, column: webhookEndpoints.sealedSecret },
  { ...webhook, column: webhookEndpoints.sealedOldSecret },
  { ...webhook, column: webhookEndpoints.sealedAuthorization },
]

const PAGE = 200

const sealedRow = z.object({ key: z.string(), owner: z.string(), sealed: z.string() })

/**
 * Encrypts again under the first key of `AUTH_SECRET` what is still under the second, so that the second can
 * go. Does nothing while there is one key; safe to run at any time, twice at once too.
 *
 * @returns how many secrets were encrypted again, and how many no key reads
 */
export const reencrypt = async (db: Database, authSecret: string) => {
  const done = { renewed: 0, unreadable: 0 }
  if (keysOf(authSecret).length === 1) return done
  const prefix = secrets.firstKeyPrefix(authSecret)
  for (const { column, key, owner, purpose } of sealedColumns) {
    let after = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const older = await checkedRows(
        db,
        sealedRow,
        sql`select ${key} as key, ${owner} as owner, ${column} as sealed from ${column.table}
          where ${key} > ${after}::uuid and ${column} is not null and not starts_with(${column}, ${prefix})
          order by ${key} limit ${PAGE}::int`,
      )
      const renewed = older.flatMap(({ key, owner, sealed }) => {
        const text = secrets.decrypt(authSecret, purpose(owner), sealed)
        return text === null
          ? []
          : [{ key, sealed, renewed: secrets.encrypt(authSecret, purpose(owner), text) }]
      })
      done.renewed += renewed.length
      done.unreadable += older.length - renewed.length
      // A row that was sent or replaced meanwhile, or belongs to another account, stays as it is.
      if (renewed.length > 0)
        await rows(
          db,
          sql`update ${column.table} set ${sql.identifier(column.name)} = given.renewed
            from jsonb_to_recordset(${JSON.stringify(renewed)}::jsonb)
              as given(key uuid, sealed text, renewed text)
            where ${key} = given.key and ${column} = given.sealed`,
        )
      const last = older.at(-1)
      if (!last || older.length < PAGE) break
      after = last.key
    }
  }
  return done
}
