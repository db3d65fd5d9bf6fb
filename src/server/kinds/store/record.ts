import * as z from 'zod/mini'
import type { AnyKind } from '#contract/kinds.ts'
import { housekeeping, type Span, submissions } from '#contract/privacy/rules.ts'
import type { StaffAppointment } from '#contract/times/appointment.ts'
import { getTableColumns, type SQL, sql } from '#server/db/drizzle.ts'
import { iso, jsonObject } from '#server/db/json.ts'
import type { PgColumn } from '#server/db/pg-core.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { appointments } from '#server/db/schema/appointments.ts'
import { events } from '#server/db/schema/events.ts'
import { groupOf, isOwed } from '#server/db/schema/records.ts'
import type { Fields, Kind } from '../kind.ts'
import { kinds, shownKinds } from '../kinds.ts'
import { isRecalled } from './activity.ts'

export const columnOf = ({ path, table }: Kind, name: string): PgColumn => {
  const column = (getTableColumns(table) as Record<string, PgColumn>)[name]
  if (!column) throw new Error(`${path} has no column for ${name}`)
  return column
}

export const interval = (span: Span): SQL =>
  sql.raw('months' in span ? `interval '${span.months} months'` : `interval '${span.days} days'`)

/** The statuses after which a record is erased sooner, each with its span. */
const decidedSpans = (kind: Kind): [status: SQL, span: Span][] => {
  const rules = submissions[kind.path]
  const spans: Readonly<Record<string, Span>> = 'keepDecided' in rules ? rules.keepDecided : {}
  return Object.entries(spans).map(([status, span]) => [sql.raw(`'${status}'`), span])
}

/**
 * The time at which the retention rules erase the record `r`; null if staff chose to keep it. What staff threw
 * away goes from the trash in any case.
 *
 * @param isToldStatus false leaves the status out, which its sender may not know yet
 */
export const expirySql = (kind: Kind, { isToldStatus = true } = {}): SQL => {
  const rules = submissions[kind.path]
  const lifetime = sql`r.created_at + ${interval(rules.keep)}`
  const decided = (isToldStatus ? decidedSpans(kind) : []).map(
    ([status, span]) =>
      sql`, case when r.status = ${status} then r.acted_at + ${interval(span)} end`,
  )
  const untouched = decided.length > 0 ? sql`least(${lifetime}${sql.join(decided)})` : lifetime
  return sql`case
    when r.box = 'trash' then r.trashed_at + ${interval(housekeeping.trash.keep)}
    when r.keep then null
    else ${untouched}
  end`
}

/** Adding months and taking them away differ by up to three days, at the ends of months. */
const MONTH_ENDS = sql.raw(`interval '3 days'`)

/**
 * True if the record `r` expires by then. `expirySql` decides; the plain conditions before it are
 * never narrower and let an index find the few rows that it has to judge.
 */
export const expiringBefore = (kind: Kind, then: SQL): SQL => {
  const rules = submissions[kind.path]
  const cutoff = (span: Span): SQL => sql`${then} - ${interval(span)} + ${MONTH_ENDS}`
  const candidates = [
    // Only what is in the trash has a time at which it was thrown away.
    sql`r.trashed_at <= ${cutoff(housekeeping.trash.keep)}`,
    sql`r.box in ('inbox', 'spam') and r.created_at <= ${cutoff(rules.keep)}`,
    ...decidedSpans(kind).map(
      ([status, span]) => sql`r.status = ${status} and r.acted_at <= ${cutoff(span)}`,
    ),
  ]
  return sql`(${sql.join(
    candidates.map((candidate) => sql`(${candidate})`),
    sql` or `,
  )}) and ${expirySql(kind)} <= ${then}`
}

export const fieldColumn = (kind: Kind, field: string): SQL =>
  sql`r.${sql.identifier(columnOf(kind, field).name)}`

/** The columns of the row `r` that say what is owed. */
export const row = {
  waitingFor: sql`r.waiting_for`,
  withdrawnAt: sql`r.withdrawn_at`,
  dueAt: sql`r.due_at`,
  snoozedUntil: sql`r.snoozed_until`,
  createdAt: sql`r.created_at`,
}

/** The origin of the record `r`: a campaign's own name first, else the referring page's host, or an app's name. */
export const recordOrigin: SQL = sql.raw(`coalesce(
  nullif(r.source->>'utm_source', ''),
  lower(substring(r.source->>'referrer' from '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([[][^]/?#]*[]]|[^/:?#]+)')),
  'direct')`)

