import { v7 as uuid } from 'uuid'
import { type Plan, planFields, planQuestions, readPlan } from '#contract/plan.ts'
import { calendarDayText } from '#contract/times/moments.ts'
import type { BuiltPage, Deps } from '#server/deps.ts'
import { apiHeaders } from '#server/http/answer.ts'
import { type Changes, fill, idsIn } from '#server/pages/fill.ts'
import { planBoxChanges, planQuery } from '#server/pages/plan-box.ts'
import { serviceIds, serviceLabel } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import * as sheet from './sheet.ts'

/**
 * The consultation page with its plan filled in, and the form that opens with a plan: the two pages that
 * depend on the answers in their URL. Both are prerendered, and need no database.
 */

const noPlan: Plan = { goal: null, size: null, content: null, when: null, by: null }

export const hasPlan = ({ pathname, searchParams }: URL): boolean =>
  !isOff('/plan') &&
  (pathname === '/consultation' || pathname === '/consultation-form') &&
  planFields.some((name) => searchParams.has(name))

const bookHref = (plan: Plan): string =>
  `/consultation-form?${new URLSearchParams([['service', sheet.serviceFor(plan)], ...planQuery(plan)])}`

/** Leaves out the elements whose ids begin with `prefix`, but for those whose names are kept. */
const only = (ids: readonly string[], prefix: string, isKept: (name: string) => boolean): Changes =>
  Object.fromEntries(
    ids
      .filter((id) => id.startsWith(prefix) && !isKept(id.slice(prefix.length)))
      .map((id) => [`#${id}`, null]),
  )

const answerChanges = (plan: Plan): Changes => ({
  ...Object.fromEntries(
    planQuestions.flatMap((question) =>
      plan[question]
        ? [[`#plan-${question}-${plan[question]}`, { attributes: { checked: '' } }]]
        : [],
    ),
  ),
  ...(plan.by && { '#plan-by': { value: plan.by } }),
})

const countChanges = (plan: Plan): Changes => {
  const count = sheet.answeredCount(plan)
  return {
    '#plan-count': `${count} of ${planQuestions.length} answered`,
    ...Object.fromEntries(
      planQuestions.flatMap((_, index) =>
        index < count ? [] : [[`#pip-${index + 1}`, { attributes: { 'data-on': null } }]],
      ),
    ),
  }
}

const fittingSheet = (plan: Plan, ids: readonly string[], now: Date): Changes => {
  const { parts, blank } = sheet.chooseParts(plan, now)
  return {
    '#sheet-too-soon': null,
    '#plan-printed': calendarDayText(now.toISOString().slice(0, 10)),
    ...only(ids, 'part-', (part) => parts.has(part)),
    ...only(ids, 'blank-', (row) => blank.has(row)),
    ...only(ids, 'filled-', (row) => !blank.has(row)),
    ...(parts.has('ready-day') &&
      plan.by && {
        '#plan-day': calendarDayText(plan.by),
        '#plan-span': sheet.spanText(plan.by, now),
      }),
    ...(sheet.answeredCount(plan) > 0
      ? { [`#part-book-${sheet.serviceFor(plan)}`]: { attributes: { href: bookHref(plan) } } }
      : { '#sheet-plan': { attributes: { 'data-planned': null } } }),
  }
}

/** A launch that comes too soon: why, what to do instead, and two plans that would fit. */
const tooSoonSheet = (plan: Plan, now: Date): Changes => {
  const earliest = sheet.earliestLaunch(now)
  const later = planQuery({ ...plan, when: 'day', by: earliest })
  const smaller = planQuery({ ...plan, size: 's', when: 'open', by: null })
  return {
    '#sheet-plan': null,
    '#too-soon-why': sheet.tooSoonText(plan, now),
    '#too-soon-later': {
      text: `Set the day to ${calendarDayText(earliest)} or later`,
      attributes: { href: `/consultation?${later}#sheet` },
    },
    '#too-soon-smaller': { attributes: { href: `/consultation?${smaller}#sheet` } },
  }
}

/** A service stands on the page by a name that its owner chose, which may begin as those of the sheet do. */
const sheetIds = (html: string): string[] => idsIn(html).filter((id) => !serviceIds().includes(id))

const consultationPage = (html: string, plan: Plan, now: Date): string =>
  fill(html, {
    ...answerChanges(plan),
    ...countChanges(plan),
    ...(sheet.daysTooFew(plan, now) === null
      ? fittingSheet(plan, sheetIds(html), now)
      : tooSoonSheet(plan, now)),
  })

/** The island gets the same service as its markup, so that it takes over what stands there. */
const formPage = (html: string, plan: Plan | undefined, wanted: string | null): string => {
  const service =
    serviceIds().find((known) => known === wanted) ??
    (wanted ? 'custom' : sheet.serviceFor(plan ?? noPlan))
  const label = serviceLabel(service)
  return fill(html, {
    ...planBoxChanges(plan),
    '.chosen': label,
    '.read-only output': label,
    '[name=service]': { value: service },
    'astro-island': {
      attributes: { props: JSON.stringify({ service: [0, service], label: [0, label] }) },
    },
  })
}

const filled = (path: string, page: BuiltPage, { searchParams }: URL, now: Date): string => {
  const plan = readPlan(Object.fromEntries(searchParams))
  return path === 'plan/consultation'
    ? consultationPage(page.html, plan ?? noPlan, now)
    : formPage(page.html, plan, searchParams.get('service'))
}

/**
 * Answers a GET for one of the two pages, by its URL on the site or the one that it is rewritten to;
 * undefined where the site was not built.
 */
export const planPage = async (request: Request, page: Deps['page']) => {
  const url = new URL(request.url)
  const path = `plan/${url.pathname.split('/').at(-1)}`
  const built = await page(path)
  if (!built) return undefined
  return new Response(request.method === 'HEAD' ? null : filled(path, built, url, new Date()), {
    headers: {
      ...apiHeaders(uuid()),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': built.csp,
      'Cache-Control': 'private, no-cache',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
    },
  })
}
