import * as z from 'zod/mini'
import { type PlanQuestion, planValues } from '#contract/plan.ts'
import { entryId, line, point, sample, text, title } from './fields.ts'

/** A step of a consultation. `summary` is the home page's one line. */
export const consultationStep = z.strictObject({ ...point, summary: text })

/**
 * A service that can be booked, the first talk before packages; the API takes the ids as `service`.
 */
export const consultationService = z.strictObject({
  title,
  /** Whole units of the brand's currency, a month unless it is paid once; without it the service is free. */
  monthly: z.optional(z.int().check(z.positive())),
  once: z.optional(z.boolean()),
  /** In mails, forms and the admin; `{price}` becomes the price. */
  label: line,
  tag: line,
  summary: text,
  duration: text,
  /** A package's features each name their subject, so that packages can be compared. */
  features: z.array(z.strictObject({ subject: z.optional(text), text })).check(z.minLength(1)),
  recommended: z.boolean(),
  type: z.enum(['website', 'package']),
  button: line,
})

const parts = z.array(text).check(z.minLength(1))

const goal = z.enum(planValues('goal'))

const question = <Q extends PlanQuestion>(name: Q) =>
  z.strictObject({ text, answers: z.record(z.enum(planValues(name)), text) })

/**
 * Questions and answers of the plan on /consultation; `server/plan/sheet.ts` decides which parts to
 * show.
 */
export const plan = z.strictObject({
  questions: z.strictObject({
    goal: question('goal'),
    size: question('size'),
    content: question('content'),
    when: question('when'),
  }),
  scopes: z.record(
    goal,
    z.strictObject({
      noun: text,
      /** A service of `services`, whose features are the scope. */
      service: z.optional(entryId),
      items: z.optional(z.array(text)),
    }),
  ),
  steps: z.strictObject({ build: parts, care: parts }),
  prepare: z.record(z.enum(planValues('content')), parts),
  also: z.partialRecord(goal, text),
  prices: z.array(z.strictObject({ goal, size: z.enum(planValues('size')), text, sample })),
  instead: parts,
  /** Sentences of the sheet; in `tooSoon` `{weeks}` becomes the lead time. */
  notes: z.strictObject({
    price: text,
    open: text,
    day: text,
    live: text,
    shop: text,
    tooSoon: text,
  }),
  /** Nothing is built in less time than this. */
  leadTime: z.strictObject({ weeks: z.int().check(z.positive()), sample }),
})

/** The forms' words for a choice outside the list. */
export const forms = z.strictObject({
  otherService: z.strictObject({ label: line, tag: line }),
  otherPosition: z.strictObject({ label: line, tag: line }),
})
