import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import type { KindPath } from '#contract/inbox.ts'
import { housekeeping } from '#contract/privacy-rules.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { recordProgramEvent } from '#server/db/program-event.ts'
import { rows } from '#server/db/rows.ts'
import { idempotencyKeys } from '#server/db/schema/idempotency-keys.ts'
import { keyedCalls } from '#server/db/schema/keyed-calls.ts'
import { mail } from '#server/db/schema/mail.ts'
import { rateLimits } from '#server/db/schema/rate-limits.ts'
import { sessions } from '#server/db/schema/sessions.ts'
import { tidy } from '#server/db/tidy.ts'
import type { Deps } from '#server/deps.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { expirySql, interval, iso } from '#server/kinds/record.ts'
import { mailboxOf } from '#server/mail/eml.ts'
import { purgeBesides, removeEmlFiles } from './purge.ts'

/** Records erased by one statement: few enough to be done well within its deadline. */
const BATCH = 500

/** A list that is read by people. */
const MOST_PREVIEWED = 200

export interface Expiring {
  kind: KindPath
  _id: string
  name: string
  expiresAt: string
}

/** Records that the rules will erase within a week, the next first. */
export const previewRetention = (db: Database): Promise<Expiring[]> =>
  rows<Expiring>(
    db,
    sql`select kind, id as _id, name, ${iso(sql`at`)} as "expiresAt"
      from (
        ${sql.join(
          kinds.map(
            (kind) => sql`
              select ${sql.raw(`'${kind.path}'`)} as kind, r.id, r.name, ${expirySql(kind)} as at
              from ${kind.table} r where ${expirySql(kind)} < now() + interval '7 days'`,
          ),
          sql` union all `,
        )}
      ) as expiring
      order by at, id limit ${sql.raw(String(MOST_PREVIEWED))}`,
  )

const eraseExpired = async (
  { db, config }: { db: Database; config: Config },
  kind: Kind,
): Promise<number> => {
  const [erased] = await rows<{ count: number; messages: string[] }>(
    db,
    sql`with
      expired as (
        select r.id from ${kind.table} r where ${expirySql(kind)} <= now() limit ${BATCH} for update skip locked
      ),
      deleted as (delete from ${kind.table} r using expired x where x.id = r.id returning r.id),
      gone as (select ${kind.path}::text as kind, id from deleted),
      ${purgeBesides()}
      select (select count(*) from deleted) as count,
        (select coalesce(json_agg(id), '[]') from mail_gone) as messages`,
  )
  if (!erased) throw new Error('The clean-up answered no row')
  await removeEmlFiles(config, erased.messages)
  return erased.count === BATCH
    ? erased.count + (await eraseExpired({ db, config }, kind))
    : erased.count
}

const counted = async (db: Database, statement: SQL): Promise<number> => {
  const [done] = await rows<{ n: number }>(
    db,
    sql`with done as (${statement} returning 1) select count(*) as n from done`,
  )
  return done?.n ?? 0
}

/** Files of the local mailbox that are as old as a message's text may get. */
const removeOldEmlFiles = async (config: Config): Promise<number> => {
  const mailbox = mailboxOf(config.dataDir)
  const oldest = Date.now() - housekeeping.mailBodies.keep.days * 86_400_000
  const names = await readdir(mailbox).catch(() => [])
  let count = 0
  for (const name of names) {
    const file = join(mailbox, name)
    if (!/\.eml(\.part)?$/.test(name)) continue
    // A message that is being written changes its name meanwhile.
    const written = await stat(file).catch(() => null)
    if (!written || written.mtimeMs >= oldest) continue
    await rm(file, { force: true })
    count += 1
  }
  return count
}

/** What of a person's was erased is in the audit log, once a run; what machinery keeps is not. */
const recordErased = async (db: Database, done: Record<string, number>): Promise<void> => {
  const personal = [...kinds.map(({ path }) => path), 'mailBodies']
  const counts = Object.fromEntries(
    Object.entries(done).filter(([name, count]) => personal.includes(name) && count > 0),
  )
  if (Object.keys(counts).length > 0)
    await recordProgramEvent(db, { via: 'retention', kind: 'retention', counts })
}

/**
 * Erases whatever the privacy rules say is not kept any longer, and says how much. Safe to run at any
 * time, twice at once, and again after it was broken off.
 */
export const runRetention = async ({
  db,
  config,
  log,
}: Pick<Deps, 'db' | 'config' | 'log'>): Promise<Record<string, number>> => {
  const ago = (rule: keyof typeof housekeeping): SQL =>
    sql`now() - ${interval(housekeeping[rule].keep)}`
  const done: Record<string, number> = {}
  for (const kind of kinds) done[kind.path] = await eraseExpired({ db, config }, kind)
  done.idempotencyKeys = await counted(
    db,
    sql`delete from ${idempotencyKeys} where created_at <= ${ago('idempotencyKeys')}`,
  )
  done.keyedCalls = await counted(
    db,
    sql`delete from ${keyedCalls} where created_at <= ${ago('idempotencyKeys')}`,
  )
  done.sessions = await counted(
    db,
    sql`delete from ${sessions} where expires_at <= ${ago('sessions')}`,
  )
  done.limits = await counted(
    db,
    sql`delete from ${rateLimits} where updated_at <= ${ago('limits')}`,
  )
  done.mailBodies = await counted(
    db,
    sql`update ${mail} set text = '', html = ''
      where status in ('sent', 'failed') and text <> ''
        and coalesce(sent_at, created_at) <= ${ago('mailBodies')}`,
  )
  done.emlFiles = await removeOldEmlFiles(config)
  await recordErased(db, done)
  if (config.database.kind === 'embedded') await tidy(db)
  log({ level: 'info', event: 'retention', ...done })
  return done
}
