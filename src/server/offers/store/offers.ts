import { firstMoment, momentAfter } from '#contract/fields.ts'
import { may } from '#contract/http/access.ts'
import type { QueryOf } from '#contract/http/endpoint.ts'
import type { Offer } from '#contract/offers/offer.ts'
import { type listOffers as listCall, type OfferTerms, offerBody } from '#contract/offers/offers.ts'
import type { Config } from '#server/config.ts'
import { and, type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEvent, recordEventOf } from '#server/db/events/record-event.ts'
import { oneValue, rows } from '#server/db/rows.ts'
import { consultations } from '#server/db/schema/consultations.ts'
import { mail } from '#server/db/schema/mail.ts'
import { offers } from '#server/db/schema/offers.ts'
import { owesAnswer } from '#server/db/schema/records.ts'
import { callIsAbout, writesAny, writeValue } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { periodStart } from '#server/kinds/store/groups.ts'
import {
  isExpired,
  isSentSince,
  offerJson,
  offerState,
  shownOffers,
} from '#server/kinds/store/offers.ts'
import { stateSql } from '#server/kinds/store/record.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import { recordRecipients } from '#server/mail-out/store/recipients.ts'
import { hasLeft } from '#server/status-page/store/find.ts'
import type { Answer } from '../render.ts'

const kind = kindByPath.consultations

const logged = (verb: 'draft' | 'update' | 'delete', fields: readonly string[], actor: Actor) =>
  recordEventOf('o', { by: actor, kind: `offer.${verb}`, targetKind: 'offers', fields })

const termNames = Object.keys(offerBody.shape) as (keyof OfferTerms)[]

const termColumn = (name: keyof OfferTerms): SQL => sql`${sql.identifier(offers[name].name)}`

const allTerms = sql.join(termNames.map(termColumn), sql`, `)

const columnValue = (name: keyof OfferTerms, value: unknown): SQL => {
  const given = name === 'lines' ? JSON.stringify(value) : (value ?? null)
  return sql`${given}::${sql.raw(offers[name].getSQLType())}`
}

/** Undefined where the consultation is not in the inbox. */
export const addDraft = (db: Database, recordId: string, given: OfferTerms, actor: Actor) =>
  writeValue<Offer>(
    db,
    sql`
      o as (
        insert into ${offers} (record_id, state, by, ${allTerms})
        select r.id, 'draft', ${actor.username}, ${sql.join(
          termNames.map((name) => columnValue(name, given[name])),
          sql`, `,
        )}
        from ${consultations} r where r.id = ${recordId}::uuid and r.box = 'inbox' for key share of r
        returning *
      ),
      logged as (${logged('draft', [], actor)})`,
    sql`select ${offerJson} as offer from o`,
  )

export const findOffer = (db: Database, id: string): Promise<Offer | undefined> =>
  oneValue(db, sql`select ${offerJson} from ${offers} o where o.id = ${id}::uuid`)

/** Compares the draft's version; any version matches if the caller names none. */
const isVersion = (version: number | undefined) =>
  sql`(${version ?? null}::bigint is null or o.version = ${version ?? null}::bigint)`

/** The draft, changed where something differs; undefined where it is none (any more) or has another version. */
export const changeDraft = (
  db: Database,
  id: string,
  given: { [Name in keyof OfferTerms]?: OfferTerms[Name] | null | undefined },
  { actor, version }: { actor: Actor; version: number | undefined },
): Promise<Offer | undefined> => {
  callIsAbout(db, sql`(select o.record_id from ${offers} o where o.id = ${id}::uuid)`)
  const names = termNames.filter((name) => given[name] !== undefined)
  return writeValue<Offer>(
    db,
    sql`
      stored as materialized (
        select * from ${offers} o
        where o.id = ${id}::uuid and o.state = 'draft' and ${isVersion(version)} for update
      ),
      o as (
        update ${offers} o set version = o.version + 1 ${sql.join(
          names.map((name) => sql`, ${termColumn(name)} = ${columnValue(name, given[name])}`),
        )}
        from stored s
        where o.id = s.id and (false ${sql.join(
          names.map(
            (name) =>
              sql` or s.${termColumn(name)} is distinct from ${columnValue(name, given[name])}`,
          ),
        )})
        returning o.*
      ),
      logged as (${logged('update', names, actor)})`,
    sql`select ${offerJson} as offer from o
      union all
      select ${offerJson} from stored o where not exists (select from o)`,
  )
}

