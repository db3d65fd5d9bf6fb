import { getTableColumns } from '#server/db/drizzle.ts'
import type { PgColumn } from '#server/db/pg-core.ts'
import type { Kind } from '../kind.ts'

/** The column for a field, or for another value of the kind's table. */
export const columnOf = ({ path, table }: Kind, name: string): PgColumn => {
  const column = (getTableColumns(table) as Record<string, PgColumn>)[name]
  if (!column) throw new Error(`${path} has no column for ${name}`)
  return column
}
