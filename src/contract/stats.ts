import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { isoTimestamp } from './fields.ts'
import { absentIfBlank, byKind, groupCounts, groups, periodDays, utcDay } from './inbox.ts'
import { limits } from './limits.ts'

/** Figures for the dashboard: UTC days, the inbox only. */

const counts = z.record(z.string(), z.int())

const owed = z.object({ dueSoon: z.int(), overdue: z.int() })

const answers = z.object({
  due: z.int(),
  inTime: z.int(),
  late: z.int(),
  open: z.int(),
  /** `inTime / due`; null under 5. */
  share: z.nullable(z.number()),
})
export type Answers = z.output<typeof answers>

/** The last name of a position or service that the site has no more; absent for one that it has. */
const lastName = z.optional(z.string())

const warnings = ['disk_nearly_full', 'migration_pending', 'retention_overdue'] as const
export type Warning = (typeof warnings)[number]

export const stats = endpoint('GET /api/stats', {
  summary: 'Arrivals, stages, sources and what is due',
  access: 'records.read',
  scope: 'read',
  query: z.object({
    days: z.optional(periodDays(`${limits.statsDays.default} by default`)),
  }),
  output: z.object({
    data: z.object({
      days: z.array(z.object({ day: z.string(), ...byKind(z.int()).shape })),
      byStatus: byKind(counts),
      byService: counts,
      byPosition: counts,
      bySource: counts,
      /**
       * Hours from arrival to the first message or change of status, over consultations and contacts of these
       * days; null without any.
       */
      medianHoursToFirstAnswer: z.nullable(z.number()),
      /** The inbox by kind and group. */
      groups: byKind(groupCounts),
      /** Answers that fell due in these days, given or not. */
      answers,
      answersByKind: byKind(answers),
      /** The first end of a snooze, and the first due time. */
      nextBack: z.nullable(isoTimestamp),
      nextDue: z.nullable(isoTimestamp),
      /** Records of the groups due and late: within 4 hours of `dueAt`, and all of late. */
      ...owed.shape,
      owed: byKind(owed),
      /** Offers of these days by what became of them, and what the accepted ones are worth. */
      offers: z.object({
        sent: z.int(),
        accepted: z.int(),
        declined: z.int(),
        expired: z.int(),
        value: z.array(z.object({ currency: z.string(), once: z.int(), month: z.int() })),
      }),
      /** Consultations that were offered times in these days, and those of them that booked one since. */
      times: z.object({
        offered: z.int(),
        booked: z.int(),
        /** Time between the first offer and the booking; null without any. */
        medianHoursToBooking: z.nullable(z.number()),
      }),
      mail: z.object({ waiting: z.int(), failed: z.int() }),
      /** Applicants whom nobody has answered, by position and group, the longest wait first. */
      unanswered: z.array(
        z.object({
          position: z.string(),
          label: lastName,
          group: z.enum(groups),
          count: z.int(),
          /** The time of the first application among them. */
          since: isoTimestamp,
          /** The day by which they are answered, `YYYY-MM-DD`. */
          answerBy: z.nullable(z.string()),
          /** The position's state if it has closed or closes within 7 days. */
          closing: z.nullable(z.enum(['closed', 'soon'])),
        }),
      ),
      warnings: z.array(z.enum(warnings)),
    }),
  }),
})
export type Stats = z.output<typeof stats.output>['data']

/** The ways to divide answers; `person` is whom a record is assigned to now, `month` that of the promised time. */
export const answerDivisions = ['kind', 'service', 'position', 'person', 'month'] as const
export type AnswerDivision = (typeof answerDivisions)[number]

const rangeDay = absentIfBlank(
  utcDay('A UTC day, YYYY-MM-DD; both are included, the last 30 days by default'),
)

const answersQuery = z.object({
  by: absentIfBlank(z.enum(answerDivisions, { error: 'Unknown division.' })),
  from: rangeDay,
  to: rangeDay,
})

export const readAnswers = endpoint('GET /api/stats/answers', {
  summary: 'Answers that fell due in a range of days, by kind, service, position, person or month',
  access: 'records.read',
  scope: 'read',
  query: answersQuery,
  output: z.object({
    data: z.array(
      z.object({
        /** A kind, an id of the content, a username or `none`, or a month such as `2026-11`. */
        key: z.string(),
        label: lastName,
        ...answers.shape,
      }),
    ),
    meta: z.object({ from: z.string(), to: z.string(), total: answers }),
  }),
})
export type AnswerRow = z.output<typeof readAnswers.output>['data'][number]

export const exportAnswers = endpoint('GET /api/stats/answers.csv', {
  summary: 'The same as CSV',
  access: 'records.remove',
  stepUp: true,
  query: answersQuery,
  output: z.string(),
  produces: 'text/csv',
})
