import { type SQLWrapper, sql } from '#server/db/drizzle.ts'
import { check, customType, uuid } from '#server/db/pg-core.ts'

/** An instant to the millisecond, as ISO 8601 in UTC: the form in which the API answers it. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
})

/** The time of the statement, by the database's clock. */
export const now = sql`now()`

/** A UUIDv7 made by the database (the function stands in the first migration). */
export const id = () => uuid('id').primaryKey().default(sql`uuid_v7()`)

export const isKnown = (name: string, column: SQLWrapper, values: readonly string[]) =>
  check(name, sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`)
