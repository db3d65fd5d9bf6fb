import { join, resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { existingDatabase, readEnvironment, run } from '#host/environment.ts'
import { readDatabaseConfig } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { direct, migrateRemote } from '#server/db/migrate.ts'
import { rows } from '#server/db/rows.ts'

/** Moves everything from the embedded database to the empty one at `DATABASE_URL`. */

const BATCH = 500

/** Counts are kept by triggers, which count again while the records come in; markers are about one database. */
const OWN = ['tallies', 'markers']

await run(async () => {
  const env = readEnvironment()
  const target = readDatabaseConfig(env)
  if (target.kind === 'embedded') throw new Error('Set DATABASE_URL to the database to move to.')
  const directory = existingDatabase(join(resolve(env.DATA_DIR || '.data'), 'db'))
  await migrateRemote(target)

  const source = await openEmbedded(directory)
  const client = new pg.Client({ connectionString: direct(target.url) })
  try {
    await client.connect()
    await client.query('begin')
    const tables = await tablesInOrder(source.db)
    for (const table of tables) await requireEmpty(client, table)
    for (const table of tables) {
      console.log(`${await copy(source.db, client, table)} ${table}`)
    }
    await client.query('commit')
  } finally {
    await client.end()
    await source.close()
  }
  console.log('Everything is moved. Start with the same DATABASE_URL from now on.')
})

/** Every table, those that others refer to before those others. */
async function tablesInOrder(db: Database): Promise<string[]> {
  const waiting = await rows<{ name: string; needs: string[] }>(
    db,
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

async function requireEmpty(client: pg.Client, table: string): Promise<void> {
  const { rowCount } = await client.query(`select from ${client.escapeIdentifier(table)} limit 1`)
  if (!rowCount) return
  throw new Error(
    `${table} at DATABASE_URL is not empty; nothing was moved. Name a new, empty database.`,
  )
}

async function copy(db: Database, client: pg.Client, table: string): Promise<number> {
  const name = client.escapeIdentifier(table)
  let count = 0
  let after = '(0,0)'
  for (;;) {
    const batch = await rows<{ at: string; row: unknown }>(
      db,
      sql`select t.ctid::text as at, to_jsonb(t) as row from ${sql.identifier(table)} t
        where t.ctid > ${after}::tid order by t.ctid limit ${BATCH}`,
    )
    const last = batch.at(-1)
    if (!last) return count
    await client.query(
      `insert into ${name} select * from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      [JSON.stringify(batch.map(({ row }) => row))],
    )
    count += batch.length
    after = last.at
  }
}