/** True if it was there: a draft, or for a superuser the kept offer of an erased request. */
export const removeOffer = (
  db: Database,
  id: string,
  { actor, version }: { actor: Actor; version: number | undefined },
): Promise<boolean> =>
  writesAny(
    db,
    sql`
      o as (
        delete from ${offers} o where o.id = ${id}::uuid and (
          (o.state = 'draft' and ${isVersion(version)})
          or (${may(actor.role, 'privacy.manage')}::boolean and not exists (
            select from ${consultations} r where r.id = o.record_id
          ))
        )
        returning o.id
      ),
      logged as (${logged('delete', [], actor)})`,
    sql`select id from o`,
  )

/** A draft with the terms of an offer, which its sending ends; undefined for an unknown one. */
export const addReplacement = (db: Database, id: string, actor: Actor) =>
  writeValue<Offer>(
    db,
    sql`
      o as (
        insert into ${offers} (record_id, state, by, replaces_id, ${allTerms})
        select o.record_id, 'draft', ${actor.username}, o.id, ${sql.join(
          termNames.map((name) => sql`o.${termColumn(name)}`),
          sql`, `,
        )}
        from ${offers} o join ${consultations} r on r.id = o.record_id and r.box = 'inbox'
        where o.id = ${id}::uuid and o.state <> 'draft' for key share of r
        returning *
      ),
      logged as (${logged('draft', [], actor)})`,
    sql`select ${offerJson} as offer from o`,
  )

/**
 * Steps of the statement that writes the message: the draft is sent with it, and ends the open one of
 * the offers that it is connected to by replacements. What was changed meanwhile is not sent, and the
 * check fails the statement as a whole.
 */
export const sendSteps = (offer: Offer, hash: string): SQL => sql`,
  -- The lock shows the states that sendings at the same moment leave.
  siblings as materialized (
    select o.id, o.replaces_id, o.state from logged e join ${offers} o on o.record_id = e.target_id
    where e.kind = 'offer_sent' for update of o
  ),
  sent as (
    update ${offers} o set state = 'sent', hash = ${hash}, sent_at = now(), event_id = e.id,
      replaces_id = coalesce((
        with recursive connected as (
          select x.* from siblings x where x.id = o.replaces_id
          union
          select x.* from siblings x join connected c on x.id = c.replaces_id or x.replaces_id = c.id
        )
        select c.id from connected c where c.state = 'sent' order by c.id desc limit 1
      ), o.replaces_id)
    from logged e
    where e.kind = 'offer_sent' and o.id = ${offer._id}::uuid and o.state = 'draft'
      and o.version = ${offer.version}::int
    returning o.id, o.replaces_id
  ),
  -- A division by zero undoes everything where there was nothing to send.
  checked as (
    select 1 / (select count(*) from sent)::int as one from logged e where e.kind = 'offer_sent'
  ),
  replaced as (
    update ${offers} o set state = 'replaced', version = o.version + 1
    from sent s join siblings x on x.id = s.replaces_id
    where o.id = x.id and x.state = 'sent' and (select count(one) from checked) >= 0
  )`

/** True if a statement with {@link sendSteps} found no draft to send. */
export const isNothingSent = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '22012'

const senderName = sql`coalesce(r.name, o.answer_name, '')`

/** An offer that the list shows. If its request is erased, the name is the one given with the acceptance. */
export const findListed = (db: Database, id: string) =>
  oneValue<Offer & { name: string }>(
    db,
    sql`select (${offerJson})::jsonb || jsonb_build_object('name', ${senderName})
      from ${shownOffers} and o.id = ${id}::uuid`,
  )

