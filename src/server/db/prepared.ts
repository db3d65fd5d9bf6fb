import { hash } from 'node:crypto'
import { type Query, type SQL, sql } from '#server/db/drizzle.ts'
import { PgDialect } from '#server/db/pg-core.ts'

/**
 * A statement that is run so often that its cost counts. Its text is built once in a process, and a
 * database parses and plans it once for each connection. Its values come with each run.
 */
export interface Prepared<Values> {
  /** Made of the text, so that no other version of the program has another text under the same name. */
  name: string
  query: Query
  /** A type only: the values that each run must supply. */
  values?: Values
}

const names = new Map<string, string>()

/** The name of a prepared statement by its text, for drivers to which Drizzle passes the text alone. */
export const preparedName = (text: string): string | undefined => names.get(text)

/** Builds a statement with a place for each value. A value of no evident type needs a cast. */
export const prepare = <Values>(
  build: (value: (name: keyof Values & string) => SQL) => SQL,
): Prepared<Values> => {
  const query = new PgDialect().sqlToQuery(build((name) => sql`${sql.placeholder(name)}`))
  const name = `fledge_${hash('sha256', query.sql, 'base64url')}`
  names.set(query.sql, name)
  return { name, query }
}
