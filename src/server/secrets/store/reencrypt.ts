import { and, eq, isNotNull, not, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '#server/db/database.ts'
import { run } from '#server/db/rows.ts'
import { pushSubscriptions } from '#server/db/schema/accounts/push-subscriptions.ts'
import { totpSecrets } from '#server/db/schema/accounts/totp-secrets.ts'
import { mail } from '#server/db/schema/mail.ts'
import { recordLinks } from '#server/db/schema/record-links.ts'
import { webhookEndpoints } from '#server/db/schema/webhooks.ts'
import { decrypt, encrypt, firstKeyPrefix } from '../encrypt.ts'
import { keysOf } from '../keys.ts'
import {
  devicePurpose,
  mailPurpose,
  recordLinkPurpose,
  totpPurpose,
  webhookPurpose,
} from '../purposes.ts'

/**
 * Encrypts again under the first key of `AUTH_SECRET` what is still under the second, so that the second can
 * go. Does nothing while there is one key; safe to run at any time, twice at once too.
 *
 * @returns how many secrets were encrypted again, and how many no key reads
 */
export const reencrypt = async (
  db: Database,
  authSecret: string,
): Promise<{ renewed: number; unreadable: number }> => {
  const done = { renewed: 0, unreadable: 0 }
  if (keysOf(authSecret).length === 1) return done
  const prefix = firstKeyPrefix(authSecret)

  /** Null for what needs no change. */
  const renew = (purpose: string, sealed: string | null): string | null => {
    if (sealed === null || sealed.startsWith(prefix)) return null
    const text = decrypt(authSecret, purpose, sealed)
    if (text === null) done.unreadable += 1
    else done.renewed += 1
    return text === null ? null : encrypt(authSecret, purpose, text)
  }
  const isOlder = (column: PgColumn) =>
    and(isNotNull(column), not(sql`starts_with(${column}, ${prefix})`))

  const waiting = await run(
    db.select({ id: mail.id, sealed: mail.sealed }).from(mail).where(isOlder(mail.sealed)),
  )
  for (const { id, sealed } of waiting) {
    const renewed = renew(mailPurpose, sealed)
    // What was sent or replaced meanwhile stays as it is.
    if (renewed && sealed)
      await run(
        db
          .update(mail)
          .set({ sealed: renewed })
          .where(and(eq(mail.id, id), eq(mail.sealed, sealed))),
      )
  }
  const links = await run(
    db
      .select({ id: recordLinks.id, recordId: recordLinks.recordId, sealed: recordLinks.sealed })
      .from(recordLinks)
      .where(isOlder(recordLinks.sealed)),
  )
  for (const { id, recordId, sealed } of links) {
    const renewed = renew(recordLinkPurpose(recordId), sealed)
    if (renewed)
      await run(db.update(recordLinks).set({ sealed: renewed }).where(eq(recordLinks.id, id)))
  }
  const devices = await run(
    db
      .select({
        id: pushSubscriptions.id,
        ownerId: pushSubscriptions.userId,
        sealed: pushSubscriptions.sealed,
      })
      .from(pushSubscriptions)
      .where(isOlder(pushSubscriptions.sealed)),
  )
  for (const { id, ownerId, sealed } of devices) {
    const renewed = renew(devicePurpose(ownerId), sealed)
    // A device that another account has taken meanwhile stays as it is.
    if (renewed)
      await run(
        db
          .update(pushSubscriptions)
          .set({ sealed: renewed })
          .where(and(eq(pushSubscriptions.id, id), eq(pushSubscriptions.sealed, sealed))),
      )
  }
  const { userId, secret, pending } = totpSecrets
  const apps = await run(
    db
      .select({ userId, secret, pending })
      .from(totpSecrets)
      .where(or(isOlder(secret), isOlder(pending))),
  )
  for (const app of apps) {
    const purpose = totpPurpose(app.userId)
    const newSecret = renew(purpose, app.secret)
    if (newSecret && app.secret)
      await run(
        db
          .update(totpSecrets)
          .set({ secret: newSecret })
          .where(and(eq(userId, app.userId), eq(secret, app.secret))),
      )
    const newPending = renew(purpose, app.pending)
    if (newPending && app.pending)
      await run(
        db
          .update(totpSecrets)
          .set({ pending: newPending })
          .where(and(eq(userId, app.userId), eq(pending, app.pending))),
      )
  }
  for (const name of ['sealedSecret', 'sealedOldSecret', 'sealedAuthorization'] as const) {
    const column = webhookEndpoints[name]
    const found = await run(
      db
        .select({ id: webhookEndpoints.id, sealed: column })
        .from(webhookEndpoints)
        .where(isOlder(column)),
    )
    for (const { id, sealed } of found) {
      const renewed = renew(webhookPurpose(id), sealed)
      if (renewed && sealed)
        await run(
          db
            .update(webhookEndpoints)
            .set({ [name]: renewed })
            .where(and(eq(webhookEndpoints.id, id), eq(column, sealed))),
        )
    }
  }
  return done
}
