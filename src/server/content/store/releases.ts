import type { AuditEntry } from '#contract/audit.ts'
import type { EntryProblem, Release, ReleaseState } from '#contract/content/desk.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { iso, jsonObject } from '#server/db/json.ts'
import { LEASE } from '#server/db/lease.ts'
import { isDuplicate, oneValue, rows, valuesOf } from '#server/db/rows.ts'
import {
  contentDrafts,
  contentFiles,
  contentReleases,
  contentSites,
} from '#server/db/schema/content.ts'
import { writeRow, writeValue } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import { completed } from '#site/content.ts'

export type ReleaseRow = typeof contentReleases.$inferSelect

/** The number of the live release, 0 before the first. */
export const liveNumber: SQL = sql`coalesce(
  (select n from ${contentReleases} where live_at is not null order by live_at desc, n desc limit 1), 0)`

/** The time of going live. The newest release is the live one, also after the clock was set back. */
const goingLive: SQL = sql`greatest(
  now(), (select max(live_at) + interval '1 millisecond' from ${contentReleases}))`

/** A release without a sign of life for longer was cut off: its process has ended. */
const isUnderWay = (r: SQL): SQL =>
  sql`(${r}.state in ('drawing', 'checking') and greatest(${r}.at, ${r}.alive_at) > now() - ${LEASE})`

export const shownState = (r: SQL): SQL<ReleaseState> => sql`case
  when ${r}.state = 'published' then case when ${r}.n = ${liveNumber} then 'live' else 'replaced' end
  when ${r}.state = 'failed' or ${isUnderWay(r)} then ${r}.state
  else 'failed' end`

const cutOff = JSON.stringify([
  {
    collection: null,
    id: null,
    path: [],
    message: 'Publishing was cut off because the program ended. Publish again.',
  } satisfies EntryProblem,
])

const releaseJson = jsonObject({
  n: sql`r.n`,
  at: iso(sql`r.at`),
  by: sql`r.by`,
  note: sql`r.note`,
  state: shownState(sql`r`),
  liveAt: iso(sql`r.live_at`),
  pages: sql`r.pages`,
  notices: sql`r.notices`,
  problems: sql`case when r.state in ('drawing', 'checking') and not ${isUnderWay(sql`r`)}
    then ${cutOff}::jsonb else r.problems end`,
  steps: sql`(
    select coalesce(json_agg(json_build_object('step', s.step, 'at', ${iso(sql`s.at`)})), '[]')
    from (values ('drawing', r.at), ('checking', r.checking_at), ('live', r.live_at)) as s(step, at)
    where s.at is not null)`,
  shows: sql`r.shows`,
  changes: sql`r.changes`,
})

export const listReleases = (db: Database) =>
  valuesOf<Release>(
    db,
    sql`select ${releaseJson} from ${contentReleases} r order by r.n desc limit 100`,
  )

export const findRelease = async (db: Database, n: number) => {
  const [found] = await rows<{ release: Release } & Pick<ReleaseRow, 'documents' | 'moved'>>(
    db,
    sql`select ${releaseJson} as release, r.documents, r.moved from ${contentReleases} r where r.n = ${n}::int`,
  )
  return found && { ...found, documents: completed(found.documents) }
}

/** Marks what an ended process left under way; for the one owner of an embedded database, at its start. */
export const failCutOff = (db: Database): Promise<unknown> =>
  rows(
    db,
    sql`update ${contentReleases} set state = 'failed', problems = ${cutOff}::jsonb
      where state in ('drawing', 'checking')`,
  )

/** Releases of the last day that the program began with this note and that failed. */
export const countFailed = async (db: Database, note: string): Promise<number> =>
  (await oneValue<number>(
    db,
    sql`select count(*)::int from ${contentReleases} r
      where r.by is null and r.note = ${note} and ${shownState(sql`r`)} = 'failed'
        and r.at > now() - interval '1 day'`,
  )) ?? 0

export interface NewRelease extends Pick<ReleaseRow, 'documents' | 'note' | 'moved'> {
  changes: Release['changes']
  /** The release that the editor saw. */
  seen: number
}

