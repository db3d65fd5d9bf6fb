import { type SQL, sql } from 'drizzle-orm'
import type { Kind } from '../kind.ts'
import { kinds } from '../kinds.ts'

/** One query of what a part asks of each kind. */
export const unionOfKinds = (part: (kind: Kind) => SQL): SQL =>
  sql.join(kinds.map(part), sql` union all `)
