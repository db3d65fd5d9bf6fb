import type { KindPath, WaitingFor } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { OfferState } from '#contract/offers/offer.ts'
import type { SenderRecord } from '#contract/sender.ts'
import {
  type Appointment,
  appointment as appointmentSchema,
  type StaffAppointment,
} from '#contract/times/appointment.ts'
import { and, type Database, eq, isNull, type SQL, sql } from '#server/db/drizzle.ts'
import { iso } from '#server/db/json.ts'
import { rows, runOne } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { offers } from '#server/db/schema/offers.ts'
import { recordLinks } from '#server/db/schema/record-links.ts'
import type { Fields, Kind } from '#server/kinds/kind.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { isMessage } from '#server/kinds/store/activity.ts'
import { hasAccepted, offerState } from '#server/kinds/store/offers.ts'
import { expirySql, recordJson } from '#server/kinds/store/record.ts'
import { hashTokenSecret } from '#server/secrets/token-secret.ts'

/** A record as its sender's page needs it. Times are ISO 8601. */
export interface Found {
  kind: Kind
  id: string
  box: 'inbox' | 'spam'
  fields: Fields
  /** Words in place of a field's value, such as the label that the record keeps of its choice. */
  shown?: ReturnType<NonNullable<Kind['shown']>>
  /** As staff set it. */
  status: string
  /** The time at which staff set the status; null for the first. */
  statusAt: string | null
  createdAt: string
  /** The last promised time, also where it was kept. */
  promisedAt: string | null
  waitingFor: WaitingFor | null
  seenAt: string | null
  withdrawnAt: string | null
  consentAt: string | null
  timeZone: string | null
  /** The time of its erasure by the retention rules. */
  expiresAt: string | null
  /** The same whatever the status: a decision shortens it. */
  expiresUndecidedAt: string | null
  messages: SenderRecord['messages']
  /** Consultations only: the last one. */
  appointment: Appointment | null
  /** Consultations only: whether times to choose from have been sent. */
  hasTimes: boolean
  /** Consultations only: whether an accepted offer outlives the sender's erasure. */
  keepsAccepted: boolean
  /** Consultations only: the offers that have left, in the order in which they were sent. */
  offers: { id: string; title: string; state: OfferState }[]
  /** The entry before which older messages end; null where there are none. */
  older: string | null
  /** True where a mail that confirms it has gone to its present address and has not come back. */
  isConfirmed: boolean
  /** The time of the last message of staff that has left. */
  lastWrittenAt: string | null
}

export type Linked = Pick<Found, 'kind' | 'id'>

const TOKEN = /^[\w-]{22,64}$/

/** The record whose page the token opens; undefined for a token that is unknown or has ended. */
export const findLinked = async (db: Database, token: string): Promise<Linked | undefined> => {
  if (!TOKEN.test(token)) return undefined
  const { recordKind, recordId, tokenHash, endedAt } = recordLinks
  const link = await runOne(
    db
      .select({ kind: recordKind, id: recordId })
      .from(recordLinks)
      .where(and(eq(tokenHash, hashTokenSecret(token)), isNull(endedAt))),
  )
  return link && { kind: kindByPath[link.kind as KindPath], id: link.id }
}

/** As long as the undo of a message recalls its mail `m`, also after its time has come. */
export const isWaiting = sql.raw(
  `(m.status = 'waiting' and m.attempts = 0 and m.leased_until is null)`,
)

/** True if the message `e` has left: until then staff may recall it. */
export const hasLeft = sql`not exists (
  select from ${mail} m where m.event_id = e.id and (m.status in ('held', 'recalled') or ${isWaiting})
)`

/** The state of the record `r` before a message that has not left yet; null if there is none. */
const beforeMessage = (kind: Kind): SQL => sql`(
  select json_build_object('waitingFor', e.before->>'waiting_for', 'setStatus', s.id is not null,
    'status', s.before->>'status', 'statusAt', s.before->>'acted_at')
  from ${events} e left join ${events} s
    on s.change_id = e.change_id and s.target_id = e.target_id and s.kind = 'status'
  where e.target_kind = ${kind.path} and e.target_id = r.id and ${isMessage}
    and exists (select from ${mail} m where m.event_id = e.id and ${isWaiting})
  order by e.id limit 1
)`

type Before = Pick<Found, 'waitingFor' | 'status' | 'statusAt'> & { setStatus: boolean }

/** A message of staff, and the changes made with it, show from the moment that it leaves. */
const asBefore = (found: Found, before: Before | null): Found => {
  if (!before) return found
  const { waitingFor, setStatus, status, statusAt } = before
  return {
    ...found,
    // A reply that came since then owes an answer by itself.
    waitingFor: found.waitingFor === 'us' ? 'us' : waitingFor,
    ...(setStatus ? { status, statusAt, expiresAt: found.expiresUndecidedAt } : {}),
  }
}

