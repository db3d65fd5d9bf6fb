import { defaultSiteSettings, type SiteSettings } from '#contract/site-settings.ts'
import type { Database } from '#server/db/drizzle.ts'
import { runOne } from './rows.ts'
import { siteSettings } from './schema/settings.ts'

export const findSiteSettings = async (db: Database): Promise<SiteSettings> => {
  const { agents, visits } = siteSettings
  return (await runOne(db.select({ agents, visits }).from(siteSettings))) ?? defaultSiteSettings
}
