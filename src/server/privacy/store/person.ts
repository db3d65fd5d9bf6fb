import type { Config } from '#server/config.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { iso } from '#server/db/json.ts'
import { rows } from '#server/db/rows.ts'
import { accountLinks } from '#server/db/schema/accounts/factors.ts'
import { agentDrafts, agentProposals } from '#server/db/schema/agent-drafts.ts'
import { idempotencyKeys } from '#server/db/schema/calls.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { offers } from '#server/db/schema/offers.ts'
import { applicationScores, drafts } from '#server/db/schema/record-staff.ts'
import type { Actor } from '#server/http/route.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { activityJson, activityOrder, correctionsOf } from '#server/kinds/store/activity.ts'
import { heldOffer } from '#server/kinds/store/offers.ts'
import { recordJson, unionOfKinds } from '#server/kinds/store/record.ts'
import { acknowledgementLimit } from '#server/mail-out/limit.ts'
import { ANY_LINK } from '#server/mail-out/link.ts'
import { renderPrivacyNotice } from '#server/mail-out/render/account.ts'
import { asRead } from '#server/mail-out/render/invitation.ts'
import { tellSuperusers } from '#server/mail-out/store/account.ts'
import type { Scope } from './erase.ts'
import { remember } from './erasures.ts'
import { isReplyFrom, isWrittenTo } from './purge.ts'
import { searchesFor, templatesNaming } from './searches.ts'

/** Logs the person who exported or erased, without the address. */
const logged = (kind: 'export' | 'erase', actor: Actor) =>
  recordEvent({ by: actor, kind, targetKind: 'privacy' })

/** Tells every superuser that somebody did, so that none does it unseen. */
const noticed = (kind: 'export' | 'erase', actor: Actor) =>
  tellSuperusers(renderPrivacyNotice(kind, actor.username))

const scores = sql`(
  select coalesce(json_agg(json_build_object('by', s.by, 'criteria', s.criteria, 'comment', s.comment,
    'at', ${iso(sql`s.updated_at`)}) order by s.id), '[]')
  from ${applicationScores} s where s.application_id = r.id
)`

const heldOffers = sql`(
  select coalesce(json_agg(${heldOffer} order by o.id), '[]') from ${offers} o where o.record_id = r.id
)`

const isInvited = (email: string): SQL => sql`lower(l.email) = lower(${email})`

const isSame = (email: string) => (address: SQL) => sql`${address} = lower(${email})`

/** Everything held on an address: its records with their activity, mail and keys, and mail written to it. */
export const exportPerson = async ({ db }: { db: Database }, email: string, actor: Actor) => {
  const records = kinds.map(
    (kind) => sql`
      (
        select coalesce(json_agg(
          (${recordJson(kind)})::jsonb || jsonb_build_object('activity', (
            select coalesce(json_agg(${activityJson} order by ${activityOrder}), '[]')
            from ${events} e
            where e.target_kind = ${kind.path} and e.target_id = r.id and e.kind <> 'score'
          ), 'drafts', (
            select coalesce(json_agg(json_build_object('text', d.text, 'subject', d.subject, 'at', ${iso(sql`d.at`)}) order by d.at), '[]')
            from (
              select record_id, text, subject, at from ${drafts}
              union all select record_id, text, null, at from ${agentDrafts}
            ) as d where d.record_id = r.id
          ), 'corrections', ${correctionsOf(kind)}, 'proposal', (
            select json_build_object('status', p.status, 'why', p.why, 'at', ${iso(sql`p.at`)})
            from ${agentProposals} p where p.record_id = r.id
          )${kind.path === 'consultations' ? sql`, 'offers', ${heldOffers}` : sql``}${kind.isScored ? sql`, 'scores', ${scores}` : sql``}) order by r.created_at), '[]')
        from ${kind.table} r where lower(r.email) = lower(${email})
      ) as ${sql.identifier(kind.path)}`,
  )
  const theirs = unionOfKinds(
    ({ path, table }) =>
      sql`select ${sql.raw(`'${path}'`)} as kind, id, name from ${table} where lower(email) = lower(${email})`,
  )
  const [found] = await rows<{ mail: Parameters<typeof asRead>[0][] }>(
    db,
    sql`with logged as (${logged('export', actor)}), noticed as (${noticed('export', actor)}),
        theirs as (${theirs})
      select ${sql.join(records, sql`, `)},
        (
          select coalesce(json_agg(json_build_object(
            '_id', m.id, 'kind', m.kind,
            -- A webhook's URL is a secret of the site.
            'to', case when m.kind = 'webhook' then 'webhook' else m.recipient end, 'replyTo', m.reply_to, 'subject', m.subject,
            'text', regexp_replace(m.text, ${ANY_LINK}::text, '{link}', 'g'), 'status', m.status, 'createdAt', ${iso(sql`m.created_at`)},
            'sentAt', ${iso(sql`m.sent_at`)}, 'calendar', m.calendar, 'record',
            case when m.record_id is not null
              then json_build_object('kind', m.record_kind, '_id', m.record_id) end
          ) order by m.id), '[]')
          from ${mail} m
          where ${isWrittenTo(email)}
            or exists (select from theirs t where t.kind = m.record_kind and t.id = m.record_id)
        ) as mail,
        (
          select coalesce(json_agg(json_build_object(
            '_id', e.id, 'kind', e.kind, 'at', ${iso(sql`e.at`)}, 'text', e.text, 'subject', e.after->>'subject',
            'record', json_build_object('kind', e.target_kind, '_id', e.target_id)) order by e.id), '[]')
          from ${events} e where ${isReplyFrom(isSame(email))}
        ) as "mailOnOtherRecords",
        (
          select coalesce(json_agg(json_build_object(
            'key', k.key, 'createdAt', ${iso(sql`k.created_at`)},
            'record', json_build_object('kind', k.kind, '_id', k.record_id))), '[]')
          from ${idempotencyKeys} k join theirs t on t.kind = k.kind and t.id = k.record_id
        ) as "idempotencyKeys",
        (
          select coalesce(json_agg(json_build_object(
            '_id', l.id, 'email', l.email, 'role', l.role, 'username', l.username,
            'createdAt', ${iso(sql`l.created_at`)}, 'expiresAt', ${iso(sql`l.expires_at`)})), '[]')
          from ${accountLinks} l where l.kind = 'invitation' and ${isInvited(email)}
        ) as invitations,
        ${searchesFor(sql`select name, ${email} as address from theirs union select null, ${email}`)} as views,
        ${templatesNaming(sql`select ${email} as address`, sql`json_build_object('_id', t.id, 'name', t.name, 'text', t.text)`)} as templates`,
  )
  return { email, ...found, mail: found?.mail.map(asRead) }
}

/** Everything held on an address; that it was erased is remembered in the same statement. */
export const personScope = (config: Config, key: string, email: string, actor: Actor): Scope => ({
  kinds,
  ctes: [
    sql`remembered as (${remember(key, 'address', email)})`,
    sql`logged as (${logged('erase', actor)})`,
    sql`noticed as (${noticed('erase', actor)})`,
  ],
  records: sql`lower(r.email) = lower(${email})`,
  // A digest that waits names who came; it is stored encrypted, so all of them go.
  mail: sql`(${isWrittenTo(email)} or (m.kind = 'digest' and exists (select from gone)))`,
  invitations: isInvited(email),
  isAddress: isSame(email),
  addresses: sql`select lower(${email}) as address`,
  limitKeys: [acknowledgementLimit(config, email).key],
})
