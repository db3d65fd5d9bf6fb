import { limits } from '#contract/limits.ts'
import { stats } from '#contract/stats.ts'
import { type Route, route } from '#server/http/route.ts'
import { readStats } from './store.ts'

export const statsRoutes: Route[] = [
  route(stats, async ({ query }, { db, warnings }) => {
    const [figures, reported] = await Promise.all([
      readStats(db, query.days ?? limits.statsDays.default),
      warnings(),
    ])
    return { data: { ...figures, warnings: reported } }
  }),
]