export const listOffers = async (
  db: Database,
  { state, days, q, from, to, sort }: QueryOf<typeof listCall>,
  { count, after }: { count: number; after: string | undefined },
) => {
  const isOldestFirst = sort === 'createdAt'
  const order = sql.raw(isOldestFirst ? 'asc' : 'desc')
  const isLater = sql.raw(isOldestFirst ? '>' : '<')
  const isListed = and(
    sql`true`,
    days === undefined ? undefined : isSentSince(periodStart(days)),
    q === undefined
      ? undefined
      : sql`strpos(lower(concat_ws(E'\\n', o.title, o.text, r.name, o.answer_name)), lower(${q})) > 0`,
    from === undefined ? undefined : sql`o.created_at >= ${firstMoment(from)}::timestamptz`,
    to === undefined ? undefined : sql`o.created_at < ${momentAfter(to)}::timestamptz`,
  )
  const [found] = await rows<{
    offers: (Offer & { name: string })[]
    total: number
    counts: Record<string, number>
  }>(
    db,
    sql`with known as (
        select o.*, ${offerState} as shown_state, ${senderName} as sender_name
        from ${shownOffers} and ${isListed}
      ),
      page as (
        select * from known
        where (${state ?? null}::text is null or shown_state = ${state ?? null}::text)
          and (${after ?? null}::uuid is null or id ${isLater} ${after ?? null}::uuid)
        order by id ${order} limit ${count}
      )
      select
        (select coalesce(json_agg((${offerJson})::jsonb || jsonb_build_object('name', o.sender_name)
          order by o.id ${order}), '[]') from page o) as offers,
        (select count(*)::int from ${shownOffers}) as total,
        (select coalesce(json_object_agg(shown_state, n), '{}')
          from (select shown_state, count(*) as n from known group by 1) as t) as counts`,
  )
  return found ?? { offers: [], total: 0, counts: {} }
}

/** An offer of a record that its sender may read: it has left. */
export const readSentOffer = (db: Database, recordId: string, id: string) =>
  oneValue<Offer>(
    db,
    sql`select ${offerJson} from ${offers} o join events e on e.id = o.event_id
      where o.id = ${id}::uuid and o.record_id = ${recordId}::uuid
        and o.state not in ('draft', 'recalled') and ${hasLeft}`,
  )

/**
 * Stores a sender's answer, with its entry and mail. One of many answers at once is stored.
 *
 * @param ip a keyed hash
 * @param sender for the sender, of an acceptance
 * @returns whether it was: the offer is open, unchanged, and its record in the inbox
 */
export const answerOffer = async (
  { db, config }: { db: Database; config: Pick<Config, 'mail'> },
  { _id: offerId, hash }: Offer,
  { record, answer, name, text }: Answer,
  { ip, sender, staff }: { ip: string; sender: Rendered | null; staff: Rendered },
): Promise<boolean> => {
  const isYes = answer === 'accept'
  const state = isYes ? 'accepted' : 'declined'
  return writesAny(
    db,
    sql`
      target as materialized (
        select t.* from ${consultations} t
        where t.id = ${record}::uuid and t.box = 'inbox' and t.withdrawn_at is null for update
      ),
      answered as (
        update ${offers} o set state = ${state}, answered_at = now(), answer_name = ${name}::text,
          answer_text = ${text}::text, answer_ip = ${isYes ? ip : null}::text
        from target t
        where o.id = ${offerId}::uuid and o.record_id = t.id and o.state = 'sent' and not ${isExpired}
          and o.hash = ${hash}
        returning o.id
      ),
      planned as materialized (
        select t.id, t.version + 1 as version, ${stateSql(kind, sql.raw('t'))} as state, t.status as was
        from target t where exists (select from answered)
      ),
      updated as (
        update ${consultations} r set version = p.version, updated_at = now(),
          ${
            isYes
              ? // A superuser decides anew whether what is accepted outlives an erasure.
                sql`keep = false, last_message_at = now(), snoozed_until = null, status = 'completed', acted_by = null,
                acted_at = now(), waiting_for = null,
                answered_at = case when r.waiting_for = 'us' then now() else r.answered_at end`
              : owesAnswer
          }
        from planned p where p.id = r.id
        returning r.id, r.email, r.assignee_id
      ),
      logged as (
        ${recordEvent({
          from: sql`planned p`,
          kind: `offer_${state}`,
          targetKind: kind.path,
          targetId: sql`p.id`,
          fields: ['offer'],
          after: sql`jsonb_build_object('state', ${isYes ? sql`p.version` : sql`p.state`}, 'offer', ${offerId}::text)`,
          text: sql`${text}::text`,
          version: sql`p.version`,
        })}
      ),
      ${recordRecipients(config)},
      told as (
        insert into ${mail} (kind, record_kind, record_id, recipient, reply_to, subject, text, html, status)
        select 'staff', ${kind.path}, u.id, recipient.email, u.email, ${staff.subject}, ${staff.text}, ${staff.html}, 'waiting'
        from updated u, recipient
        union all
        select 'message', ${kind.path}, u.id, u.email, null, ${sender?.subject ?? ''}, ${sender?.text ?? ''},
          ${sender?.html ?? ''}, 'waiting'
        from updated u where ${sender !== null}
      )`,
    sql`select id from answered`,
  )
}
