import { expect, test } from 'vitest'
import type { Plan } from '#contract/plan.ts'
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
  expect(serviceFor({ ...nothing, goal: 'care', size: 's' })).toBe('basic-package')
  expect(serviceFor({ ...nothing, goal: 'care', size: 'l' })).toBe('premium-package')
  for (const goal of ['site', 'shop', 'tool', 'unsure', null] as const)
    expect(serviceFor({ ...nothing, goal, size: 'l' })).toBe('website-creation')
  expect(parts({ goal: 'care' })).toContain('price-basic-package')
})

test('"by a day" counts as answered once it names the day', () => {
  expect(answeredCount({ ...nothing, when: 'day' })).toBe(0)
  expect(answeredCount({ ...nothing, when: 'day', by: '2027-02-15' })).toBe(1)
  expect(answeredCount({ ...nothing, by: '2027-02-15' })).toBe(1)
  expect(answeredCount({ ...nothing, when: 'open', by: '2027-02-15' })).toBe(1)
  expect(parts({ when: 'open', by: '2026-12-04' })).toContain('ready-open')
})

test('a launch sooner than four weeks is too soon, with the visitor’s own numbers', () => {
  const rush: Plan = { goal: 'site', size: 'm', content: 'none', when: 'day', by: '2026-12-04' }
  expect(daysTooFew(rush, now)).toBe(11)
  expect(tooSoonText(rush, now)).toBe(
    'You want 6 to 15 pages by Friday 4 December 2026, and nothing is written yet. That is 11 days.',
  )
  expect(earliestLaunch(now)).toBe('2026-12-21')
  expect(daysTooFew({ ...rush, by: '2026-12-21' }, now)).toBeNull()
  expect(daysTooFew({ ...rush, when: 'open' }, now)).toBeNull()
  expect(daysTooFew({ ...rush, goal: 'care' }, now)).toBeNull()
  expect(parts({ ...rush, by: '2026-11-22' })).toContain('ready-past')
})
