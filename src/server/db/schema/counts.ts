import {
  bigint,
  boolean,
  date,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from '#server/db/pg-core.ts'

/**
 * The number of records of each kind, box, status, assignee and due day, kept by triggers on the
 * record tables in the statement that changes them. Counting 100,000 rows takes longer than finding
 * a page of them; this keeps a list's counts as cheap as its rows.
 */
export const recordCounts = pgTable(
  'record_counts',
  {
    kind: text().notNull(),
    box: text().notNull(),
    status: text().notNull(),
    /** The nil UUID stands for nobody: a primary key holds no null. */
    assigneeId: uuid('assignee_id').notNull(),
    /**
     * The UTC day of the promised time of what is owed, 9999-12-31 without one; -infinity where the
     * sender is to answer, infinity for what is done.
     */
    owedDay: date('owed_day').notNull(),
    n: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.kind, table.box, table.status, table.assigneeId, table.owedDay],
    }),
  ],
)

/**
 * The number of visits that began on a page, by source: counts alone, nothing that tells one
 * visitor from another.
 */
export const visitCounts = pgTable(
  'visit_counts',
  {
    /** UTC. */
    day: date().notNull(),
    page: text().notNull(),
    /** A campaign, the referring host, `direct` or `other`. */
    source: text().notNull(),
    /** A desktop, rather than a phone. */
    wide: boolean().notNull(),
    visits: integer().notNull().default(0),
    begun: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.day, table.page, table.source, table.wide] })],
)
