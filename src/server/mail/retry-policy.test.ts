import { expect, test } from 'vitest'
import { nextStep } from './ladder.ts'

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
