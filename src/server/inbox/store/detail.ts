import type { ActivityEntry, RecordMail, RelatedRecord } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { AgentDraft, Proposal } from '#contract/programs/agents.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { iso } from '#server/db/json.ts'
import { anyRow, runOne } from '#server/db/rows.ts'
import { agentDrafts, agentProposals } from '#server/db/schema/agent-drafts.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { activityJson, activityPage } from '#server/kinds/store/activity.ts'
import { isUndone } from '#server/kinds/store/groups.ts'
import { type BlindReader, hiddenFrom } from '#server/kinds/store/hidden.ts'
import { offersOfRecord } from '#server/kinds/store/offers.ts'
import { unionOfShownKinds } from '#server/kinds/store/record.ts'
import { draftOf, writing } from './drafts.ts'
import { type ShownRow, shownColumns, shownDetail } from './shown.ts'

const MOST_RELATED = 50

/** Leaves out hidden records: one shown beside another would reveal its sender. */
const isShown = (kind: Kind, viewer: BlindReader): SQL => {
  const hidden = hiddenFrom(kind, viewer, sql.raw('o'))
  return hidden ? sql`and not ${hidden}` : sql``
}

const related = (viewer: BlindReader) => sql<RelatedRecord[]>`(
  select coalesce(
    json_agg(
      json_build_object('kind', o.kind, '_id', o.id, 'createdAt', ${iso(sql`o.created_at`)},
        'status', o.status, 'box', o.box)
      order by o.created_at desc, o.id desc
    ), '[]')
  from (
    ${unionOfShownKinds(
      (kind) => sql`(
          select ${sql.raw(`'${kind.path}'`)} as kind, o.id, o.created_at, o.status, o.box
          from ${kind.table} o
          where lower(o.email) = lower(r.email) and o.id <> r.id ${isShown(kind, viewer)}
          order by o.created_at desc, o.id desc limit ${sql.raw(String(MOST_RELATED))}
        )`,
    )}
    order by created_at desc, id desc limit ${sql.raw(String(MOST_RELATED))}
  ) as o
)`

const correctedNames = (kind: Kind) => sql<string[]>`(
  select coalesce(json_agg(distinct e.before->>'name'), '[]') from ${events} e
  where e.target_kind = ${kind.path} and e.target_id = r.id and e.kind = 'corrected'
    and e.before->>'name' <> ''
)`

const agentDraftsOf = sql<AgentDraft[]>`(
  select coalesce(json_agg(
    json_build_object('_id', d.id, 'text', d.text, 'at', ${iso(sql`d.at`)}, 'by', d.by, 'token', d.token)
    order by d.at, d.id
  ), '[]')
  from ${agentDrafts} d where d.record_id = r.id
)`

/** Null once the proposed status was set, unless that was undone. */
const proposalOf = (kind: Kind) => sql<Proposal | null>`(
  select json_build_object('status', p.status, 'why', p.why, 'by', p.by, 'token', p.token, 'at', ${iso(sql`p.at`)})
  from ${agentProposals} p
  where p.record_kind = ${kind.path} and p.record_id = r.id and p.status <> r.status
    and not exists (
      select from ${events} e
      where e.target_kind = ${kind.path} and e.target_id = r.id and e.kind = 'status'
        and e.after->>'status' = p.status and e.at >= p.at and not ${isUndone(kind.path)}
    )
)`

const MOST_MAIL = 200

/** The wanted entries of the activity: those before one, or one alone, whole; else the newest. */
export interface ActivityPart {
  before?: string | undefined
  entry?: string
}

