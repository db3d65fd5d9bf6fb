import { defaultSiteSettings, type SiteSettings } from '#contract/site-settings.ts'
import type { Database } from './database.ts'
import { run } from './rows.ts'
import { siteSettings } from './schema/settings.ts'

export const findSiteSettings = async (db: Database): Promise<SiteSettings> => {
  const { agents, visits } = siteSettings
  const [found] = await run(db.select({ agents, visits }).from(siteSettings))
  return found ?? defaultSiteSettings
}
