import type { ReleaseState } from '#contract/content/desk.ts'
import type { StoredDraft } from '#server/content/documents.ts'
import { type Database, getTableColumns, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { iso, jsonObject } from '#server/db/json.ts'
import { alias } from '#server/db/pg-core.ts'
import { oneRow } from '#server/db/rows.ts'
import { contentDrafts, contentReleases } from '#server/db/schema/content.ts'
import { writeValue } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import { completed } from '#site/content.ts'
import { liveNumber, type ReleaseRow, shownState } from './releases.ts'

interface LiveRelease extends Pick<ReleaseRow, 'n' | 'by' | 'documents' | 'moved'> {
  at: string
  /** The time at which drawing began. */
  begunAt: string
  /** The time at which a release that is shown again was drawn; null for another. */
  drawnAt: string | null
}

interface StoredDesk {
  drafts: StoredDraft[]
  /** Null before the first publish. */
  live: LiveRelease | null
  /** The state of the newest release; null before the first. */
  state: ReleaseState | null
}

const d = alias(contentDrafts, 'd')
const draftJson = jsonObject({ ...getTableColumns(d), updatedAt: iso(d.updatedAt) })

export const readDesk = async (db: Database): Promise<StoredDesk> => {
  const live = jsonObject({
    n: sql`r.n`,
    at: iso(sql`coalesce(r.live_at, r.at)`),
    begunAt: iso(sql`r.at`),
    by: sql`r.by`,
    documents: sql`r.documents`,
    moved: sql`r.moved`,
    drawnAt: sql`(
      with recursive s as (
        select r.shows as n, r.at
        union all select o.shows, o.at from s join ${contentReleases} o on o.n = s.n
      )
      select ${iso(sql`min(s.at)`)} from s where r.shows is not null)`,
  })
  const desk = await oneRow<StoredDesk>(
    db,
    sql`select
      (select coalesce(json_agg(${draftJson} order by d.updated_at, d.collection, d.entry), '[]')
        from ${contentDrafts} d) as drafts,
      (select ${live} from ${contentReleases} r where r.n = ${liveNumber}) as live,
      (select ${shownState(sql`r`)} from ${contentReleases} r order by r.n desc limit 1) as state`,
  )
  const { live: stored } = desk
  return { ...desk, live: stored && { ...stored, documents: completed(stored.documents) } }
}

/** `isDraft` false returns the entry to what is published, the value null removes it. */
type DraftToSave = Pick<StoredDraft, 'collection' | 'entry' | 'isDraft' | 'value'> & {
  /** The version that the editor saw; undefined overwrites. */
  version?: number | undefined
}

/** Logs each draft of a colleague that the step `d` has overwritten unseen, from the step `replaced`. */
const logReplaced = (actor: Actor) => sql`
  logged as (${recordEvent({
    from: sql`replaced join d using (collection, entry)
      where replaced.is_draft and replaced.updated_by <> ${actor.username}`,
    by: actor,
    kind: 'content_replaced',
    targetKind: 'content',
    fields: sql`array[collection || '.' || entry]`,
  })})`

/** Undefined where the version is not the stored one. */
export const saveDraft = (
  db: Database,
  { collection, entry, isDraft, value, version }: DraftToSave,
  actor: Actor,
): Promise<StoredDraft | undefined> => {
  const seen = sql`${version ?? null}::bigint`
  return writeValue(
    db,
    sql`replaced as materialized (
      select * from ${contentDrafts} where ${seen} is null and collection = ${collection} and entry = ${entry}
    ),
    d as (
      insert into ${contentDrafts} as d (collection, entry, is_draft, value, updated_by)
      select ${collection}, ${entry}, ${isDraft}::boolean,
        ${value === null ? null : JSON.stringify(value)}::jsonb, ${actor.username}
      where ${seen} is null or ${seen} = coalesce(
        (select version from ${contentDrafts} where collection = ${collection} and entry = ${entry}), 0)
      on conflict (collection, entry) do update set
        is_draft = excluded.is_draft, value = excluded.value, updated_by = excluded.updated_by,
        version = d.version + 1, updated_at = now()
      where ${seen} is null or d.version = ${seen}
      returning d.*
    ), ${logReplaced(actor)}`,
    sql`select ${draftJson} as draft from d`,
  )
}

/**
 * Makes drafts of many documents at once; those that have a draft are overwritten. The number of documents that
 * have changed: one that returns to what is published has not, unless it had a draft.
 */
export const saveDrafts = async (
  db: Database,
  drafts: readonly Omit<DraftToSave, 'version'>[],
  actor: Actor,
): Promise<number> => {
  const count = await writeValue<number>(
    db,
    sql`replaced as materialized (select * from ${contentDrafts}),
    d as (
      insert into ${contentDrafts} as d (collection, entry, is_draft, value, updated_by)
      select g.collection, g.entry, g."isDraft", nullif(g.value, 'null'::jsonb), ${actor.username}
      from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb)
        as g(collection text, entry text, "isDraft" boolean, value jsonb)
      where g."isDraft" or exists (
        select from replaced where (collection, entry, is_draft) = (g.collection, g.entry, true)
      )
      on conflict (collection, entry) do update set
        is_draft = excluded.is_draft, value = excluded.value, updated_by = excluded.updated_by,
        version = d.version + 1, updated_at = now()
      returning d.collection, d.entry
    ), ${logReplaced(actor)}`,
    sql`select count(*)::int as count from d`,
  )
  return count ?? 0
}
