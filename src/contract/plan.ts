import { calendarDayText } from '#contract/times/moments.ts'

/**
 * The answers to the four questions of the plan on the consultation page: values and how they are read; their
 * texts are content. Without schemas, so that pages use them freely.
 */

const answers = {
  goal: ['site', 'shop', 'tool', 'care', 'unsure'],
  size: ['s', 'm', 'l', 'unsure'],
  content: ['ready', 'some', 'none'],
  when: ['open', 'day'],
} as const

export const planQuestions = ['goal', 'size', 'content', 'when'] as const
export type PlanQuestion = (typeof planQuestions)[number]
type PlanAnswer<Q extends PlanQuestion> = (typeof answers)[Q][number]

/** The answers; null for an unanswered question. `by` is a calendar day, `YYYY-MM-DD`. */
export type Plan = { [Q in PlanQuestion]: PlanAnswer<Q> | null } & { by: string | null }

export const planFields = [...planQuestions, 'by'] as const

export type PlanTexts = {
  readonly [Q in PlanQuestion]: { text: string; answers: Readonly<Record<PlanAnswer<Q>, string>> }
}

export const planValues = <Q extends PlanQuestion>(question: Q): (typeof answers)[Q] =>
  answers[question]

const known = <Q extends PlanQuestion>(question: Q, value: unknown): PlanAnswer<Q> | null =>
  answers[question].find((answer): answer is PlanAnswer<Q> => answer === value) ?? null

const dayThatExists = (value: unknown): string | null => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? value : null
}

/** Reads a plan from outside: unknown values count as absent, and so does a plan without any answer. */
export const readPlan = (given: unknown): Plan | undefined => {
  if (typeof given !== 'object' || given === null) return undefined
  const values = given as Record<string, unknown>
  const plan: Plan = {
    goal: known('goal', values.goal),
    size: known('size', values.size),
    content: known('content', values.content),
    when: known('when', values.when),
    by: dayThatExists(values.by),
  }
  return Object.values(plan).some((answer) => answer !== null) ? plan : undefined
}

/** A form has no nested fields: its `plan_goal` is the `goal` of the plan. */
export const planFieldName = (name: (typeof planFields)[number]): string => `plan_${name}`

/** The plan's fields of a form's body, not read yet; undefined where it has none. */
export const nestedPlan = (body: unknown): Record<string, unknown> | undefined => {
  const values: Record<string, unknown> = Object(body)
  const given = planFields.filter((name) => Object.hasOwn(values, planFieldName(name)))
  if (given.length === 0) return undefined
  return Object.fromEntries(given.map((name) => [name, values[planFieldName(name)]]))
}

/** The answers in words, for people; what was not answered is left out. */
export const planLines = (
  plan: Plan | null,
  texts: PlanTexts,
): [label: string, value: string][] => {
  if (!plan) return []
  const { goal, size, content, when, by } = plan
  const day = when !== 'open' && by ? calendarDayText(by) : when && texts.when.answers[when]
  const lines: [string, string | null][] = [
    ['Goal', goal && texts.goal.answers[goal]],
    ['Size', size && texts.size.answers[size]],
    ['Content', content && texts.content.answers[content]],
    ['Live by', day],
  ]
  return lines.filter((line): line is [string, string] => line[1] !== null)
}
