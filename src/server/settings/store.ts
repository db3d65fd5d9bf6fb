import { type changeSettings, defaultSettings, type Settings } from '#contract/accounts/settings.ts'
import type { BodyOf } from '#contract/http/endpoint.ts'
import {
  type changeSiteSettings,
  defaultSiteSettings,
  type SiteSettings,
} from '#contract/site-settings.ts'
import { type Database, eq, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { runOne } from '#server/db/rows.ts'
import { staffSettings, users } from '#server/db/schema/accounts/users.ts'
import { siteSettings } from '#server/db/schema/settings.ts'
import { writeOne, writeRow } from '#server/db/write.ts'
import type { Core } from '#server/deps.ts'
import type { Actor } from '#server/http/route.ts'
import { digestDay } from '#server/mail-out/store/digest.ts'

const { userId, digest, density, shortcuts, displayName, signature } = staffSettings

export const findSettings = async (db: Database, id: string): Promise<Settings> =>
  (await runOne(
    db
      .select({ digest, density, shortcuts, displayName, signature })
      .from(staffSettings)
      .where(eq(userId, id)),
  )) ?? defaultSettings

/**
 * Stores the given settings; absent ones stay. The first digest comes at the next digest hour. Undefined
 * where the account is gone.
 */
export const saveSettings = (
  { db, config }: Core,
  id: string,
  given: BodyOf<typeof changeSettings>,
): Promise<Settings | undefined> =>
  writeOne<Settings>(
    db,
    sql`
      s as (
        insert into ${staffSettings} as s
          (user_id, digest, density, shortcuts, display_name, signature, digest_day)
        select
          u.id,
          ${given.digest ?? defaultSettings.digest}::text,
          ${given.density ?? defaultSettings.density}::text,
          ${given.shortcuts ?? defaultSettings.shortcuts}::boolean,
          ${given.displayName ?? null}::text,
          ${given.signature ?? ''}::text,
          ${digestDay(config.digestHour)}
        -- The lock waits for a deletion of the account.
        from ${users} u where u.id = ${id}::uuid for key share
        on conflict (user_id) do update set
          digest = coalesce(${given.digest ?? null}::text, s.digest),
          density = coalesce(${given.density ?? null}::text, s.density),
          shortcuts = coalesce(${given.shortcuts ?? null}::boolean, s.shortcuts),
          display_name = case when ${given.displayName !== undefined} then excluded.display_name else s.display_name end,
          signature = coalesce(${given.signature ?? null}::text, s.signature),
          digest_day = case
            when s.digest = 'off' and ${given.digest ?? null}::text = 'daily' then excluded.digest_day
            else s.digest_day
          end
        returning s.*
      )`,
    sql`select digest, density, shortcuts, display_name as "displayName", signature from s`,
  )

/** Absent settings stay. The audit log names the changed ones. */
export const saveSiteSettings = (
  db: Database,
  actor: Actor,
  { agents, visits }: BodyOf<typeof changeSiteSettings>,
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
          agents = coalesce(${agents ?? null}::boolean, s.agents), visits = coalesce(${visits ?? null}::boolean, s.visits)
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
