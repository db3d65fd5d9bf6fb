import { expect, test } from 'vitest'
import { nextStep, retryAfterSeconds } from './retry-policy.ts'

const temporary = { outcome: 'temporary', error: '503' } as const

test('a temporary failure is tried again after 30 s, 2 and 10 minutes, 1, 6 and 12 hours', () => {
  const steps = [1, 2, 3, 4, 5, 6].map((attempt) => nextStep(temporary, attempt))
  expect(steps.map((step) => 'delay' in step && step.delay)).toEqual([
    30, 120, 600, 3_600, 21_600, 43_200,
  ])
})

test('the seventh failure is the last', () => {
  expect(nextStep(temporary, 7)).toEqual({ status: 'failed', error: '503' })
})

test('a permanent failure is not tried again', () => {
  expect(nextStep({ outcome: 'permanent', error: '422' }, 1)).toEqual({
    status: 'failed',
    error: '422',
  })
})

test('a receiver can make the pause longer, not shorter', () => {
  const asking = (retryAfter: number) => nextStep({ ...temporary, retryAfter }, 1)
  expect(asking(300)).toMatchObject({ delay: 300 })
  expect(asking(1)).toMatchObject({ delay: 30 })
})

test('Retry-After is read as seconds or as a date, up to one day', () => {
  expect(retryAfterSeconds('120')).toBe(120)
  expect(retryAfterSeconds(new Date(Date.now() + 3_600_000).toUTCString())).toBeGreaterThan(3_500)
  expect(retryAfterSeconds('9999999')).toBe(86_400)
  for (const nothing of [null, undefined, '', 'soon', '-5', '0', 'Thu, 01 Jan 1970 00:00:00 GMT'])
    expect(retryAfterSeconds(nothing)).toBeUndefined()
})
