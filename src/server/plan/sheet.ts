import { dayFrom } from '#contract/fields.ts'
import { type Plan, planQuestions } from '#contract/plan.ts'
import { calendarDayText } from '#contract/times/moments.ts'
import { content, lowered, packageServices, talkService } from '#site/content.ts'

/** Pure decisions about the sheet of a plan. The texts stand in `src/content/plan.json`. */

const DAY_MS = 86_400_000

/** Whole days from the day of `now` (UTC) to `day`. */
const daysUntil = (day: string, now: Date): number =>
  Math.round((Date.parse(day) - Date.parse(now.toISOString().slice(0, 10))) / DAY_MS)

/** The day by which it should be live; null where none was chosen or none matters. */
const deadline = ({ when, by }: Plan): string | null => (when === 'open' ? null : by)

/** A question counts as answered once its answer can be used: "by a day" needs the day. */
const isAnswered = (plan: Plan, question: (typeof planQuestions)[number]): boolean =>
  question === 'when' ? plan.when === 'open' || deadline(plan) !== null : plan[question] !== null

export const answeredCount = (plan: Plan): number =>
  planQuestions.filter((question) => isAnswered(plan, question)).length

const leadDays = (): number => content().plan.leadTime.weeks * 7

/** The service that a plan asks for: care for a live site is a package, all else the free talk. */
export const serviceFor = ({ goal, size }: Plan): string => {
  const packages = packageServices()
  return (goal === 'care' && packages.at(size === 'l' ? -1 : 0)) || talkService()
}

export const earliestLaunch = (now: Date): string => dayFrom(now, { days: leadDays() })

/** Days until a launch that comes too soon to be built; null where the plan fits. */
export const daysTooFew = (plan: Plan, now: Date): number | null => {
  const day = deadline(plan)
  if (!day || plan.goal === 'care') return null
  const days = daysUntil(day, now)
  return days >= 0 && days < leadDays() ? days : null
}

/** "3 days", "12 weeks". */
export const spanText = (day: string, now: Date): string => {
  const days = daysUntil(day, now)
  const [count, unit] = days < 14 ? [days, 'day'] : [Math.round(days / 7), 'week']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The package that may follow the talk, once the site is live. */
const packageAfter = ({ goal }: Plan): string | null => {
  const packages = packageServices()
  if (goal === 'shop') return packages.at(-1) ?? null
  return goal === 'site' || goal === 'tool' ? (packages[0] ?? null) : null
}

/** The parts of the drawn sheet that one row shows; none leaves it blank. */
const rows: Readonly<Record<string, (plan: Plan, now: Date) => (string | null)[]>> = {
  scope: ({ goal, size }) =>
    goal || size
      ? [`noun-${goal ?? 'unsure'}`, size && `size-${size}`, `scope-${goal ?? 'unsure'}`]
      : [],
  steps: ({ goal }) => (goal ? [goal === 'care' ? 'steps-care' : 'steps-build'] : []),
  start: (plan) => {
    const after = packageAfter(plan)
    return plan.goal ? [`start-${serviceFor(plan)}`, after && `after-${after}`] : []
  },
  prepare: ({ content, goal }) => (content ? [`prepare-${content}`, goal && `also-${goal}`] : []),
  price: (plan) => {
    if (!plan.goal) return []
    const service = serviceFor(plan)
    if (service !== talkService()) return [`price-${service}`]
    return [plan.size && `price-${plan.goal}-${plan.size}`, 'price-talk']
  },
  ready: (plan, now) => {
    const day = deadline(plan)
    if (day) return [daysUntil(day, now) < 0 ? 'ready-past' : 'ready-day']
    return plan.when === 'open' ? ['ready-open'] : []
  },
}

/** Names the parts to show, without those that the page may not have, and the rows that stay blank. */
export const chooseParts = (plan: Plan, now: Date) => {
  const chosen = Object.entries(rows).map(
    ([row, choose]) => [row, choose(plan, now).filter((part) => part !== null)] as const,
  )
  const count = answeredCount(plan)
  const foot =
    count === 0
      ? ['foot-empty']
      : ['foot-planned', `book-${serviceFor(plan)}`, count < 4 ? 'note-open' : 'note-complete']
  return {
    parts: new Set([...chosen.flatMap(([, parts]) => parts), ...foot]),
    blank: new Set(chosen.flatMap(([row, parts]) => (parts.length === 0 ? [row] : []))),
  }
}

const readiness = {
  none: ', and nothing is written yet',
  some: ', and some of the texts are missing',
}

/** The reason that a launch day is too soon, in the visitor's own numbers. */
export const tooSoonText = ({ size, content: texts, by }: Plan, now: Date): string => {
  const { answers } = content().plan.questions.size
  const what = size && size !== 'unsure' ? lowered(answers[size]) : 'it'
  const missing = texts && texts !== 'ready' ? readiness[texts] : ''
  const day = by ?? ''
  return `You want ${what} by ${calendarDayText(day)}${missing}. That is ${spanText(day, now)}.`
}
