import * as z from 'zod/mini'
import type { Database, QueryPromise, SQL } from '#server/db/drizzle.ts'
import type { Prepared } from '#server/db/prepared.ts'
import { beforeTimeLimit } from '#server/db/time-limit.ts'

/** The database did not answer in time or not at all: worth another try a little later. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is out of reach', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/** Type ids that the drivers would answer in three ways (pg_type.oid). */
const INT8 = 20
const TIMESTAMPTZ = 1184

interface RawResult {
  rows: Record<string, unknown>[]
  fields: { name: string; dataTypeID: number }[]
}

/**
 * Runs a query of Drizzle's builder, typed by the schema. Without it a query has neither the call's
 * time limit nor errors that tell an unavailable database from a mistake.
 *
 * @throws {DatabaseUnavailable} when the database is out of reach. Any other failure is the
 * driver's own error, with its SQLSTATE in `code`.
 */
export const run = <T>(query: QueryPromise<T>): Promise<T> => attempt(() => query)

/**
 * Runs one statement and answers its rows as plain objects that look the same over every driver:
 * `timestamptz` as ISO 8601 in UTC, `date` as `YYYY-MM-DD`, `bigint` as a number, `json` parsed,
 * `numeric` as text. Nothing checks that they are as `T` says: for the few large statements, whose row
 * type stands beside them; all others are `run` or {@link checkedRows}.
 *
 * @throws {DatabaseUnavailable} when the database is out of reach. Any other failure is the
 * driver's own error, with its SQLSTATE in `code`.
 */
export async function rows<T = Record<string, unknown>>(
  db: Database,
  statement: SQL,
): Promise<T[]> {
  return converted((await attempt(() => db.execute(statement))) as RawResult)
}

const only = <T>([row]: readonly T[]): T => {
  if (row === undefined) throw new Error('A statement answered no row')
  return row
}

/** {@link rows} of a statement that always answers one row. */
export const oneRow = async <T>(db: Database, statement: SQL): Promise<T> =>
  only(await rows<T>(db, statement))

/** {@link run} of a query for one row; undefined where there is none. */
export const runOne = async <T>(query: QueryPromise<T[]>): Promise<T | undefined> =>
  (await run(query)).at(0)

/** The values of a statement's one column; unchecked, as {@link rows}. */
export const valuesOf = async <T>(db: Database, statement: SQL): Promise<T[]> =>
  (await rows(db, statement)).flatMap((row) => Object.values(row) as T[])

/** {@link valuesOf} of a statement for one row; undefined where there is none. */
export const oneValue = async <T>(db: Database, statement: SQL): Promise<T | undefined> =>
  (await valuesOf<T>(db, statement)).at(0)

export const anyRow = async (db: Database, statement: SQL): Promise<boolean> =>
  (await rows(db, statement)).length > 0

export const preparedRows = async <T, Values>(
  db: Database,
  { name, query }: Prepared<Values>,
  values: Values,
): Promise<T[]> => {
  const { session } = db._
  const run = (name?: string) => {
    const statement = session.prepareQuery(query, undefined, name, false)
    return attempt(() => statement.execute(values as Record<string, unknown>))
  }
  const result = forgetful.has(session)
    ? run()
    : run(name).catch((error: unknown) => {
        if (!isForgotten(error)) throw error
        forgetful.add(session)
        return run()
      })
  return converted((await result) as RawResult)
}

/** Databases behind a pooler that gives each transaction another connection and keeps no statements. */
const forgetful = new WeakSet<object>()

/** No such statement, or one that another client made: the database has run nothing. */
const isForgotten = (error: unknown): boolean =>
  ['26000', '42P05'].includes((error as { code?: string }).code ?? '')

const converted = <T>(result: RawResult): T[] => {
  const convert = result.fields
    .map(({ name, dataTypeID }) => [name, conversions.get(dataTypeID)] as const)
    .filter(([, conversion]) => conversion !== undefined)
  for (const row of result.rows) {
    for (const [name, conversion] of convert) {
      if (row[name] !== null) row[name] = conversion?.(row[name])
    }
  }
  return result.rows as T[]
}

