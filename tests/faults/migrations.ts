import { sql } from 'drizzle-orm'
import { requireMigrated } from '#server/db/migrate.ts'
import { connectRemote } from '#server/db/remote.ts'
import { end, launch, outcome } from '#tests/launch.ts'
import { startPostgres } from '#tests/postgres.ts'
import { type Fault, sleep } from './fault.ts'

/** Killed at these milliseconds after the start: before, amid and after the work. */
const moments = [300, 500, 650, 800, 1_000, 1_300]

/** A migration that is killed on its way, and one that runs twice at once. */
export const migrations: Fault = {
  name: 'migrations',
  async run(promise) {
    const postgres = await startPostgres()
    try {
      await postgres.createDatabase('killed')
      const env = { DATABASE_URL: postgres.url('killed') }
      for (const moment of moments) {
        const child = launch('db-migrate', [], env)
        await sleep(moment)
        await end(child, 'SIGKILL')
      }
      const [one, other] = await Promise.all([
        outcome(launch('db-migrate', [], env)),
        outcome(launch('db-migrate', [], env)),
      ])
      promise('after six kills two at once both succeed', one.code + other.code === 0, [one, other])

      await postgres.createDatabase('untouched')
      const calm = await outcome(
        launch('db-migrate', [], { DATABASE_URL: postgres.url('untouched') }),
      )
      promise('one alone succeeds', calm.code === 0, calm)
      const [killed, untouched] = await Promise.all(
        ['killed', 'untouched'].map((name) => shapeOf(postgres.url(name))),
      )
      promise('both databases end up alike', killed === untouched)
    } finally {
      await postgres.stop()
    }
  },
}

/** Every column of every table as text, once all migrations are known to be applied. */
async function shapeOf(url: string): Promise<string> {
  const connection = await connectRemote({ kind: 'pg', url })
  try {
    await requireMigrated(connection)
    const { rows } = (await connection.db.execute(sql`
      select string_agg(concat_ws(' ', table_name, column_name, data_type, column_default, is_nullable), E'\n'
        order by table_name, column_name) as columns,
        (select count(*) from drizzle.__drizzle_migrations) as migrations,
        (select string_agg(indexdef, E'\n' order by indexdef) from pg_indexes
          where schemaname = 'public') as indexes
      from information_schema.columns where table_schema = 'public'`)) as unknown as {
      rows: unknown[]
    }
    return JSON.stringify(rows)
  } finally {
    await connection.close()
  }
}
