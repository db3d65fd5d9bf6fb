import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { readEnvironment, run } from '#host/environment.ts'
import { log } from '#host/log.ts'
import { prepareUsers } from '#host/prepare-users.ts'
import { sampleRecord } from '#host/sample-records.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import type { Database } from '#server/db/database.ts'
import { requireMigrated } from '#server/db/migrate.ts'
import { rows } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'
import { users } from '#server/db/schema/users.ts'
import { tidy } from '#server/db/tidy.ts'
import { derived, type Kind } from '#server/kinds/kind.ts'
import { kindOf, kinds } from '#server/kinds/kinds.ts'
import { hashPassword } from '#server/password/hash.ts'
import { passwordFault } from '#server/password/rules.ts'

const BATCH = 1_000
const USUAL = 25

/** The staff of a small agency; each came a day before the one named earlier. */
const staff = [
  { username: 'sample-admin', role: 'admin' },
  { username: 'sample-admin-2', role: 'admin' },
  { username: 'sample-editor', role: 'editor' },
  { username: 'sample-reviewer', role: 'reviewer' },
] as const

await run(async () => {
  const counts = readCounts(process.argv.slice(2))
  const config = readConfig(readEnvironment(), { passwordRule: passwordFault })
  const connection = await connect(config)
  try {
    await requireMigrated(connection)
    // Before the sample staff: the first superuser is made only while there is nobody.
    await prepareUsers({ config, db: connection.db, log })
    await addStaff(connection.db)
    for (const [kind, count] of counts) {
      await addRecords(connection.db, kind, count)
      console.log(`${count} sample ${kind.path}`)
    }
    await tidy(connection.db)
  } finally {
    await connection.close()
  }
})

function readCounts(args: string[]): [Kind, number][] {
  const { values } = parseArgs({
    args,
    options: {
      consultations: { type: 'string' },
      applications: { type: 'string' },
      contacts: { type: 'string' },
    },
  })
  return kinds.map(({ path }) => {
    const text = values[path] ?? String(USUAL)
    if (!/^\d{1,7}$/.test(text)) throw new Error(`--${path} takes a number of records`)
    return [kindOf[path], Number(text)]
  })
}

async function addStaff(db: Database): Promise<void> {
  for (const [days, { username, role }] of staff.entries()) {
    const password = randomBytes(12).toString('base64url')
    const email = `${username}@staff.example`
    const hash = await hashPassword(password)
    const added = await rows(
      db,
      sql`insert into ${users} (username, email, password_hash, role, created_at)
        values (${username}, ${email}, ${hash}, ${role}, now() - make_interval(days => ${days}))
        on conflict do nothing returning id`,
    )
    if (added.length > 0) console.log(`${role.padEnd(8)} ${email}  password: ${password}`)
  }
}

/** Whole batches in one statement each: the records, and what happened to them. */
async function addRecords(db: Database, kind: Kind, count: number): Promise<void> {
  const columns = getTableColumns(kind.table) as Record<string, PgColumn>
  const names = [...kind.fields, 'status', 'actedBy', 'source', 'search', 'textHash']
  const own = names.map((name) => columns[name] as PgColumn)
  const typed = own.map((column) => sql`${identifier(column)} ${sql.raw(column.getSQLType())}`)
  const list = sql.join(own.map(identifier), sql`, `)
  const arrived = sql`now() - make_interval(secs => given.age)`

  for (let start = 0; start < count; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - start) }, (_, offset) => {
      const sample = sampleRecord(kind.path, start + offset, count)
      const status = kind.statuses[Math.min(sample.statusIndex, kind.statuses.length - 1)]
      const record: Record<string, unknown> = {
        ...sample.fields,
        ...derived(kind, sample.fields),
        status,
        actedBy: sample.handledAfter === null ? null : 'sample-editor',
        source: sample.source,
      }
      return {
        ...Object.fromEntries(names.map((name, at) => [own[at]?.name, record[name] ?? null])),
        age: sample.age,
        handled_after: sample.handledAfter,
      }
    })
    await db.execute(sql`
      with record as (
        insert into ${kind.table} (${list}, created_at, updated_at, acted_at, version)
        select ${list}, ${arrived}, ${arrived} + make_interval(secs => coalesce(handled_after, 0)),
          ${arrived} + make_interval(secs => handled_after),
          case when handled_after is null then 1 else 2 end
        from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb)
          as given(${sql.join(typed, sql`, `)}, age double precision, handled_after double precision)
        returning id, status, acted_by, acted_at, created_at, version
      )
      insert into ${events} (change_id, at, by, kind, target_kind, target_id, fields, before, after, version)
      select uuid_v7(), created_at, null, 'created', ${kind.path}, id, '{}'::text[], null, null, 1
      from record
      union all
      select uuid_v7(), acted_at, acted_by, 'status', ${kind.path}, id, array['status'],
        jsonb_build_object('status', ${kind.statuses[0]}::text, 'acted_by', null, 'acted_at', null),
        jsonb_build_object('status', status, 'acted_by', acted_by, 'acted_at', acted_at),
        version
      from record where acted_by is not null`)
  }
}

function identifier(column: PgColumn): SQL {
  return sql`${sql.identifier(column.name)}`
}
