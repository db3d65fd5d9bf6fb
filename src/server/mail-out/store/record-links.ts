import { randomBytes } from 'node:crypto'
import type { Database } from '#server/db/database.ts'
import { and, desc, eq, isNull, sql } from '#server/db/drizzle.ts'
import { anyRow, rows, run } from '#server/db/rows.ts'
import { recordLinks } from '#server/db/schema/record-links.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { decrypt, encrypt } from '#server/secrets/encrypt.ts'
import { recordLinkPurpose } from '#server/secrets/purposes.ts'
import { hashTokenSecret } from '#server/secrets/token-secret.ts'

/** The tokens of a record's sender: in the page's address, and in the address for answers. */
export interface RecordTokens {
  page: string
  /** Base32 in lower case: mail servers may change the case of an address. */
  reply: string
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** 160 random bits. */
const newReplyToken = (): string =>
  [...randomBytes(32)].map((byte) => BASE32[byte % BASE32.length]).join('')

/** True if the address is the one that a record has now. */
export const isSenderOf = (
  db: Database,
  kind: Kind,
  { id, email }: { id: string; email: string },
): Promise<boolean> =>
  anyRow(
    db,
    sql`select from ${kind.table} where id = ${id}::uuid and lower(email) = lower(${email})`,
  )

/**
 * The tokens that a record's next mail carries, made where it has none; undefined where there is no
 * such record. Two workers at the same time may each make one: both are valid.
 */
export const tokensOf = async (db: Database, authSecret: string, kind: Kind, id: string) => {
  const { recordKind, recordId, endedAt, sealed } = recordLinks
  const links = await run(
    db
      .select({ sealed })
      .from(recordLinks)
      .where(and(eq(recordKind, kind.path), eq(recordId, id), isNull(endedAt)))
      .orderBy(desc(recordLinks.id)),
  )
  for (const link of links) {
    const opened = decrypt(authSecret, recordLinkPurpose(id), link.sealed)
    if (opened !== null) return JSON.parse(opened) as RecordTokens
  }
  const tokens = { page: randomBytes(24).toString('base64url'), reply: newReplyToken() }
  const made = await rows(
    db,
    sql`insert into ${recordLinks} (record_kind, record_id, token_hash, reply_hash, sealed)
      select ${kind.path}, r.id, ${hashTokenSecret(tokens.page)}, ${hashTokenSecret(tokens.reply)},
        ${encrypt(authSecret, recordLinkPurpose(id), JSON.stringify(tokens))}
      from ${kind.table} r where r.id = ${id}::uuid for key share
      returning 1`,
  )
  return made.length > 0 ? tokens : undefined
}
