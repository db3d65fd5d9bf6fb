import { randomBytes } from 'node:crypto'
import { and, type Database, desc, eq, isNull, sql } from '#server/db/drizzle.ts'
import { anyRow, rows, run } from '#server/db/rows.ts'
import { recordLinks } from '#server/db/schema/record-links.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { decrypt, encrypt, recordLinkPurpose } from '#server/secrets/encrypt.ts'
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

/**
 * The tokens that a record's next mail to an address carries, made where it has none; undefined where there is
 * no such record, or it has another address now. Two workers at the same time may each make one: both are valid.
 */
export const tokensOf = async (
  db: Database,
  authSecret: string,
  kind: Kind,
  { id, email }: { id: string; email: string },
) => {
  const { recordKind, recordId, endedAt, sealed } = recordLinks
  const isTheirs = sql`r.id = ${id}::uuid and lower(r.email) = lower(${email})`
  const links = await run(
    db
      .select({ sealed })
      .from(recordLinks)
      .where(
        and(
          eq(recordKind, kind.path),
          eq(recordId, id),
          isNull(endedAt),
          sql`exists (select from ${kind.table} r where ${isTheirs})`,
        ),
      )
      .orderBy(desc(recordLinks.id)),
  )
  for (const link of links) {
    const opened = decrypt(authSecret, recordLinkPurpose(id), link.sealed)
    if (opened !== null) return JSON.parse(opened) as RecordTokens
  }
  const tokens = { page: randomBytes(24).toString('base64url'), reply: newReplyToken() }
  // A correction that is under way is waited for: it does not see the new link, which would stay open.
  const made = await rows(
    db,
    sql`insert into ${recordLinks} (record_kind, record_id, token_hash, reply_hash, sealed)
      select ${kind.path}, r.id, ${hashTokenSecret(tokens.page)}, ${hashTokenSecret(tokens.reply)},
        ${encrypt(authSecret, recordLinkPurpose(id), JSON.stringify(tokens))}
      from ${kind.table} r where ${isTheirs} for share
      returning 1`,
  )
  return made.length > 0 ? tokens : undefined
}

export const isTrashed = (db: Database, { table }: Kind, id: string): Promise<boolean> =>
  anyRow(db, sql`select from ${table} where id = ${id}::uuid and box = 'trash'`)