/** True if the decision on the row `r` waits for the message that tells it. */
const isUntold = (kind: Kind): SQL => sql`(
  r.waiting_for is not distinct from 'us' and r.withdrawn_at is null and r.status = any(${sql.param(kind.finalStatuses)}::text[])
  and not exists (
    select from ${events} e
    where e.target_kind = ${kind.path} and e.target_id = r.id and e.kind = 'message' and e.at >= r.acted_at
      and not ${isRecalled}
  )
)`

const ownColumns = (kind: Kind): Record<string, SQL> =>
  Object.fromEntries(kind.fields.map((field) => [field, fieldColumn(kind, field)]))

/** The label that the record keeps; without one the present label, and for a removed choice its id. */
const labelColumn = ({ choice }: Kind): Record<string, SQL> => {
  if (!choice) return {}
  const chosen = sql`r.${sql.identifier(choice.field)}`
  const present = Object.fromEntries(choice.ids().map((id) => [id, choice.label(id)]))
  return {
    [`${choice.field}Label`]: sql`coalesce(
      r.${sql.identifier(`${choice.field}_label`)}, ${JSON.stringify(present)}::jsonb ->> ${chosen}, ${chosen})`,
  }
}

/** The fields of the row `r` that its kind alone has, as mails take them. */
export const fieldsJson = (kind: Kind): SQL<Fields> =>
  sql`${jsonObject({ ...ownColumns(kind), ...labelColumn(kind) })}`

/** The rows of `fieldsJson`: their values were checked as they came in. */
export const foundFields = z.custom<Fields>((value) => typeof value === 'object' && value !== null)

export const appointmentJson: SQL<StaffAppointment> = sql`${jsonObject({
  _id: sql`a.id`,
  start: iso(sql`a.start_at`),
  end: iso(sql`a.end_at`),
  place: sql`a.place`,
  state: sql`case when a.state = 'cancelled' then 'cancelled' else 'booked' end`,
  answer: sql`a.answer`,
  host: sql`(select u.username from ${users} u where u.id = a.host_id)`,
})}`

const lastAppointment: SQL = sql`(
  select ${appointmentJson} from ${appointments} a where a.record_id = r.id order by a.id desc limit 1
)`

/** The row `r` as the JSON object that staff get, made by the database: the same in every answer. */
export const recordJson = (kind: Kind): SQL<z.output<AnyKind['record']>> => {
  const consent = sql`case when r.consent_at is not null then
    json_build_object('at', ${iso(sql`r.consent_at`)}, 'terms', r.consent_terms) end`
  return sql`${jsonObject({
    _id: sql`r.id`,
    ...ownColumns(kind),
    createdAt: iso(sql`r.created_at`),
    updatedAt: iso(sql`r.updated_at`),
    status: sql`r.status`,
    [kind.who]: sql`r.acted_by`,
    [kind.at]: iso(sql`r.acted_at`),
    assignee: sql`(select u.username from ${users} u where u.id = r.assignee_id)`,
    box: sql`r.box`,
    spam: sql`r.spam`,
    source: sql`r.source`,
    ...(kind.asksConsent ? { consent } : {}),
    ...labelColumn(kind),
    dueAt: sql`case when ${isOwed(row)} then ${iso(row.dueAt)} end`,
    group: groupOf(row),
    ...(kind.owesDecision ? { untold: isUntold(kind) } : {}),
    waitingFor: row.waitingFor,
    lastMessageAt: iso(sql`r.last_message_at`),
    snoozedUntil: iso(row.snoozedUntil),
    seenAt: iso(sql`r.seen_at`),
    withdrawnAt: iso(row.withdrawnAt),
    version: sql`r.version`,
    keep: sql`r.keep`,
    expiresAt: iso(expirySql(kind)),
    ...(kind.path === 'consultations' ? { appointment: lastAppointment } : {}),
  })}`
}

/**
 * The version that first had the row's present state. A change makes a new one; undo goes back to
 * the one before, so that earlier changes can be undone as well. An event knows the state before
 * and after it beside the columns.
 */
export const stateSql = (kind: Kind, row: SQL): SQL => sql`coalesce(
  (
    select max((e.after->>'state')::int) from ${events} e
    where e.target_kind = ${kind.path} and e.target_id = ${row}.id
      and e.version = ${row}.version and e.after is not null
  ),
  ${row}.version
)`

export const unionOfKinds = (part: (kind: Kind) => SQL, of: readonly Kind[] = kinds): SQL =>
  sql.join(of.map(part), sql` union all `)

export const unionOfShownKinds = (part: (kind: Kind) => SQL): SQL =>
  unionOfKinds(part, shownKinds())
