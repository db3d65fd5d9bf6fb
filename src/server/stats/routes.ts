import { limits } from '#contract/limits.ts'
import { stats, type Warning } from '#contract/stats.ts'
import type { Database } from '#server/db/database.ts'
import { markerAge } from '#server/db/markers.ts'
import { type Route, route } from '#server/http/route.ts'
import { readStats } from './store.ts'

/** The clean-up runs at least once a day: one missed night is no reason to worry anybody. */
const OVERDUE_SECONDS = 2 * 86_400

const retentionWarnings = async (db: Database): Promise<Warning[]> => {
  const age = await markerAge(db, 'retention')
  return age !== undefined && age > OVERDUE_SECONDS ? ['retention_overdue'] : []
}

export const statsRoutes: Route[] = [
  route(stats, async ({ query }, { db, warnings }) => {
    const [figures, ...reported] = await Promise.all([
      readStats(db, query.days ?? limits.statsDays.default),
      warnings(),
      retentionWarnings(db),
    ])
    return { data: { ...figures, warnings: reported.flat() } }
  }),
]
