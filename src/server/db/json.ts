import { type Column, type GetColumnData, type SQL, sql } from '#server/db/drizzle.ts'

/** An instant as ISO 8601 in UTC, as JSON carries it. */
export const iso = (instant: SQL | Column): SQL<string> =>
  sql`to_char((${instant}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

type Value<Part> = Part extends Column
  ? GetColumnData<Part>
  : Part extends SQL<infer Result>
    ? Result
    : never

/** A JSON object made by the database. Write instants with `iso`: JSON has its own form for them. */
export const jsonObject = <Parts extends Readonly<Record<string, SQL | Column>>>(
  parts: Parts,
): SQL<{ [Name in keyof Parts]: Value<Parts[Name]> }> =>
  sql`json_build_object(${sql.join(
    Object.entries(parts).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
    sql`, `,
  )})`
