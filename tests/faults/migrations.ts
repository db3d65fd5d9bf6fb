import { sql } from '#server/db/drizzle.ts'
import { migrateRemote, requireMigrated } from '#server/db/migrate.ts'
import { connectRemote } from '#server/db/remote.ts'
import { launch, outcome } from '#tests/launch.ts'
import type { Fault } from './fault.ts'
import { startTcpProxy } from './tcp-proxy.ts'

/** How many messages later each migration is interrupted than the one before. */
const STRIDE = 11

/** A migration that is interrupted at any point, and two that run at the same time. */
export const migrations: Fault = {
  name: 'migrations',
  promise: 'a migration that is broken off anywhere is taken up by the next, or by two at once',
  isQuick: true,
  async run(promise, { newDatabase }) {
    const [broken, untouched] = [await newDatabase('blank'), await newDatabase('blank')]
    const proxy = await startTcpProxy(Number(new URL(broken).port))
    const through = new URL(broken)
    through.port = String(proxy.port)
    let cuts = 0
    try {
      for (let answers = 0; ; answers += STRIDE) {
        proxy.answers = answers
        const end = await migrateRemote({ kind: 'pg', url: through.href }).then(
          () => 'done',
          () => 'cut off',
        )
        if (end === 'done') break
        cuts += 1
        if (answers > 500) throw new Error('It never comes to its end')
      }
    } finally {
      proxy.close()
    }
    promise('it was cut off on its way and came to its end', cuts > 10, cuts)
    const env = { DATABASE_URL: untouched }
    const twice = await Promise.all([
      outcome(launch('db-migrate', [], env)),
      outcome(launch('db-migrate', [], env)),
    ])
    promise(
      'two processes at once both succeed',
      twice.every(({ code }) => code === 0),
      twice,
    )
    const [one, other] = await Promise.all([broken, untouched].map(shapeOf))
    promise('both databases end up alike', one === other)
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
