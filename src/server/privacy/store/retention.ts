import type { KindPath } from '#contract/inbox.ts'
import { housekeeping } from '#contract/privacy/rules.ts'
import { candidateNumber } from '#contract/reference.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { iso } from '#server/db/json.ts'
import type { PgTable } from '#server/db/pg-core.ts'
import { rows, run, valuesOf } from '#server/db/rows.ts'
import { accountLinks, apiTokens, challenges } from '#server/db/schema/accounts/factors.ts'
import { devices, hostHours, sessions } from '#server/db/schema/accounts/users.ts'
import { agentDrafts, agentProposals } from '#server/db/schema/agent-drafts.ts'
import { idempotencyKeys, keyedCalls, rateLimits } from '#server/db/schema/calls.ts'
import { contentDrafts, contentImages, contentReleases } from '#server/db/schema/content.ts'
import { auditSeals, events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { pushes } from '#server/db/schema/pushes.ts'
import { recordLinks } from '#server/db/schema/record-links.ts'
import { drafts } from '#server/db/schema/record-staff.ts'
import { webhookDeliveries } from '#server/db/schema/webhooks.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { type BlindReader, hiddenFrom } from '#server/kinds/store/hidden.ts'
import { expiringBefore, expirySql, interval, unionOfKinds } from '#server/kinds/store/record.ts'
import type { Scope } from './erase.ts'

/** Rows changed by one statement: few enough to be done well within its deadline. */
export const BATCH = 500

const MOST_PREVIEWED = 200

/** Records that the rules will erase within a week, the next first. */
export const previewRetention = async (db: Database, reader: BlindReader) => {
  const aWeekAhead = sql`now() + interval '7 days'`
  const expiring = unionOfKinds(
    (kind) => sql`
        select ${sql.raw(`'${kind.path}'`)} as kind, r.id, r.name, ${expirySql(kind)} as at,
          ${hiddenFrom(kind, reader) ?? sql`false`} as is_hidden
        from ${kind.table} r where ${expiringBefore(kind, aWeekAhead)}`,
  )
  const found = await run(
    db
      .select({
        kind: sql<KindPath>`kind`,
        _id: sql<string>`id`,
        name: sql<string>`name`,
        expiresAt: iso(sql`at`),
        isHidden: sql<boolean>`is_hidden`,
      })
      .from(sql`(${expiring}) as expiring`)
      .orderBy(sql`at`, sql`id`)
      .limit(MOST_PREVIEWED),
  )
  return found.map(({ name, isHidden, ...one }) => ({
    ...one,
    ...(isHidden ? { candidate: candidateNumber(one._id) } : { name }),
  }))
}

export const expiredStatement = (kind: Kind): SQL => sql`
  select r.id from ${kind.table} r where ${expiringBefore(kind, sql`now()`)}
  limit ${BATCH} for update skip locked`

export const expiredScope = (kind: Kind): Scope => ({
  kinds: [kind],
  ctes: [sql`expired as materialized (${expiredStatement(kind)})`],
  records: sql`r.id in (select id from expired)`,
})

/**
 * The rows of one batch, by their place, which every table has. The condition stands here twice for a
 * row that changes meanwhile: it is judged once more and left alone.
 */
const oldRows = (table: PgTable, isOld: SQL): SQL => sql`
  ctid = any(array(select ctid from ${table} where ${isOld} limit ${BATCH})) and ${isOld}`

const before = (rule: keyof typeof housekeeping): SQL =>
  sql`now() - ${interval(housekeeping[rule].keep)}`

export const oldBodies = (): SQL => sql`
  status in ('sent', 'failed') and text <> '' and coalesce(sent_at, created_at) <= ${before('mailBodies')}`

const remove = (table: PgTable, isOld: SQL): SQL =>
  sql`delete from ${table} where ${oldRows(table, isOld)}`

const isOrphan = (kindColumn: string, idColumn: string): SQL => {
  const [kind, id] = [sql.identifier(kindColumn), sql.identifier(idColumn)]
  const isGone = kinds.map(
    ({ path, table }) => sql`(${kind} = ${sql.raw(`'${path}'`)}
      and not exists (select from ${table} r where r.id = ${id}))`,
  )
  return sql`(${sql.join(isGone, sql` or `)})`
}

/** The changes of one batch of the clean-up, beside records. */
const cleanUps = {
  // Keeps images of drafts and of releases that can be shown again.
  images: remove(
    contentImages,
    sql`at <= now() - interval '30 days'
      and not exists (select from ${contentDrafts} d where d.value::text like '%/media/' || hash || '%')
      and not exists (select from ${contentReleases} r where r.documents::text like '%/media/' || hash || '%')`,
  ),
  idempotencyKeys: remove(idempotencyKeys, sql`created_at <= ${before('idempotencyKeys')}`),
  keyedCalls: remove(
    keyedCalls,
    sql`(created_at <= ${before('idempotencyKeys')} or coalesce(expires_at <= now(), false))`,
  ),
  sessions: remove(sessions, sql`expires_at <= ${before('sessions')}`),
  tokens: remove(apiTokens, sql`expires_at <= ${before('sessions')}`),
  devices: remove(devices, sql`last_used_at <= ${before('devices')}`),
  challenges: remove(challenges, sql`expires_at <= now()`),
  accountLinks: remove(accountLinks, sql`expires_at <= now()`),
  endedLinks: sql`update ${mail} set sealed = null where ${oldRows(mail, sql`sealed is not null and expires_at <= now()`)}`,
  drafts: remove(drafts, sql`at <= ${before('drafts')}`),
  agentDrafts: remove(agentDrafts, sql`at <= ${before('drafts')}`),
  proposals: remove(agentProposals, sql`at <= ${before('drafts')}`),
  deliveries: remove(webhookDeliveries, sql`created_at <= ${before('deliveries')}`),
  pushes: remove(pushes, sql`created_at <= ${before('pushes')}`),
  // Without one that a seal of the first form covers, which can be verified with its entry alone.
  refusedSignIns: remove(
    events,
    sql`kind = 'sign_in_refused' and at <= ${before('refusedSignIns')} and not exists (
      select from ${auditSeals} s where s.event_id = id and s.content is null
    )`,
  ),
  busyCopies: sql`update ${hostHours} set busy_times = null
    where ${oldRows(hostHours, sql`busy_times is not null and busy_read_at <= ${before('busyCopies')}`)}`,
  limits: remove(rateLimits, sql`updated_at <= ${before('limits')}`),
  // Mail that senders ask for belongs to no record, so no record's deletion removes it.
  linkMail: remove(
    mail,
    sql`kind = 'code' and record_id is null and status in ('sent', 'failed')
      and created_at <= ${before('mailBodies')}`,
  ),
  accountMail: remove(
    mail,
    sql`kind in ('account', 'digest') and status in ('sent', 'failed', 'recalled')
      and created_at <= ${before('accountMail')}`,
  ),
  // An erasure takes them with their record; an earlier version could be cut off before it had.
  orphanMail: remove(mail, sql`record_id is not null and ${isOrphan('record_kind', 'record_id')}`),
  orphanEntries: remove(
    events,
    sql`(kind = 'note' or by is null) and via is null and ${isOrphan('target_kind', 'target_id')}`,
  ),
  orphanLinks: remove(recordLinks, isOrphan('record_kind', 'record_id')),
  mailBodies: sql`update ${mail} set text = '', html = '', calendar = null where ${oldRows(mail, oldBodies())}`,
}

type CleanUp = keyof typeof cleanUps

export const cleanUpNames = Object.keys(cleanUps) as CleanUp[]

export const cleanUp = async (db: Database, name: CleanUp): Promise<number> =>
  (await rows(db, sql`${cleanUps[name]} returning 1`)).length

export const knownMessages = async (db: Database, ids: readonly string[]) =>
  new Set(
    await valuesOf<string>(
      db,
      sql`select id from ${mail} where id = any(${sql.param(ids)}::uuid[])`,
    ),
  )
