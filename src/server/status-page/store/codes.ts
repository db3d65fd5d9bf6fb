import { randomInt } from 'node:crypto'
import { limits } from '#contract/limits.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { countAttempt, type Limit } from '#server/db/rate-limit.ts'
import { mail } from '#server/db/schema/mail.ts'
import { recordCodes } from '#server/db/schema/record-links.ts'
import { callEndsAt, write, writesAny } from '#server/db/write.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import { sealText } from '#server/mail-out/sealed-text.ts'
import { keyedHash, keyedHashes } from '#server/secrets/keys.ts'
import type { Linked } from './find.ts'

const { digits, minutes, tries } = limits.senderCode

const textOf = (recordId: string, code: string): string => `sender-code:${recordId}:${code}`

/** A code with its hash: few digits, so that only a keyed hash hides it from who reads the database. */
export const makeCode = (authSecret: string, recordId: string): { code: string; hash: string } => {
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  return { code, hash: keyedHash(authSecret, textOf(recordId, code)) }
}

export const codeHashes = (authSecret: string, recordId: string, code: string): string[] =>
  keyedHashes(authSecret, textOf(recordId, code))

/**
 * Stores a new code in place of the last one, and queues its mail. False where there is no such record
 * in the inbox.
 *
 * @throws the driver's error of a full limit
 */
export const newCode = async (
  db: Database,
  authSecret: string,
  { kind, id }: Linked,
  {
    codeHash,
    mail: { subject, ...bodies },
    limit,
  }: { codeHash: string; mail: Rendered; limit: Limit },
): Promise<boolean> => {
  const expiresAt = sql`now() + make_interval(mins => ${minutes}::int)`
  return writesAny(
    db,
    sql`
      target as materialized (
        select id, email from ${kind.table} where id = ${id}::uuid and box = 'inbox' for key share
      ),
      counted as (${countAttempt([limit], sql`exists (select from target)`)}),
      stored as (
        insert into ${recordCodes} as c (record_id, code_hash, expires_at)
        select id, ${codeHash}, ${expiresAt} from target
        on conflict (record_id) do update
          set code_hash = excluded.code_hash, tries = 0, expires_at = excluded.expires_at
      ),
      queued as (
        insert into ${mail} (kind, record_kind, record_id, recipient, subject, text, html, sealed, expires_at, status)
        select 'code', ${kind.path}, id, email, ${subject}::text, '', '', ${sealText(authSecret, bodies)}::text,
          ${expiresAt}, 'waiting'
        from target
      )`,
    sql`select id from target`,
  )
}

/** Counts one try of a code; the right one ends with it. */
export const tryCode = async (db: Database, { id }: Linked, codeHashes: readonly string[]) => {
  const isRight = sql`c.code_hash = any(${sql.param(codeHashes)}::text[])`
  callEndsAt(db, sql`(select expires_at from code)`)
  const [tried] = await write<{ isRight: boolean; triesLeft: number }>(
    db,
    sql`
      code as materialized (
        select * from ${recordCodes}
        where record_id = ${id}::uuid and expires_at > now() and tries < ${tries}::int
        for update
      ),
      tried as (
        update ${recordCodes} c
        set tries = c.tries + 1, expires_at = case when ${isRight} then now() else c.expires_at end
        from code where c.record_id = code.record_id
        returning ${isRight} as right, ${tries}::int - c.tries as left
      )`,
    sql`select "right" as "isRight", "left" as "triesLeft" from tried`,
  )
  return tried ?? { isRight: false, triesLeft: 0 }
}