/**
 * {@link rows}, each held against a schema: a statement that answers something else than its code expects is an
 * error here and not a wrong value further on.
 *
 * @throws as {@link rows}
 */
export const checkedRows = async <T>(
  db: Database,
  row: z.ZodMiniType<T>,
  statement: SQL,
): Promise<T[]> => (await rows(db, statement)).map((found) => row.parse(found))

/** {@link checkedRows} of a statement for one row; undefined where there is none. */
export const checkedRow = async <T>(db: Database, row: z.ZodMiniType<T>, statement: SQL) =>
  (await checkedRows(db, row, statement)).at(0)

/** {@link checkedRows} of a statement that always answers one row. */
export const oneCheckedRow = async <T>(db: Database, row: z.ZodMiniType<T>, statement: SQL) =>
  only(await checkedRows(db, row, statement))

/** The one column of a statement, `seconds`: how long until something is due; null where nothing waits. */
export const secondsOf = async (db: Database, statement: SQL): Promise<number | null> =>
  (await checkedRow(db, z.object({ seconds: z.nullable(z.number()) }), statement))?.seconds ?? null

/** Deadlock, and failed serialization: the statement was undone as a whole, and may be run again. */
const UNDONE_STATES = ['40P01', '40001']
const ATTEMPTS = 3

async function attempt<T>(statement: () => PromiseLike<T>, count = 1): Promise<T> {
  try {
    return await beforeTimeLimit(statement)
  } catch (thrown) {
    const error = databaseError(thrown)
    const { code } = error as { code?: string }
    if (code === undefined || !UNDONE_STATES.includes(code) || count === ATTEMPTS) throw error
    return attempt(statement, count + 1)
  }
}

const conversions = new Map<number, (value: unknown) => unknown>([
  [INT8, Number],
  [TIMESTAMPTZ, (value) => new Date(value as string).toISOString()],
])

/**
 * The driver's own error out of what Drizzle wraps it in; `DatabaseUnavailable` for those that
 * say that the database could not be asked. Anything else comes back as it is.
 */
export function databaseError(error: unknown): unknown {
  const cause = isWrapped(error) ? error.cause : error
  if (cause instanceof DatabaseUnavailable) return cause
  if (!(cause instanceof Error)) return error
  const code = 'code' in cause ? String(cause.code ?? '') : ''
  if (SQLSTATE.test(code)) {
    return UNAVAILABLE_STATES.test(code) ? new DatabaseUnavailable(cause) : cause
  }
  return isConnectionError(cause, code) ? new DatabaseUnavailable(cause) : cause
}

/** True if a statement failed because a unique index has the row already. */
export const isDuplicate = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '23505'

/** True if a statement failed because of a foreign key: what it names is gone, or is named by what came meanwhile. */
export const isReferenced = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '23503'

/**
 * True if a statement failed because its table was not made yet: the database lacks a migration.
 */
export const isTableMissing = (error: unknown): boolean =>
  (databaseError(error) as { code?: unknown }).code === '42P01'

// Every SQLSTATE holds a digit, which tells it from the system's EPIPE.
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/

// Connection exceptions, refused credentials, no such database, a standby that does not write yet, no
// room or connections left, shutdown and start-up, a cancelled statement.
const UNAVAILABLE_STATES = /^(08...|25006|28...|3D000|53...|57P0[1-3]|57014)$/

function isConnectionError(error: Error, code: string): boolean {
  return (
    error.name === 'NeonDbError' ||
    error.name === 'TimeoutError' ||
    error.name === 'AbortError' ||
    /^(ECONN|ENOTFOUND|ENOENT|EAI_|EPIPE|ETIMEDOUT|EHOST|ENET)/.test(code) ||
    (error instanceof AggregateError && error.errors.some((one) => one instanceof Error)) ||
    /timeout|terminated|Connection ended|PGlite is clos|Cannot use a pool after/i.test(
      error.message,
    )
  )
}

function isWrapped(error: unknown): error is Error & { cause: Error } {
  return error instanceof Error && 'query' in error && error.cause instanceof Error
}
