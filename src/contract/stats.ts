import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { isoTimestamp } from './fields.ts'
import { limits } from './limits.ts'

/** Figures for the dashboard: UTC days, the inbox only. */

const counts = z.record(z.string(), z.int())

const owed = z.object({ dueSoon: z.int(), overdue: z.int() })

/** What the environment reports, for the operator. */
const warnings = ['disk_nearly_full', 'migration_pending', 'retention_overdue'] as const
export type Warning = (typeof warnings)[number]

const daysSentence = `Days is a whole number from 1 to ${limits.statsDays.max}.`

export const stats = endpoint({
  method: 'GET',
  path: '/api/stats',
  summary: 'Arrivals, stages, sources and what is due',
  access: 'records.read',
  query: z.object({
    days: z.optional(
      z.pipe(
        z.string().check(z.regex(/^\d{1,4}$/, daysSentence)),
        z.pipe(
          z.transform(Number),
          z.number().check(z.gte(1, daysSentence), z.lte(limits.statsDays.max, daysSentence)),
        ),
      ),
    ),
  }),
  output: z.object({
    data: z.object({
      days: z.array(
        z.object({
          day: z.string(),
          consultations: z.int(),
          applications: z.int(),
          contacts: z.int(),
        }),
      ),
      byStatus: z.object({ consultations: counts, applications: counts, contacts: counts }),
      byService: counts,
      byPosition: counts,
      bySource: counts,
      /** Hours from arrival to the first message or change of status, over consultations of these days; null without any. */
      medianHoursToFirstAnswer: z.nullable(z.number()),
      /** Consultations of these days: with a first answer, with one in the promised time, owed one still. */
      firstAnswers: z.object({ answered: z.int(), inTime: z.int(), waiting: z.int() }),
      /** Owed answers within 4 hours of `dueAt`, and past it. */
      dueSoon: z.int(),
      overdue: z.int(),
      /** The same by kind. */
      owed: z.object({ consultations: owed, applications: owed, contacts: owed }),
      mail: z.object({ waiting: z.int(), failed: z.int() }),
      /** Applicants whom nobody has answered, by position, the longest wait first. */
      unanswered: z.array(
        z.object({
          position: z.string(),
          count: z.int(),
          /** When the first of them applied. */
          since: isoTimestamp,
          /** The day by which they are answered, `YYYY-MM-DD`. */
          answerBy: z.nullable(z.string()),
          /** Whether the position has closed or closes within 7 days. */
          closing: z.nullable(z.enum(['closed', 'soon'])),
        }),
      ),
      warnings: z.array(z.enum(warnings)),
    }),
  }),
})
export type Stats = z.output<typeof stats.output>['data']