const activityOf = (
  kind: Kind,
  { before, entry }: ActivityPart,
): SQL<{ entries: ActivityEntry[]; hasOlder: boolean }> =>
  entry === undefined
    ? sql`(
        select json_build_object(
          'entries', coalesce(json_agg(p.entry order by p.nth desc) filter (where p.is_shown), '[]'),
          'hasOlder', coalesce(bool_or(not p.is_shown), false))
        from (
          select p.*, p.nth <= ${limits.activity.page}::int and (p.nth = 1 or p.bytes <= ${limits.activity.bytes}::int)
            as is_shown
          from (${activityPage(kind, sql`r.id`, before ?? null)}) as p
        ) as p
      )`
    : sql`(
        select json_build_object('entries', coalesce(json_agg(${activityJson}), '[]'), 'hasOlder', false)
        from ${events} e
        where e.target_kind = ${kind.path} and e.target_id = r.id and e.kind <> 'score' and e.id = ${entry}::uuid
      )`

/**
 * One record with a part of its activity and related records, in one round trip; from any box. A read is plain if a
 * blind answer would have hidden the sender.
 */
export const readDetail = async (
  db: Database,
  kind: Kind,
  id: string,
  viewer: BlindReader,
  part: ActivityPart = {},
) => {
  const messages = sql<RecordMail[]>`(
    select coalesce(
      json_agg(
        json_build_object('_id', m.id, 'kind', m.kind, 'status', m.status, 'delivery', m.delivery,
          'entry', m.event_id,
          'at', ${iso(sql`coalesce(m.sent_at, m.created_at)`)})
        order by m.id
      ), '[]')
    from (
      select * from ${mail} m
      where m.record_kind = ${kind.path} and m.record_id = r.id and m.status <> 'recalled'
      order by m.id desc limit ${MOST_MAIL}
    ) as m
  )`
  const plainlyRead = viewer.blind === undefined && hiddenFrom(kind, { ...viewer, blind: 'auto' })
  const earlierNames = hiddenFrom(kind, viewer) ? correctedNames(kind) : sql<string[]>`'[]'::json`
  const found = await runOne(
    db
      .select({
        ...shownColumns(kind, viewer),
        page: activityOf(kind, part),
        total: sql<number>`(
          select count(*)::int from ${events} e
          where e.target_kind = ${kind.path} and e.target_id = r.id and e.kind <> 'score'
        )`,
        related: related(viewer),
        mail: messages,
        writing,
        drafts: agentDraftsOf,
        proposal: proposalOf(kind),
        draft: draftOf(viewer.id),
        earlierNames,
        isPlainRead: sql<boolean>`${plainlyRead || sql`false`}`,
        ...(kind.path === 'consultations' ? { offers: offersOfRecord } : {}),
      })
      .from(sql`${kind.table} r`)
      .where(sql`r.id = ${id}::uuid`),
  )
  if (!found) return undefined
  const { record, score, unread, isHidden, isPlainRead, page, total, ...others } =
    found as typeof found & ShownRow
  const shownWith = (activity: readonly ActivityEntry[]) =>
    shownDetail(kind, { record, score, unread, isHidden }, { ...others, activity: [...activity] })
  const rest = part.entry === undefined ? bytesOf(shownWith([])) : 0
  const entries = newestWithin(MOST_BYTES - rest, page.entries)
  const hasOlder = page.hasOlder || entries.length < page.entries.length
  return { detail: shownWith(entries), total, hasOlder, isPlainRead }
}

/** An answer about one record has 1 MiB; this leaves room for what is beside the record. */
const MOST_BYTES = 1_048_576 - 1_024

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** The newest of these entries that fit in so many bytes, one at least. */
const newestWithin = (bytes: number, entries: readonly ActivityEntry[]): ActivityEntry[] => {
  let left = bytes
  const first = entries.findLastIndex((entry, index) => {
    // A comma stands between two.
    left -= bytesOf(entry) + 1
    return left < 0 && index < entries.length - 1
  })
  return entries.slice(first + 1)
}

export const isChangeable = (db: Database, { table }: Kind, id: string): Promise<boolean> =>
  anyRow(db, sql`select 1 from ${table} where id = ${id}::uuid and box <> 'trash'`)
