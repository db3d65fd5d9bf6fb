import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { KindPath } from '#contract/inbox.ts'
import { housekeeping } from '#contract/privacy-rules.ts'
import type { Database } from '#server/db/database.ts'
import { iso } from '#server/db/json.ts'
import { setMarker } from '#server/db/markers.ts'
import { recordProgramEvent } from '#server/db/program-event.ts'
import { removeReplaced } from '#server/db/replaced.ts'
import { rows } from '#server/db/rows.ts'
import { idempotencyKeys } from '#server/db/schema/idempotency-keys.ts'
import { keyedCalls } from '#server/db/schema/keyed-calls.ts'
import { mail } from '#server/db/schema/mail.ts'
import { rateLimits } from '#server/db/schema/rate-limits.ts'
import { sessions } from '#server/db/schema/sessions.ts'
import { vacuum } from '#server/db/vacuum.ts'
import type { Deps } from '#server/deps.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { expiringBefore, expirySql, interval } from '#server/kinds/store.ts'
import { mailboxOf } from '#server/mail/eml.ts'
import { purgeBesides, removeEmlFiles } from './purge.ts'

/** Rows changed by one statement: few enough to be done well within its deadline. */
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
export const previewRetention = (db: Database): Promise<Expiring[]> => {
  const aWeekAhead = sql`now() + interval '7 days'`
  return rows<Expiring>(
    db,
    sql`select kind, id as _id, name, ${iso(sql`at`)} as "expiresAt"
      from (
        ${sql.join(
          kinds.map(
            (kind) => sql`
              select ${sql.raw(`'${kind.path}'`)} as kind, r.id, r.name, ${expirySql(kind)} as at
              from ${kind.table} r where ${expiringBefore(kind, aWeekAhead)}`,
          ),
          sql` union all `,
        )}
      ) as expiring
      order by at, id limit ${sql.raw(String(MOST_PREVIEWED))}`,
  )
}

/** Which records one batch erases. */
export const expiredStatement = (kind: Kind): SQL => sql`
  select r.id from ${kind.table} r where ${expiringBefore(kind, sql`now()`)}
  limit ${BATCH} for update skip locked`

const eraseExpired = async ({ db, config }: Worker, kind: Kind): Promise<Batch> => {
  const [erased] = await rows<{ count: number; messages: string[] }>(
    db,
    sql`with
      expired as (${expiredStatement(kind)}),
      deleted as (delete from ${kind.table} r using expired x where x.id = r.id returning r.id),
      gone as (select ${kind.path}::text as kind, id from deleted),
      ${purgeBesides()}
      select (select count(*) from deleted) as count,
        (select coalesce(json_agg(id), '[]') from mail_gone) as messages`,
  )
  if (!erased) throw new Error('The clean-up answered no row')
  await removeEmlFiles(config, erased.messages)
  return { count: erased.count, isLast: erased.count < BATCH }
}

/**
 * The rows of one batch, by their place, which every table has. The condition stands here twice for a
 * row that changes meanwhile: it is judged once more and left alone.
 */
export const oldRows = (table: PgTable, isOld: SQL): SQL => sql`
  ctid = any(array(select ctid from ${table} where ${isOld} limit ${BATCH})) and ${isOld}`

const counted = async (db: Database, statement: SQL): Promise<Batch> => {
  const [done] = await rows<{ n: number }>(
    db,
    sql`with done as (${statement} returning 1) select count(*) as n from done`,
  )
  const count = done?.n ?? 0
  return { count, isLast: count < BATCH }
}

const before = (rule: keyof typeof housekeeping): SQL =>
  sql`now() - ${interval(housekeeping[rule].keep)}`

/** Messages whose text is kept too long. */
export const oldBodies = (): SQL => sql`
  status in ('sent', 'failed') and text <> '' and coalesce(sent_at, created_at) <= ${before('mailBodies')}`