/** The conversation of the record `r`: without mail from other addresses and automatic mail. */
export const conversation = (kind: Kind): SQL => sql`
  select e.at, case when ${isMessage} then 'us' else 'you' end as from_whom, e.text, e.id, e.after->>'sentAs' as name
  from ${events} e
  where e.target_kind = ${kind.path} and e.target_id = r.id and (
    (${isMessage} and ${hasLeft}) or (e.kind = 'reply' and not jsonb_exists(e.after, 'from'))
  )`

export const messageJson = sql`json_build_object('at', ${iso(sql`c.at`)}, 'from', c.from_whom, 'text', c.text, 'name', c.name)`

export const offersThatLeft = sql`${offers} o join ${events} e on e.id = o.event_id
  where o.record_id = r.id and o.state not in ('draft', 'recalled') and ${hasLeft}`

const talks = sql`
  r.keep and ${hasAccepted(sql`r.id`)} as "keepsAccepted",
  exists (
    select from ${events} e where e.target_kind = 'consultations' and e.target_id = r.id
      and e.kind = 'times' and ${hasLeft}
  ) as "hasTimes",
  (
    select coalesce(json_agg(json_build_object('id', o.id, 'title', o.title, 'state', ${offerState}) order by o.sent_at), '[]')
    from ${offersThatLeft}
  ) as offers`

/** The appointment as the sender sees it: named fields alone, so that none that staff get later comes along. */
export const seenBySender = (found: Appointment): Appointment => appointmentSchema.parse(found)

/** The newest messages, or those before an entry: `messages` and `older`. */
const messagePage = (kind: Kind, before: string | null): SQL => sql`(
  select json_build_object(
    'messages', coalesce(
      json_agg(${messageJson} order by c.nth desc) filter (where c.is_shown), '[]'
    ),
    'older', case when bool_or(not c.is_shown)
      then (array_agg(c.id order by c.nth desc) filter (where c.is_shown))[1] end
  )
  from (
    select c.*, c.nth <= ${limits.activity.page}::int
      and (c.nth = 1 or c.bytes <= ${limits.activity.bytes}::int) as is_shown
    from (
      select c.*, row_number() over newest as nth, sum(octet_length(to_json(c.text)::text)) over newest as bytes
      from (
        select * from (${conversation(kind)}) as c
        where ${before}::uuid is null
          or (c.at, c.id) < (select b.at, b.id from ${events} b where b.id = ${before}::uuid)
        order by c.at desc, c.id desc limit ${limits.activity.page + 1}::int
      ) as c
      window newest as (order by c.at desc, c.id desc)
    ) as c
  ) as c
)`

/** The record as its sender sees it; undefined if it is in the trash or gone. */
export const readRecord = async (
  db: Database,
  { kind, id }: Linked,
  { before: end = null }: { before?: string | null | undefined } = {},
): Promise<Found | undefined> => {
  type Page = Pick<Found, 'messages' | 'older'>
  type Row = Omit<Found, 'kind' | 'id' | 'fields' | 'appointment' | keyof Page> & {
    record: Fields & { appointment?: StaffAppointment | null }
    before: Before | null
    page: Page
  }
  const [found] = await rows<Row>(
    db,
    sql`select ${recordJson(kind)} as record, r.box, r.status,
        ${iso(sql`r.acted_at`)} as "statusAt", ${iso(sql`r.created_at`)} as "createdAt",
        ${iso(sql`r.due_at`)} as "promisedAt", r.waiting_for as "waitingFor",
        ${iso(sql`r.seen_at`)} as "seenAt", ${iso(sql`r.withdrawn_at`)} as "withdrawnAt",
        ${iso(sql`r.consent_at`)} as "consentAt", r.source->>'timeZone' as "timeZone",
        ${iso(expirySql(kind))} as "expiresAt",
        ${iso(expirySql(kind, { isToldStatus: false }))} as "expiresUndecidedAt",
        (
          select ${iso(sql`max(c.at)`)} from (${conversation(kind)}) as c where c.from_whom = 'us'
        ) as "lastWrittenAt",
        exists (
          select from ${mail} m
          where m.record_kind = ${kind.path} and m.record_id = r.id and m.kind = 'acknowledgement'
            and m.status = 'sent' and m.delivery is distinct from 'bounced' and m.recipient = r.email
        ) as "isConfirmed",
        ${messagePage(kind, end)} as page, ${beforeMessage(kind)} as before,
        ${kind.path === 'consultations' ? talks : sql`false as "keepsAccepted", false as "hasTimes", '[]'::json as offers`}
      from ${kind.table} r where r.id = ${id}::uuid and r.box <> 'trash'`,
  )
  if (!found) return undefined
  const { record, before, page, ...others } = found
  const fields = Object.fromEntries(kind.fields.map((name) => [name, record[name] ?? null]))
  const { appointment } = record
  const seen = appointment ? seenBySender(appointment) : null
  const shown = kind.shown?.(record as Fields)
  return asBefore(
    { kind, id, fields, ...(shown && { shown }), ...others, ...page, appointment: seen },
    before,
  )
}
