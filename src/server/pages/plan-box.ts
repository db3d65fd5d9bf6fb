import { type Plan, planFieldName, planFields, planLines } from '#contract/plan.ts'
import { content } from '#site/content.ts'
import type { Changes } from './fill.ts'

/** The search parameters that give the consultation page these answers. */
export const planQuery = (plan: Partial<Plan>): URLSearchParams =>
  new URLSearchParams(
    planFields.flatMap((name) => {
      const value = plan[name]
      return value ? [[name, value]] : []
    }),
  )

/**
 * Fills the box "From your plan" beside a form (`plan-box.astro`), and the fields that send the plan with
 * it; without a plan the box is left out.
 */
export const planBoxChanges = (plan: Plan | undefined): Changes => {
  if (!plan) return { '.from': null }
  const fields = planFields.map((name): [string, Changes[string]] => [
    `[name=${planFieldName(name)}]`,
    plan[name] === null ? null : { value: plan[name] },
  ])
  return {
    '.from a': { attributes: { href: `/consultation?${planQuery(plan)}#plan` } },
    '.plan-answer': planLines(plan, content().plan.questions).map(([dt, dd]) => ({ dt, dd })),
    ...Object.fromEntries(fields),
  }
}
