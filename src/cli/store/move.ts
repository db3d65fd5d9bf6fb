import * as z from 'zod/mini'
import { count, type Database, sql } from '#server/db/drizzle.ts'
import { checkedRows, run } from '#server/db/rows.ts'

const BATCH = 500

/** Counts are kept by triggers, which count again while the records come in; markers are about one database. */
const OWN = ['record_counts', 'markers']

/** Every table, those that others refer to before those others. */
export async function tablesInOrder(db: Database): Promise<string[]> {
  const waiting = await checkedRows(
    db,
    z.object({ name: z.string(), needs: z.array(z.string()) }),
    sql`select t.relname as name, coalesce(array_agg(r.relname) filter (
          where r.relname is not null and r.oid <> t.oid), '{}') as needs
      from pg_class t
      join pg_namespace n on n.oid = t.relnamespace and n.nspname = 'public'
      left join pg_constraint c on c.conrelid = t.oid and c.contype = 'f'
      left join pg_class r on r.oid = c.confrelid
      where t.relkind = 'r' group by t.relname order by t.relname`,
  )
  const ordered: string[] = []
  while (ordered.length < waiting.length) {
    const next = waiting.find(
      ({ name, needs }) => !ordered.includes(name) && needs.every((need) => ordered.includes(need)),
    )
    if (!next) throw new Error('The tables refer to each other in a ring.')
    ordered.push(next.name)
  }
  return ordered.filter((name) => !OWN.includes(name))
}

export async function countRows(db: Database, table: string): Promise<number> {
  const [counted] = await run(db.select({ count: count() }).from(sql`${sql.identifier(table)}`))
  return counted?.count ?? 0
}

/** The next rows of a table as JSON, each with its place, after the one at a place. */
export const readBatch = (db: Database, table: string, after: string) =>
  run(
    db
      .select({ at: sql<string>`t.ctid::text`, row: sql`to_jsonb(t)` })
      .from(sql`${sql.identifier(table)} t`)
      .where(sql`t.ctid > ${after}::tid`)
      .orderBy(sql`t.ctid`)
      // Rows of the site's content hold images and whole releases.
      .limit(table.startsWith('content_') ? 20 : BATCH),
  )
