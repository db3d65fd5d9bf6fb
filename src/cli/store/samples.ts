import { sampleRecord } from '#cli/sample-records.ts'
import { limits } from '#contract/limits.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { accountCreated, recordEvent, recordEventOf } from '#server/db/events/record-event.ts'
import type { PgColumn } from '#server/db/pg-core.ts'
import { anyRow } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { derived, type Kind } from '#server/kinds/kind.ts'
import { columnOf } from '#server/kinds/store/record.ts'

const BATCH = 1_000

/**
 * Adds artificial records in whole batches, each with what happened to it, in one statement a batch.
 * Calls `onAdded` with the size of each.
 */
export async function addRecords(
  db: Database,
  kind: Kind,
  count: number,
  onAdded: (count: number) => void = () => {},
): Promise<void> {
  const names = [...kind.fields, 'status', 'actedBy', 'source', 'search', 'textHash']
  const own = names.map((name) => columnOf(kind, name))
  const typed = own.map((column) => sql`${identifier(column)} ${sql.raw(column.getSQLType())}`)
  const list = sql.join(own.map(identifier), sql`, `)
  const arrived = sql`now() - make_interval(secs => given.age)`

  const due =
    kind.promisedIn === null
      ? sql`null::timestamptz`
      : sql`${arrived} + ${sql.raw(`interval '${limits.promiseHours} hours'`)}`

  const isFinal = sql`given.status = any(${sql.param(kind.finalStatuses)}::text[])`
  // Old decisions count as told.
  const waiting = sql`case when handled_after is null then 'us' when ${isFinal} then null
    else ${kind.owesDecision ? 'us' : 'them'} end`

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
        insert into ${kind.table} (${list}, created_at, updated_at, acted_at, version, waiting_for, due_at, answered_at, heard_at)
        select ${list}, ${arrived}, ${arrived} + make_interval(secs => coalesce(handled_after, 0)),
          ${arrived} + make_interval(secs => handled_after),
          case when handled_after is null then 1 else 2 end,
          ${waiting}, ${due},
          case when ${waiting} is distinct from 'us' then ${arrived} + make_interval(secs => handled_after) end, ${arrived}
        from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb)
          as given(${sql.join(typed, sql`, `)}, age double precision, handled_after double precision)
        returning id, status, acted_by, acted_at, created_at, version, waiting_for, answered_at
      ),
      arrival as (
        ${recordEventOf('record', {
          at: sql`created_at`,
          kind: 'created',
          targetKind: kind.path,
          version: sql`1`,
        })}
      )
      ${recordEvent({
        from: sql`record where acted_by is not null`,
        at: sql`acted_at`,
        by: {
          id: sql`select u.id from ${users} u where u.username = acted_by`,
          username: sql`acted_by`,
        },
        kind: 'status',
        targetKind: kind.path,
        targetId: sql`id`,
        fields: ['status'],
        before: sql`jsonb_build_object('status', ${kind.statuses[0]}::text, 'acted_by', null, 'acted_at', null,
          'waiting_for', 'us')`,
        after: sql`jsonb_build_object('status', status, 'acted_by', acted_by, 'acted_at', acted_at,
          'waiting_for', waiting_for, 'answered_at', answered_at)`,
        version: sql`version`,
      })}`)
    onAdded(batch.length)
  }
}

function identifier(column: PgColumn): SQL {
  return sql`${sql.identifier(column.name)}`
}

/** `hash` is the password's, `days` the account's age. */
type Account = Pick<typeof users.$inferSelect, 'username' | 'email' | 'role'> & {
  hash: string
  days: number
}

/** Adds an artificial account; false where there is one of its name or e-mail address. */
export async function addAccount(db: Database, { username, email, hash, role, days }: Account) {
  return anyRow(
    db,
    sql`with
        created as (
          insert into ${users} (username, email, password_hash, role, created_at)
          values (${username}, ${email}, ${hash}, ${role}, now() - make_interval(days => ${days}))
          on conflict do nothing returning id, username, role
        ),
        event as (${accountCreated({ via: 'command' })})
        select id from created`,
  )
}
