import { expect, test } from 'vitest'
import type { Plan } from '#contract/plan.ts'
import { content, lowered, packageServices, talkService, withContent } from '#site/content.ts'
import {
  answeredCount,
  chooseParts,
  daysTooFew,
  earliestLaunch,
  serviceFor,
  tooSoonText,
} from './sheet.ts'

const now = new Date('2026-11-23T22:00:00Z')
const nothing: Plan = { goal: null, size: null, content: null, when: null, by: null }
const parts = (answers: Partial<Plan>) => [...chooseParts({ ...nothing, ...answers }, now).parts]
const blank = (answers: Partial<Plan>) => [...chooseParts({ ...nothing, ...answers }, now).blank]

test('each answer fills its rows, and the others stay blank', () => {
  expect(blank({})).toEqual(['scope', 'steps', 'start', 'prepare', 'price', 'ready'])
  expect(parts({})).toEqual(['foot-empty'])
  expect(blank({ goal: 'shop', size: 'm' })).toEqual(['prepare', 'ready'])
  expect(blank({ content: 'none' })).toEqual(['scope', 'steps', 'start', 'price', 'ready'])
  expect(blank({ when: 'open' })).not.toContain('ready')
  expect(parts({ goal: 'shop', size: 'm', content: 'some' })).toEqual(
    expect.arrayContaining(['noun-shop', 'size-m', 'scope-shop', 'price-shop-m', 'also-shop']),
  )
})

test('care for a live site leads to a package, everything else to the free talk', () => {
  const packages = packageServices()
  const smallest = packages[0] ?? talkService()
  expect(serviceFor({ ...nothing, goal: 'care', size: 's' })).toBe(smallest)
  expect(serviceFor({ ...nothing, goal: 'care', size: 'l' })).toBe(packages.at(-1) ?? smallest)
  for (const goal of ['site', 'shop', 'tool', 'unsure', null] as const)
    expect(serviceFor({ ...nothing, goal, size: 'l' })).toBe(talkService())
  if (packages[0]) expect(parts({ goal: 'care' })).toContain(`price-${smallest}`)
})

test('"by a day" counts as answered once it names the day', () => {
  expect(answeredCount({ ...nothing, when: 'day' })).toBe(0)
  expect(answeredCount({ ...nothing, when: 'day', by: '2027-02-15' })).toBe(1)
  expect(answeredCount({ ...nothing, by: '2027-02-15' })).toBe(1)
  expect(answeredCount({ ...nothing, when: 'open', by: '2027-02-15' })).toBe(1)
  expect(parts({ when: 'open', by: '2026-12-04' })).toContain('ready-open')
})

test('a launch sooner than the lead time is too soon, with the visitor’s own numbers', () => {
  const rush: Plan = { goal: 'site', size: 'm', content: 'none', when: 'day', by: '2026-12-04' }
  const { plan } = content()
  withContent({ ...content(), plan: { ...plan, leadTime: { weeks: 4 } } }, () => {
    expect(daysTooFew(rush, now)).toBe(11)
    expect(tooSoonText(rush, now)).toBe(
      `You want ${lowered(plan.questions.size.answers.m)} by Friday 4 December 2026, and nothing is written yet. That is 11 days.`,
    )
    expect(earliestLaunch(now)).toBe('2026-12-21')
    expect(daysTooFew({ ...rush, by: '2026-12-21' }, now)).toBeNull()
    expect(daysTooFew({ ...rush, when: 'open' }, now)).toBeNull()
    expect(daysTooFew({ ...rush, goal: 'care' }, now)).toBeNull()
    expect(parts({ ...rush, by: '2026-11-22' })).toContain('ready-past')
  })
})
