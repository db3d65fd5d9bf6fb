import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { absentIfBlank } from '#contract/inbox.ts'

/**
 * Sources of enquiries: counts of visits without identifiers, beside the submissions that they led
 * to.
 */

export const addVisit = endpoint('POST /api/visits', {
  summary: 'Count a visit, or a form begun in it: JSON sent as text; always a 204',
  access: 'public',
  takes: 'text/plain',
  body: z.unknown(),
  output: z.unknown(),
  status: 204,
})

export const sourceDays = ['7', '30', '90', '365'] as const
export type SourceDays = (typeof sourceDays)[number]

const query = z.object({
  days: absentIfBlank(z.enum(sourceDays, { error: 'Days is 7, 30, 90 or 365.' })),
})

const figures = {
  /** About: a visit without a script, or with a signal against tracking, is not counted. */
  visits: z.int(),
  begun: z.int(),
  /** Submissions; exact, as all that follow. */
  sent: z.int(),
  answered: z.int(),
  /** Answered within the promised time. */
  inTime: z.int(),
  /** Consultations completed and applications accepted. */
  accepted: z.int(),
  /** `sent / visits`; null under 20 visits. */
  rate: z.nullable(z.number()),
}

export const sourceRow = z.object({ source: z.string(), ...figures })
export type SourceRow = z.output<typeof sourceRow>
const pageRow = z.object({ page: z.string(), ...figures })
export type PageRow = z.output<typeof pageRow>

export const readSources = endpoint('GET /api/stats/sources', {
  summary: 'Visits and what became of them, by source and by landing page',
  access: 'records.read',
  scope: 'read',
  query,
  output: z.object({
    data: z.array(sourceRow),
    meta: z.object({ pages: z.array(pageRow) }),
  }),
})

export const exportSources = endpoint('GET /api/stats/sources.csv', {
  summary: 'The same by source, as CSV',
  access: 'records.remove',
  stepUp: true,
  query,
  output: z.string(),
  produces: 'text/csv',
})
