import { limits } from '#contract/limits.ts'
import { and, asc, type Database, eq, sql } from '#server/db/drizzle.ts'
import { run } from '#server/db/rows.ts'
import { pushSubscriptions, users } from '#server/db/schema/accounts/users.ts'
import { pushes } from '#server/db/schema/pushes.ts'
import { write, writesAny, writeValue } from '#server/db/write.ts'
import { decrypt, devicePurpose, encrypt } from '#server/secrets/encrypt.ts'
import { hashTokenSecret } from '#server/secrets/token-secret.ts'
import type { Device } from '../send.ts'

const { id, userId, sealed, credentialVersion, createdAt } = pushSubscriptions

export const openDevice = (authSecret: string, stored: { userId: string; sealed: string }) => {
  const text = decrypt(authSecret, devicePurpose(stored.userId), stored.sealed)
  return text === null ? null : (JSON.parse(text) as Device)
}

export const findDevices = async (db: Database, authSecret: string, ownerId: string) => {
  const found = await run(
    db
      .select({ id, userId, sealed, createdAt })
      .from(pushSubscriptions)
      .innerJoin(users, eq(users.id, userId))
      .where(and(eq(userId, ownerId), eq(credentialVersion, users.credentialVersion)))
      .orderBy(asc(id)),
  )
  return found.flatMap((stored) => {
    const device = openDevice(authSecret, stored)
    if (!device) return []
    return [{ _id: stored.id, endpoint: device.endpoint, createdAt: stored.createdAt }]
  })
}

/**
 * Adds a device, or moves it here from another account. What was planned for it before is not sent.
 *
 * @param renew changes nothing unless the device is the account's already
 * @returns false where the account has as many as it may
 */
export const addDevice = async (
  { db, authSecret }: { db: Database; authSecret: string },
  ownerId: string,
  { device, renew }: { device: Device; renew: boolean },
): Promise<boolean> => {
  const hash = hashTokenSecret(device.endpoint)
  const text = encrypt(authSecret, devicePurpose(ownerId), JSON.stringify(device))
  const isFull = await writeValue<boolean>(
    db,
    sql`
      owner as materialized (
        select id, credential_version from ${users} where id = ${ownerId}::uuid for no key update
      ),
      -- other_devices_now counts after the lock, also what another call has added while this one waited.
      added as (
        insert into ${pushSubscriptions} as s (user_id, endpoint_hash, sealed, credential_version)
        select o.id, ${hash}, ${text}, o.credential_version from owner o
        where other_devices_now(o.id, o.credential_version, ${hash}) < ${limits.pushDevices} and (not ${renew}::boolean or exists (
          select from ${pushSubscriptions} own where own.user_id = o.id and own.endpoint_hash = ${hash}
        ))
        on conflict (endpoint_hash) do update set
          user_id = excluded.user_id, sealed = excluded.sealed,
          credential_version = excluded.credential_version,
          active_since = case
            when s.user_id = excluded.user_id and s.credential_version = excluded.credential_version
            then s.active_since else now()
          end
        returning 1
      )`,
    sql`select not ${renew}::boolean and not exists (select from added) as "isFull"`,
  )
  return isFull === false
}

export const removeDevice = (db: Database, ownerId: string, endpoint: string): Promise<unknown> =>
  write(
    db,
    sql`removed as (
      delete from ${pushSubscriptions}
      where user_id = ${ownerId}::uuid and endpoint_hash = ${hashTokenSecret(endpoint)} returning id
    )`,
    sql`select id from removed`,
  )

/**
 * Queues a test for one of the account's own devices, at most one in ten seconds; false where it has no
 * such device.
 */
export const queueTest = (db: Database, ownerId: string, endpoint: string) =>
  writesAny(
    db,
    sql`device as (
      select s.id from ${pushSubscriptions} s join ${users} u on u.id = s.user_id
      where u.id = ${ownerId}::uuid and s.credential_version = u.credential_version
        and s.endpoint_hash = ${hashTokenSecret(endpoint)}
    ),
    queued as (
      insert into ${pushes} (subscription_id, reason, cause)
      select id, 'test', 'test:' || floor(extract(epoch from now()) / 10) from device
      on conflict do nothing
    )`,
    sql`select id from device`,
  )

/**
 * Ends all devices of a restored database until their owners use the admin on them again: a backup must
 * not bring back what was switched off since. What waited is not sent.
 */
export const endDevices = async (db: Database): Promise<void> => {
  await run(db.delete(pushes))
  await run(db.update(pushSubscriptions).set({ credentialVersion: 0 }))
}