/** The ids of messages that the database still has. */
const knownMessages = async (db: Database, ids: readonly string[]): Promise<Set<string>> => {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from ${mail} where id = any(${sql.param(ids)}::uuid[])`,
  )
  return new Set(found.map(({ id }) => id))
}

const MESSAGE_FILE = /^(?:([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})|.*)\.eml(?:\.part)?$/

/**
 * Files of the local mailbox that are as old as a message's text may get, and those of messages that
 * the database does not have, as after a restore: an erasure would not find them.
 */
const removeOldEmlFiles = async ({ db, config }: Worker): Promise<number> => {
  const mailbox = mailboxOf(config.dataDir)
  const oldest = Date.now() - housekeeping.mailBodies.keep.days * 86_400_000
  const files = (await readdir(mailbox).catch(() => [])).flatMap((name) => {
    const found = MESSAGE_FILE.exec(name)
    return found ? [{ file: join(mailbox, name), id: found[1] }] : []
  })
  // A message is in the database before its file is written.
  const known = await knownMessages(
    db,
    files.flatMap(({ id }) => id ?? []),
  )
  let count = 0
  for (const { file, id } of files) {
    // A message that is being written changes its name meanwhile.
    const written = await stat(file).catch(() => null)
    const isUnknown = id !== undefined && !known.has(id)
    if (!written || (written.mtimeMs >= oldest && !isUnknown)) continue
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

interface Batch {
  count: number
  /** Whether nothing is left to do. */
  isLast: boolean
}

type Worker = Pick<Deps, 'db' | 'config'>
type Step = (worker: Worker) => Promise<Batch>

const remove =
  (table: PgTable, isOld: SQL): Step =>
  ({ db }) =>
    counted(db, sql`delete from ${table} where ${oldRows(table, isOld)}`)

const once =
  (work: (worker: Worker) => Promise<number>): Step =>
  async (worker) => ({ count: await work(worker), isLast: true })

/** Everything that the clean-up does, in batches, none of which needs another. */
const steps: Record<string, Step> = {
  ...Object.fromEntries(
    kinds.map((kind): [string, Step] => [kind.path, (worker) => eraseExpired(worker, kind)]),
  ),
  idempotencyKeys: remove(idempotencyKeys, sql`created_at <= ${before('idempotencyKeys')}`),
  keyedCalls: remove(keyedCalls, sql`created_at <= ${before('idempotencyKeys')}`),
  sessions: remove(sessions, sql`expires_at <= ${before('sessions')}`),
  limits: remove(rateLimits, sql`updated_at <= ${before('limits')}`),
  mailBodies: ({ db }) =>
    counted(db, sql`update ${mail} set text = '', html = '' where ${oldRows(mail, oldBodies())}`),
  emlFiles: once(removeOldEmlFiles),
  replacedDatabases: once(({ config }) => removeReplaced(config.dataDir)),
}

/**
 * Erases whatever the privacy rules say is not kept any longer, and says how much. Safe to run at any
 * time, twice at once, and again after it was broken off. A step that fails ends nothing but itself.
 * When all have succeeded, the database remembers it, so that staff can be told when they no longer do.
 *
 * @param isOver asked between batches; what is left waits for the next run
 */
export const runRetention = async (
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  isOver: () => boolean = () => false,
): Promise<Record<string, number>> => {
  const done: Record<string, number> = Object.fromEntries(
    Object.keys(steps).map((name) => [name, 0]),
  )
  const waiting = new Map(Object.entries(steps))
  let hasFailed = false
  const attempt = async <T>(step: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      hasFailed = true
      log({ level: 'error', event: 'retention_failed', step, ...causeOf(error) })
      return undefined
    }
  }
  // One batch of each in turn: a step with much to do never keeps the others from their turn.
  while (waiting.size > 0 && !isOver()) {
    for (const [name, step] of waiting) {
      if (isOver()) break
      const batch = await attempt(name, () => step({ db, config }))
      done[name] = (done[name] ?? 0) + (batch?.count ?? 0)
      if (!batch || batch.isLast) waiting.delete(name)
    }
  }
  await attempt('audit', () => recordErased(db, done))
  if (config.database.kind === 'embedded') await attempt('vacuum', () => vacuum(db))
  if (!hasFailed && waiting.size === 0) await setMarker(db, 'retention')
  const unfinished = waiting.size > 0 ? { unfinished: [...waiting.keys()] } : {}
  log({ level: 'info', event: 'retention', ...done, ...unfinished })
  return done
}

/** What a log line may say about an error: a message may hold data. */
const causeOf = (error: unknown): { name: string; code?: unknown } => {
  const { name = 'unknown', code } = (error ?? {}) as { name?: string; code?: unknown }
  return code === undefined ? { name } : { name, code }
}
