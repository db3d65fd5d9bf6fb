import * as z from 'zod/mini'
import type { Invitation } from '#contract/mail/invitation.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { iso, jsonObject } from '#server/db/json.ts'
import { checkedRows } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { correctionsOf } from '#server/kinds/store/activity.ts'
import { heldOffer } from '#server/kinds/store/offers.ts'
import { LINK } from '#server/mail-out/link.ts'
import { personalKinds } from '#server/mail-out/message.ts'
import { asRead } from '#server/mail-out/render/invitation.ts'
import { conversation, isWaiting, type Linked, messageJson, offersThatLeft } from './find.ts'

const sentOffers: SQL = sql`(
  select coalesce(json_agg(${heldOffer} - array['by', 'version', 'record'] order by o.id), '[]')
  from ${offersThatLeft}
)`

const storedMail = z.looseObject({
  subject: z.string(),
  text: z.string(),
  calendar: z.nullable(z.custom<Invitation>()),
})

/** All messages of a record, and its data beside the page: no notes, nothing about staff or other people who wrote. */
export const readHeld = async (db: Database, { kind, id }: Linked) => {
  const [found] = await checkedRows(
    db,
    z.object({ held: z.record(z.string(), z.unknown()), mail: z.array(storedMail) }),
    sql`select ${jsonObject({
      _id: sql`r.id`,
      updatedAt: iso(sql`r.updated_at`),
      source: sql`r.source`,
      consent: sql`case when r.consent_at is not null
        then json_build_object('at', ${iso(sql`r.consent_at`)}, 'terms', r.consent_terms) end`,
      messages: sql`(
        select coalesce(json_agg(${messageJson} order by c.at, c.id), '[]') from (${conversation(kind)}) as c
      )`,
      corrections: correctionsOf(kind),
      automaticMail: sql`(
        select coalesce(json_agg(json_build_object(
          'at', ${iso(sql`e.at`)}, 'text', e.text) order by e.id), '[]')
        from ${events} e
        where e.target_kind = ${kind.path} and e.target_id = r.id
          and e.kind = 'auto' and not jsonb_exists(e.after, 'from')
      )`,
      ...(kind.path === 'consultations' ? { offers: sentOffers } : {}),
    })} as held, (
      select coalesce(json_agg(json_build_object(
        'kind', m.kind, 'to', m.recipient, 'subject', m.subject, 'text', replace(m.text, ${LINK}::text, '{link}'),
        'status', m.status, 'sentAt', ${iso(sql`m.sent_at`)}, 'calendar', m.calendar) order by m.id), '[]')
      from ${mail} m
      where m.record_kind = ${kind.path} and m.record_id = r.id
        and m.kind = any(${sql.param(personalKinds)}::text[]) and m.status <> 'recalled'
        and not (m.kind = 'message' and ${isWaiting})
    ) as mail from ${kind.table} r where r.id = ${id}::uuid`,
  )
  return found && { ...found.held, mail: found.mail.map(asRead) }
}
