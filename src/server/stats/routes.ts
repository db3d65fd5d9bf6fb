import { dayFrom } from '#contract/fields.ts'
import type { QueryOf } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import * as contract from '#contract/stats.ts'
import type { Database } from '#server/db/drizzle.ts'
import { markerAge } from '#server/db/markers.ts'
import { csvFile } from '#server/http/csv.ts'
import { invalidField } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import { logExport } from '#server/mail-out/store/account.ts'
import { readAnswers, readStats } from './store/figures.ts'

/** The clean-up runs at least once a day: one missed night is no reason to worry anybody. */
const OVERDUE_SECONDS = 2 * 86_400

const retentionWarnings = async (db: Database): Promise<contract.Warning[]> => {
  const age = await markerAge(db, 'retention')
  return age !== undefined && age > OVERDUE_SECONDS ? ['retention_overdue'] : []
}

/** @throws HttpError `invalid` */
const rangeOf = ({ by = 'kind', from: first, to: last }: QueryOf<typeof contract.readAnswers>) => {
  const to = last ?? dayFrom(new Date())
  const from = first ?? dayFrom(new Date(to), { days: 1 - limits.statsDays.default })
  if (from > to) throw invalidField('from', 'From is not after to.')
  if (dayFrom(new Date(from), { days: limits.statsDays.max }) < to)
    throw invalidField('from', `At most ${limits.statsDays.max + 1} days.`)
  return { by, from, to }
}

const columns = ['due', 'inTime', 'late', 'open', 'share'] as const

export const statsRoutes: Route[] = [
  route(contract.stats, async ({ query }, { db, warnings }) => {
    const [figures, ...reported] = await Promise.all([
      readStats(db, query.days ?? limits.statsDays.default),
      warnings(),
      retentionWarnings(db),
    ])
    return { data: { ...figures, warnings: reported.flat() } }
  }),

  route(contract.readAnswers, async ({ query }, { db }) => {
    const { by, from, to } = rangeOf(query)
    const { parts, total } = await readAnswers(db, { by, from, to })
    return { data: parts, meta: { from, to, total } }
  }),

  route(contract.exportAnswers, async ({ query, actor, request }, { db, deliver }) => {
    const { by, from, to } = rangeOf(query)
    const { parts } = await readAnswers(db, { by, from, to })
    await logExport(db, actor, { target: 'answers' })
    request.afterResponse(deliver())
    const lines = parts.map(({ key, ...counts }) => ({ [by]: key, ...counts }))
    return csvFile(`answers-by-${by}-${from}-${to}`, [by, ...columns], lines)
  }),
]
