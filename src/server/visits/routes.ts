import * as contract from '#contract/visits.ts'
import type { Deps } from '#server/deps.ts'
import { csvFile } from '#server/http/csv.ts'
import { type Route, route } from '#server/http/route.ts'
import { logExport } from '#server/mail-out/store/account.ts'
import { readBeacon } from './beacon.ts'
import { readSources } from './store.ts'

/** With what this process has counted and not stored yet. */
const read = async ({ db, visits }: Deps, days: contract.SourceDays = '30') => {
  await visits.fold()
  return readSources(db, Number(days))
}

export const visitRoutes: Route[] = [
  route(contract.addVisit, async ({ request }, { visits, config }) => {
    const counted = readBeacon(request.rawBody, request.headers, config.siteUrl)
    if (counted) await visits.add(counted)
    return new Response(null, { status: 204 })
  }),

  route(contract.readSources, async ({ query }, deps) => {
    const { sources, pages } = await read(deps, query.days)
    return { data: sources, meta: { pages } }
  }),

  route(contract.exportSources, async ({ query, actor, request }, deps) => {
    const { sources } = await read(deps, query.days)
    await logExport(deps.db, actor, { target: 'visits' })
    request.afterResponse(deps.deliver())
    return csvFile(
      `sources-${query.days ?? '30'}-days`,
      Object.keys(contract.sourceRow.shape),
      sources,
    )
  }),
]
