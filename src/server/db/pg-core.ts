/** Drizzle's tables and columns, for the reason that `drizzle.ts` gives. */
export * from 'drizzle-orm/pg-core'
