import { sql } from 'drizzle-orm'
import { timestamp, uuid } from 'drizzle-orm/pg-core'

/** An instant from the database's clock, to the millisecond, as JavaScript's dates hold it. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A UUIDv7 made by the database (the function stands in the first migration). */
export const id = () => uuid('id').primaryKey().default(sql`uuid_v7()`)
