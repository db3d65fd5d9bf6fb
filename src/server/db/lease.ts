import { sql } from '#server/db/drizzle.ts'

// Longer than a batch can take at the senders' time limit of 10 seconds; short enough that what a
// worker died with is sent by the run after the next minute.
export const LEASE = sql.raw(`interval '45 seconds'`)

// Stored times are rounded to the millisecond: one of just now may lie half of one ahead.
export const soon = sql.raw(`now() + interval '1 millisecond'`)
