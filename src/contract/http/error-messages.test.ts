import { expect, test } from 'vitest'
import { fieldCountMessage, waitMessage } from './error-messages.ts'

test('a wait is rounded up, so that waiting as told is enough', () => {
  expect(waitMessage(1)).toBe('in 1 second')
  expect(waitMessage(59.2)).toBe('in 60 seconds')
  expect(waitMessage(60)).toBe('in 1 minute')
  expect(waitMessage(61)).toBe('in 2 minutes')
  expect(waitMessage(3_600)).toBe('in 60 minutes')
  expect(waitMessage(3_601)).toBe('in 2 hours')
  expect(waitMessage(86_399)).toBe('in 24 hours')
})

test('small counts are words', () => {
  expect(fieldCountMessage(1)).toBe('One field needs a look')
  expect(fieldCountMessage(2)).toBe('Two fields need a look')
  expect(fieldCountMessage(12)).toBe('12 fields need a look')
})
