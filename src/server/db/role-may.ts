import { type Right, rights } from '#contract/http/access.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'

/** True if an account's role has a right, as SQL: a statement sees the current role. */
export const roleMay = (role: SQL, right: Right): SQL =>
  sql`${role} = any(${sql.param(rights[right])}::text[])`
