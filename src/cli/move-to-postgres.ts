import { join, resolve } from 'node:path'
import pg from 'pg'
import { readArguments } from '#cli/arguments.ts'
import { withCount } from '#cli/progress.ts'
import { countRows, readBatch, tablesInOrder } from '#cli/store/move.ts'
import { existingDatabase, readEnvironment, run } from '#host/environment.ts'
import { readDatabaseConfig } from '#server/config.ts'
import type { Database } from '#server/db/drizzle.ts'
import { openEmbedded } from '#server/db/embedded/embedded.ts'
import { direct, migrateRemote } from '#server/db/migrate.ts'

/** Tables that migrations fill. Staff change them, so they are as new where there are no accounts. */
const seeded = ['templates']

/** Moves everything from the embedded database to the empty one at `DATABASE_URL`. */

await run(async () => {
  readArguments('npm run move-to-postgres')
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
    for (const table of tables) if (!seeded.includes(table)) await requireEmpty(client, table)
    for (const table of seeded) await client.query(`delete from ${client.escapeIdentifier(table)}`)
    for (const table of tables) {
      const total = await countRows(source.db, table)
      await withCount({ what: table, total }, (advance) => copy(source.db, client, table, advance))
      console.log(`${total} ${table}`)
    }
    await client.query('commit')
  } finally {
    await client.end()
    await source.close()
  }
  console.log('Everything is moved. Start with the same DATABASE_URL from now on.')
})

async function requireEmpty(client: pg.Client, table: string): Promise<void> {
  const { rowCount } = await client.query(`select from ${client.escapeIdentifier(table)} limit 1`)
  if (!rowCount) return
  throw new Error(
    `${table} at DATABASE_URL is not empty; nothing was moved. Name a new, empty database.`,
  )
}

async function copy(
  db: Database,
  client: pg.Client,
  table: string,
  onCopied: (count: number) => void,
): Promise<void> {
  const name = client.escapeIdentifier(table)
  let after = '(0,0)'
  for (;;) {
    const batch = await readBatch(db, table, after)
    const last = batch.at(-1)
    if (!last) return
    await client.query(
      `insert into ${name} select * from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      [JSON.stringify(batch.map(({ row }) => row))],
    )
    onCopied(batch.length)
    after = last.at
  }
}
