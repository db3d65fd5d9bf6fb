import { type Database, sql } from '#server/db/drizzle.ts'
import { rows, valuesOf } from './rows.ts'

/** The tables that have grown by a tenth since they were last vacuumed, or of which a tenth has changed. */
const changed = sql`
  select c.relname as name from pg_class c
    left join pg_stat_user_tables s on s.relid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and (
    pg_relation_size(c.oid) > (10 + 1.1 * c.relpages) * current_setting('block_size')::int
    or s.n_mod_since_analyze + s.n_dead_tup > 50 + 0.1 * c.reltuples
  )`

/**
 * Frees the space of deleted rows and renews the statistics that the planner chooses indexes by. A Postgres
 * server does this by itself, an embedded database does not. Where little has changed the table is left alone:
 * to read its sample takes the only connection two seconds for 100,000 records. The size tells of what came
 * before a restart, which resets the counts of changes. One statement for each table, so that calls can run
 * between them.
 *
 * @returns the names of the tables
 */
export const vacuum = async (db: Database): Promise<string[]> => {
  const names = await valuesOf<string>(db, changed)
  for (const name of names) await rows(db, sql`vacuum (analyze) ${sql.identifier(name)}`)
  return names
}
