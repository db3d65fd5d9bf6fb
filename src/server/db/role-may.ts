import { type SQL, sql } from 'drizzle-orm'
import { type Right, rights } from '#contract/http/access.ts'

/** Whether an account's role has a right; in a statement, so that the role is that of the moment. */
export const roleMay = (role: SQL, right: Right): SQL =>
  sql`${role} = any(${sql.param(rights[right])}::text[])`
