import type { Offer } from '#contract/offers/offer.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { iso, jsonObject } from '#server/db/json.ts'
import { consultations } from '#server/db/schema/consultations.ts'
import { offers } from '#server/db/schema/offers.ts'

/** Offers as other parts of the server read them: on their record, in its export, at an undo. */

/** The last day is over in UTC. */
export const isExpired: SQL = sql.raw(`(o.valid_until < (now() at time zone 'UTC')::date)`)

/** The state of the offer `o`; that it has expired is not stored. */
export const offerState: SQL = sql`case when o.state = 'sent' and ${isExpired} then 'expired' else o.state end`

/** The offers `o` that lists and figures show: of the inbox, and those kept of an erased sender. */
export const shownOffers: SQL = sql`${offers} o
  left join ${consultations} r on r.id = o.record_id where coalesce(r.box, 'inbox') = 'inbox'`

/** True if the offer `o` was sent since a moment, and neither replaced nor taken back. */
export const isSentSince = (since: SQL): SQL =>
  sql`o.sent_at >= ${since} and o.state not in ('draft', 'recalled', 'replaced')`

export const hasAccepted = (record: SQL): SQL =>
  sql`exists (select from ${offers} o where o.record_id = ${record} and o.state = 'accepted')`

/** The offer `o` as staff get it. */
export const offerJson: SQL<Offer> = sql`${jsonObject({
  _id: sql`o.id`,
  record: sql`json_build_object('kind', 'consultations', '_id', o.record_id)`,
  version: sql`o.version`,
  title: sql`o.title`,
  text: sql`o.text`,
  lines: sql`o.lines`,
  totals: sql`(
    select json_build_object('once', coalesce(sum(l.amount) filter (where l.per = 'once'), 0),
      'month', coalesce(sum(l.amount) filter (where l.per = 'month'), 0))
    from jsonb_to_recordset(o.lines) as l (amount bigint, per text)
  )`,
  currency: sql`o.currency`,
  startsOn: sql`o.starts_on`,
  validUntil: sql`o.valid_until`,
  terms: sql`o.terms`,
  state: offerState,
  hash: sql`o.hash`,
  // A recalled offer has never left.
  sentAt: sql`case when o.state <> 'recalled' then ${iso(sql`o.sent_at`)} end`,
  answeredAt: iso(sql`o.answered_at`),
  by: sql`o.by`,
  answer: sql`case when o.answered_at is not null
    then json_build_object('name', o.answer_name, 'text', o.answer_text) end`,
})}`

/** Leaves room for the rest of an answer about one record, which has 1 MiB. */
const BYTES_OF_RECORD = 500_000

/** The newest offers of the consultation `r`, oldest first. */
export const offersOfRecord: SQL<Offer[]> = sql`(
  select coalesce(json_agg(l.offer order by l.id), '[]') from (
    select x.*, sum(octet_length(x.offer::text)) over (order by x.id desc) as bytes
    from (select o.id, ${offerJson} as offer from ${offers} o where o.record_id = r.id) as x
  ) as l
  where l.bytes <= ${BYTES_OF_RECORD}::int
)`

/**
 * Steps that take back the offers which messages were to bring, and give what nothing else has replaced its state again.
 *
 * @param messages a query of `event_id`
 */
export const offersRecalled = (messages: SQL): SQL => sql`
  offers_recalled as (
    update ${offers} o set state = 'recalled', version = o.version + 1
    where o.event_id in (${messages}) and o.state in ('sent', 'replaced') returning o.id, o.replaces_id
  ),
  offers_back as (
    update ${offers} o set state = 'sent', version = o.version + 1
    where o.id in (select replaces_id from offers_recalled) and o.state = 'replaced'
      and o.id not in (select id from offers_recalled)
      and not exists (
        select from ${offers} x where x.record_id = o.record_id and x.replaces_id = o.id
          and x.state in ('sent', 'accepted', 'declined', 'replaced')
          -- This statement still sees what it recalls as it was.
          and x.id not in (select id from offers_recalled)
      )
  )`

/** The offer `o` as exports hold it: of a yes also the keyed hash of the IP. */
export const heldOffer: SQL = sql`((${offerJson})::jsonb || jsonb_build_object('ipHash', o.answer_ip))`
