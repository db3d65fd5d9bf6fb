import type { AuditEntry, EventKind, EventTarget } from '#contract/audit.ts'
import { type Database, getTableColumns, type SQL, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'

/** An event to write. Values may come from the statement that it is part of. */
export interface NewEvent {
  /** Rows that have an event each; one event is written where they are left out. */
  from?: SQL
  kind: EventKind | SQL
  /** An account of the staff; left out for what a visitor or the program did. */
  by?:
    | { id: string | SQL; username: string | SQL; token?: { name: string } | null | undefined }
    | undefined
  /** The cause of an action by the program. */
  via?: AuditEntry['via']
  targetKind?: EventTarget
  targetId?: SQL
  fields?: readonly string[] | SQL
  details?: SQL
  before?: SQL
  after?: SQL
  text?: string | SQL | undefined
  version?: SQL
  /** Shared by the events of one change; each event has its own when left out. */
  changeId?: SQL
  /** The time of the statement when left out. */
  at?: SQL
}

const asText = (value: string | SQL | undefined): SQL | undefined =>
  value === undefined ? undefined : sql`(${value})::text`

const asTextArray = (values: NewEvent['fields']): SQL | undefined =>
  Array.isArray(values) ? sql`${`{${values.join(',')}}`}::text[]` : values && sql`${values}`

/** The audit log names the token beside the person whose it is. */
const withToken = ({ by, details }: NewEvent): SQL | undefined =>
  by?.token
    ? sql`coalesce(${details ?? sql`null`}::jsonb, '{}') || ${JSON.stringify({ token: by.token.name })}::jsonb`
    : details

/**
 * The `insert` that writes events. It is a step of the statement that makes the change, so that no change
 * goes without its event.
 */
export const recordEvent = (event: NewEvent): SQL => {
  const {
    from,
    kind,
    by,
    via,
    targetKind,
    fields,
    text,
    changeId = sql`uuid_v7()`,
    ...others
  } = event
  const values: { [Name in keyof typeof events.$inferInsert]?: SQL | undefined } = {
    ...others,
    details: withToken(event),
    changeId,
    byId: by && sql`(${by.id})::uuid`,
    by: asText(by?.username),
    via: asText(via),
    kind: asText(kind),
    targetKind: asText(targetKind),
    fields: asTextArray(fields),
    text: asText(text),
  }
  const given = Object.entries(getTableColumns(events)).flatMap(([name, column]) => {
    const value = values[name as keyof typeof values]
    return value ? [{ name: sql.identifier(column.name), value }] : []
  })
  const list = (parts: SQL[]): SQL => sql.join(parts, sql`, `)
  return sql`insert into ${events} (${list(given.map(({ name }) => sql`${name}`))})
    select ${list(given.map(({ value }) => value))}${from ? sql` from ${from}` : sql``}`
}

/** The `insert` that writes an event of each row of a step; the row's id is the target. */
export const recordEventOf = (step: string, event: Omit<NewEvent, 'from' | 'targetId'>): SQL =>
  recordEvent({ from: sql.raw(step), targetId: sql.raw(`${step}.id`), ...event })

/** The lowest id that can have been written within these seconds: ids begin with their time. */
export const idSince = (seconds: number): SQL => sql`
  (lpad(to_hex((extract(epoch from now() - make_interval(secs => ${seconds}::int)) * 1000)::bigint), 12, '0')
    || repeat('0', 20))::uuid`

/** Puts into the audit log what the program did by itself, with how many there were of each kind. */
export const recordProgramEvent = (
  db: Database,
  { via, kind, counts }: Required<Pick<AuditEntry, 'via' | 'counts'>> & { kind: EventKind },
): Promise<unknown> =>
  rows(db, recordEvent({ via, kind, details: sql`${JSON.stringify({ counts })}::jsonb` }))

/** Username and role as [from, to] where they differ, of two rows by alias; one may be left out. */
export const accountDetails = ({ from, to }: { from?: string; to?: string }): SQL => {
  const value = (alias: string | undefined, column: string) =>
    alias === undefined ? 'null::text' : `${alias}.${column}`
  const pair = (column: string) =>
    `case when ${value(from, column)} is distinct from ${value(to, column)}
      then jsonb_build_array(${value(from, column)}, ${value(to, column)}) end`
  return sql.raw(
    `jsonb_build_object('changes', jsonb_strip_nulls(
      jsonb_build_object('username', ${pair('username')}, 'role', ${pair('role')})
    ))`,
  )
}

/** Logs a new account: the row of the CTE `alias`. */
export const accountCreated = (actor: Partial<Pick<NewEvent, 'by' | 'via'>>, alias = 'created') =>
  recordEventOf(alias, {
    ...actor,
    kind: 'user.create',
    targetKind: 'users',
    fields: ['username', 'email', 'role', 'password'],
    details: accountDetails({ to: alias }),
  })
