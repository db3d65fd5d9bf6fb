/**
 * The answers to the four questions of the plan on the consultation page: values, labels and how they are
 * read. Without imports, so that pages use them freely.
 */

const answers = {
  goal: {
    site: 'Show what we do and bring enquiries',
    shop: 'Sell things',
    tool: 'Do work we now do in spreadsheets or chats',
    care: 'Stay correct and found: we have a live site',
    unsure: 'Not sure yet',
  },
  size: {
    s: 'Up to 5 pages',
    m: '6 to 15 pages',
    l: 'More than 15 pages',
    unsure: 'Not sure yet',
  },
  content: { ready: 'Ready', some: 'Some of them', none: 'Nothing yet' },
  when: { open: 'No fixed date', day: 'By a day' },
} as const

export const planQuestions = ['goal', 'size', 'content', 'when'] as const
export type PlanQuestion = (typeof planQuestions)[number]
export type PlanAnswer<Q extends PlanQuestion> = keyof (typeof answers)[Q] & string

/** What was answered; null where nothing was. `by` is a calendar day, `YYYY-MM-DD`. */
export type Plan = { [Q in PlanQuestion]: PlanAnswer<Q> | null } & { by: string | null }

export const planFields = [...planQuestions, 'by'] as const

const textOf = (question: PlanQuestion): Readonly<Record<string, string>> => answers[question]

/** The answers to choose from, in order. */
export const planOptions = (question: PlanQuestion): [value: string, label: string][] =>
  Object.entries(textOf(question))

export const planValues = <Q extends PlanQuestion>(question: Q) =>
  Object.keys(answers[question]) as PlanAnswer<Q>[]

const known = <Q extends PlanQuestion>(question: Q, value: unknown): PlanAnswer<Q> | null =>
  typeof value === 'string' && Object.hasOwn(answers[question], value)
    ? (value as PlanAnswer<Q>)
    : null

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

/** "Monday 15 February 2027". */
export const dayText = (day: string): string =>
  new Date(`${day}T00:00:00Z`)
    .toLocaleDateString('en-GB', { dateStyle: 'full', timeZone: 'UTC' })
    .replace(',', '')

/** The answers in words, for people; what was not answered is left out. */
export const planLines = (plan: Plan | null): [label: string, value: string][] => {
  if (!plan) return []
  const { goal, size, content, when, by } = plan
  const day = when !== 'open' && by ? dayText(by) : when && answers.when[when]
  const lines: [string, string | null][] = [
    ['Goal', goal && answers.goal[goal]],
    ['Size', size && answers.size[size]],
    ['Content', content && answers.content[content]],
    ['Live by', day],
  ]
  return lines.filter((line): line is [string, string] => line[1] !== null)
}

/** Nothing is built in less time than this; a sample until the owner decides (`src/content/plan.yaml`). */
export const leadWeeks = 4