/** The release that has begun; `conflict` where another one is live, `busy` where one is under way. */
export const beginRelease = async (
  db: Database,
  { documents, changes, note, seen, moved }: NewRelease,
  actor: Pick<Actor, 'id' | 'username'> | null,
): Promise<Release | 'conflict' | 'busy'> => {
  const { release, isSeen } = await writeRow<{ release: Release | null; isSeen: boolean }>(
    db,
    sql`
      r as (
        insert into ${contentReleases} (n, by_id, by, note, state, documents, changes, moved)
        select (select coalesce(max(n), 0) + 1 from ${contentReleases}), ${actor?.id ?? null}::uuid,
          ${actor?.username ?? null}::text, ${note}::text, 'drawing', ${JSON.stringify(documents)}::jsonb,
          ${JSON.stringify(changes)}::jsonb, ${JSON.stringify(moved)}::jsonb
        where ${liveNumber} = ${seen}::bigint
          and not exists(select 1 from ${contentReleases} o where ${isUnderWay(sql`o`)})
        on conflict do nothing
        returning *
      )`,
    sql`select (select ${releaseJson} from r) as release, ${liveNumber} = ${seen}::bigint as "isSeen"`,
  )
  return release ?? (isSeen ? 'busy' : 'conflict')
}

/** A sign of life, of which there are several within a lease. */
export const keepUnderWay = (db: Database, n: number): Promise<unknown> =>
  rows(db, sql`update ${contentReleases} set alive_at = now() where n = ${n}::int`)

export const checkRelease = (db: Database, n: number): Promise<unknown> =>
  rows(
    db,
    sql`update ${contentReleases} set state = 'checking', checking_at = now()
      where n = ${n}::int and state = 'drawing'`,
  )

export const failRelease = (db: Database, n: number, problems: readonly EntryProblem[]) =>
  rows(
    db,
    sql`update ${contentReleases} set state = 'failed', problems = ${JSON.stringify(problems)}::jsonb
      where n = ${n}::int and state in ('drawing', 'checking')`,
  )

/** The files of a site that differ from those of its build. */
export interface StoredSite {
  build: string
  /** The hash of each file by its path; null for one that the release does not have. */
  files: Readonly<Record<string, string | null>>
  /** Brotli in base64. */
  bodies: readonly { hash: string; body: string }[]
}

const siteSteps = (r: SQL, { build, files, bodies }: StoredSite): SQL => sql`
  files as (
    insert into ${contentFiles} (hash, body)
    select f.hash, f.body
    from jsonb_to_recordset(${JSON.stringify(bodies)}::jsonb) as f(hash text, body text)
    on conflict do nothing
  ),
  site as (
    insert into ${contentSites} (n, build, files)
    select n, ${build}, ${JSON.stringify(files)}::jsonb from ${r}
    on conflict (n, build) do update set files = excluded.files
  )`

/** Stores how another build draws a release that is published. */
export const storeSite = (db: Database, n: number, site: StoredSite): Promise<unknown> =>
  rows(
    db,
    sql`with r as (select n from ${contentReleases} where n = ${n}::int), ${siteSteps(sql`r`, site)}
      select n from r`,
  )

/** "faq.price.answer.0", as the audit log names what a release changed. */
const auditFields = (changes: Release['changes']): string[] =>
  changes.flatMap(({ collection, id, fields }) =>
    fields.map(({ path }) => [collection, id, ...path].join('.').replace(/[^\w.-]/g, '')),
  )

const published = (
  kind: 'content_published' | 'content_shown',
  changes: Release['changes'],
  via?: AuditEntry['via'],
): SQL =>
  recordEvent({
    from: sql`r`,
    via,
    by: { id: sql`r.by_id`, username: sql`r.by` },
    kind,
    targetKind: 'releases',
    fields: auditFields(changes),
  })

export interface Finished {
  site: StoredSite
  pages: readonly string[]
  notices: readonly string[]
  changes: Release['changes']
  /** The part of the program that published; undefined where a person did. */
  via?: AuditEntry['via']
  /** The live release that it was compared with. */
  seen: number
  /**
   * The drafts that it publishes, as they were when it began; one that was edited since stays. One that was put back
   * since to what was published, `before`, becomes a draft of that; null where it was not published.
   */
  drafts: readonly { collection: string; entry: string; version: number; before: unknown }[]
}

