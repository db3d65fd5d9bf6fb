import {
  and,
  type Database,
  eq,
  getTableColumns,
  inArray,
  isNull,
  lte,
  not,
  type SQL,
  sql,
} from '#server/db/drizzle.ts'
import { oneRow, run } from './rows.ts'
import { keyedCalls } from './schema/calls.ts'

/**
 * Writes that can be repeated. Under a key, the statement that makes a change also stores the key
 * with the statement's own result. The unique index on the key lets one of many identical statements
 * through; the others fail as a whole and use the result that is stored. There is no moment at which
 * a change is made but its key is not known, so that a crash neither doubles a change nor blocks a key.
 */

export interface KeyedCall {
  /**
   * The keys under which the row may be stored: the present secret's, then those that it replaces.
   */
  keys: readonly [string, ...string[]]
  contentHashes: readonly [string, ...string[]]
  targetId: string | SQL | null
  /** The end of the stored answer if it is sooner than 24 hours: SQL on the call's steps. */
  expiresAt?: SQL
  stored?: StoredCall | undefined
  /** True if the handler has written already: there is one result to store. */
  hasWritten?: boolean
}

const { id, contentHash, outcome, answer } = getTableColumns(keyedCalls)
const storedCall = { id, contentHash, outcome, answer }

type StoredCall = Pick<typeof keyedCalls.$inferSelect, keyof typeof storedCall>

export class KeyReused extends Error {
  override name = 'KeyReused'
}

const calls = new WeakMap<Database, KeyedCall>()

/** The same database, on which one `write` is stored under the call's key. */
export const underKey = (db: Database, call: KeyedCall): Database => {
  const keyed = Object.create(db) as Database
  calls.set(keyed, call)
  return keyed
}

/** Names the record that a keyed call is about, where its path does not: what is stored is erased with it. */
export const callIsAbout = (db: Database, recordId: string | SQL): void => {
  const call = calls.get(db)
  if (call) call.targetId = recordId
}

/** Ends what is stored under the call's key with what makes the call valid. */
export const callEndsAt = (db: Database, expiresAt: SQL): void => {
  const call = calls.get(db)
  if (call) call.expiresAt = expiresAt
}

const LIFETIME = sql.raw(`interval '24 hours'`)

/**
 * Looks a key up, and forgets it where it is too old.
 *
 * @throws {KeyReused}
 */
export const findStoredCall = async (db: Database, { keys, contentHashes }: KeyedCall) => {
  const expired = sql`(${lte(keyedCalls.createdAt, sql`now() - ${LIFETIME}`)} or coalesce(${keyedCalls.expiresAt} <= now(), false))`
  const forgotten = db.$with('forgotten').as(
    db
      .delete(keyedCalls)
      .where(and(inArray(keyedCalls.key, [...keys]), expired))
      .returning({ id: keyedCalls.id }),
  )
  const [found] = await run(
    db
      .with(forgotten)
      .select(storedCall)
      .from(keyedCalls)
      .where(and(inArray(keyedCalls.key, [...keys]), not(expired))),
  )
  if (found && !contentHashes.includes(found.contentHash)) throw new KeyReused()
  return found
}

/** Stores the answer, unless one is stored already; the one that counts. */
export const storeAnswer = async (db: Database, { id }: StoredCall, answer: string) => {
  const [kept] = await run(
    db
      .update(keyedCalls)
      .set({ answer: sql`coalesce(${keyedCalls.answer}, ${answer})` })
      .where(eq(keyedCalls.id, id))
      .returning({ answer: keyedCalls.answer }),
  )
  // The row is gone where its record was erased meanwhile.
  return kept?.answer ?? answer
}

/** Frees a key whose call was refused. */
export const releaseKey = (db: Database, { id }: StoredCall): Promise<unknown> =>
  run(db.delete(keyedCalls).where(and(eq(keyedCalls.id, id), isNull(keyedCalls.answer))))

/**
 * Runs the one statement that makes a call's change: `with <steps> <result>`.
 *
 * @returns the rows of `result` as JSON: write times with `iso`
 * @throws {KeyReused}
 */
export const write = async <Row>(db: Database, steps: SQL, result: SQL): Promise<Row[]> => {
  const call = calls.get(db)
  const statement = sql`with ${steps}, outcome as materialized (${result})`
  const outcome = sql`select coalesce(json_agg(outcome), '[]') as outcome from outcome`
  if (call) {
    if (call.hasWritten) throw new Error('A call with a key writes once')
    call.hasWritten = true
    return writeUnderKey<Row>(db, call, statement, outcome)
  }
  return (await oneRow<{ outcome: Row[] }>(db, sql`${statement} ${outcome}`)).outcome
}

/** {@link write} whose result is one row; undefined where there is none. */
export const writeOne = async <Row>(db: Database, steps: SQL, result: SQL) =>
  (await write<Row>(db, steps, result)).at(0)

/** The one column of {@link writeOne}. */
export const writeValue = async <Value>(db: Database, steps: SQL, result: SQL) => {
  const row = await writeOne<Record<string, Value>>(db, steps, result)
  return row && Object.values(row)[0]
}

/** {@link write} whose result always is one row. */
export const writeRow = async <Row>(db: Database, steps: SQL, result: SQL): Promise<Row> => {
  const row = await writeOne<Row>(db, steps, result)
  if (row === undefined) throw new Error('A write answered no row')
  return row
}

/** {@link write}; true if its result has a row. */
export const writesAny = async (db: Database, steps: SQL, result: SQL): Promise<boolean> =>
  (await write(db, steps, result)).length > 0

const writeUnderKey = async <Row>(db: Database, call: KeyedCall, statement: SQL, outcome: SQL) => {
  if (call.stored) return call.stored.outcome as Row[]
  try {
    call.stored = await oneRow<StoredCall>(
      db,
      sql`${statement},
        keyed_call as (
          insert into ${keyedCalls} (key, content_hash, target_id, outcome, expires_at)
          select ${call.keys[0]}, ${call.contentHashes[0]}, ${call.targetId}::uuid, o.outcome::jsonb,
            ${call.expiresAt ?? sql`null`}::timestamptz
          from (${outcome}) as o
          returning id, content_hash as "contentHash", outcome, answer
        )
        select * from keyed_call`,
    )
  } catch (error) {
    if (!isConstraintViolated(error)) throw error
    // The same call may have been quicker: its key, or what it wrote, is in the way of this one.
    const stored = await findStoredCall(db, call)
    if (stored) call.stored = stored
    // The key was freed meanwhile, because the other call was refused. Each further attempt that
    // fails has seen another call end, so that the attempts end too.
    else if (!isKeyTaken(error)) throw error
  }
  return writeUnderKey<Row>(db, call, statement, outcome)
}

const isConstraintViolated = (error: unknown): boolean =>
  /^23/.test(String((error as { code?: unknown }).code))

const isKeyTaken = (error: unknown): boolean =>
  (error as { constraint?: unknown }).constraint === 'keyed_calls_key_unique'
