import { defaultSiteSettings, type SiteSettings } from '#contract/site-settings.ts'
import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { siteSettings } from '#server/db/schema/settings.ts'
import { writeRow } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'

/** Absent settings stay. The audit log names the changed ones. */
export const saveSiteSettings = (
  db: Database,
  actor: Actor,
  {
    agents = null,
    visits = null,
  }: { agents?: boolean | null | undefined; visits?: boolean | null | undefined },
): Promise<SiteSettings> =>
  writeRow<SiteSettings>(
    db,
    sql`o as materialized (
        select coalesce(bool_and(agents), ${defaultSiteSettings.agents}::boolean) as agents,
          coalesce(bool_and(visits), ${defaultSiteSettings.visits}::boolean) as visits
        from ${siteSettings}
      ),
      s as (
        insert into ${siteSettings} as s (id, agents, visits)
        values (1, ${agents ?? defaultSiteSettings.agents}::boolean, ${visits ?? defaultSiteSettings.visits}::boolean)
        on conflict (id) do update set
          agents = coalesce(${agents}::boolean, s.agents), visits = coalesce(${visits}::boolean, s.visits)
        returning s.*
      ),
      logged as (${recordEvent({
        from: sql`s, o where (s.agents, s.visits) <> (o.agents, o.visits)`,
        by: actor,
        kind: 'settings.update',
        targetKind: 'settings',
        fields: sql`array_remove(array[
          case when s.agents <> o.agents then 'agents' end,
          case when s.visits <> o.visits then 'visits' end], null)`,
      })})`,
    sql`select agents, visits from s`,
  )