/** Makes a drawn release live in one statement. False where it was cut off, or another one is live. */
export const goLive = async (
  db: Database,
  n: number,
  { site, pages, notices, changes, via, seen, drafts }: Finished,
): Promise<boolean> => {
  const steps = sql`
    r as (
      update ${contentReleases} r set state = 'published', live_at = ${goingLive}, replaces = ${seen}::int,
        pages = ${JSON.stringify(pages)}::jsonb, notices = ${JSON.stringify(notices)}::jsonb
      where r.n = ${n}::int and ${isUnderWay(sql`r`)} and ${liveNumber} = ${seen}::int
      returning r.*
    ),
    ${siteSteps(sql`r`, site)},
    drafts as (
      update ${contentDrafts} d set is_draft = d.version <> p.version,
        value = case when d.version <> p.version then nullif(p.before, 'null'::jsonb) end
      from r, jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb)
        as p(collection text, entry text, version int, before jsonb)
      where d.collection = p.collection and d.entry = p.entry
        and (d.version = p.version or not d.is_draft)
    ),
    logged as (${published('content_published', changes, via)})`
  try {
    return (await rows(db, sql`with ${steps} select n from r`)).length > 0
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

type Shown = Omit<Finished, 'notices' | 'drafts' | 'via'> & Pick<NewRelease, 'moved'>

/**
 * Makes the texts of an older release live again, as a new one. Undefined where another release than the one that
 * `pages` and `changes` were compared with is live.
 */
export const showAgain = (
  db: Database,
  n: number,
  { site, moved, pages, changes, seen }: Shown,
  actor: Pick<Actor, 'id' | 'username'>,
): Promise<Release | undefined> =>
  writeValue(
    db,
    sql`
      r as (
        insert into ${contentReleases}
          (n, by_id, by, state, live_at, replaces, shows, documents, moved, changes, pages)
        select (select max(n) + 1 from ${contentReleases}), ${actor.id}::uuid, ${actor.username},
          'published', ${goingLive}, ${seen}::int, o.n, o.documents, ${JSON.stringify(moved)}::jsonb,
          ${JSON.stringify(changes)}::jsonb, ${JSON.stringify(pages)}::jsonb
        from ${contentReleases} o
        where o.n = ${n}::int and o.state = 'published' and ${liveNumber} = ${seen}::int
        on conflict do nothing
        returning *
      ),
      ${siteSteps(sql`r`, site)},
      logged as (${published('content_shown', changes)})`,
    sql`select ${releaseJson} as release from r`,
  )

/** The live release, and its files as this build draws them; null files where it has not been drawn yet. */
export type LiveSite = Pick<ReleaseRow, 'n' | 'documents' | 'moved'> & {
  at: string
  files: Record<string, string | null> | null
}

/** Undefined before the first publish. */
export const readLiveSite = async (db: Database, build: string): Promise<LiveSite | undefined> => {
  const [found] = await rows<LiveSite>(
    db,
    sql`select r.n, ${iso(sql`r.live_at`)} as at, r.documents, r.moved, s.files from ${contentReleases} r
      left join ${contentSites} s on s.n = r.n and s.build = ${build}
      where r.n = ${liveNumber}`,
  )
  return found && { ...found, documents: completed(found.documents) }
}

export const readLiveNumber = async (db: Database): Promise<number> =>
  (await oneValue<number>(db, sql`select ${liveNumber}`)) ?? 0

/** The files' contents by hash, in brotli. */
export const readFiles = async (db: Database, hashes: readonly string[]) => {
  const found = await rows<{ hash: string; body: string }>(
    db,
    sql`select hash, body from ${contentFiles} where hash = any(${sql.param(hashes)}::text[])`,
  )
  return new Map(found.map(({ hash, body }) => [hash, Buffer.from(body, 'base64')]))
}

/** The hashes of a release's files as a build draws them; undefined where it has not. */
export const readSite = (db: Database, n: number, build: string) =>
  oneValue<Record<string, string | null>>(
    db,
    sql`select files from ${contentSites} where n = ${n}::int and build = ${build}`,
  )
