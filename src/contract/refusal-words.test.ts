import { expect, test } from 'vitest'
import { countWords, waitWords } from './refusal-words.ts'

test('a wait is rounded up, so that waiting as told is enough', () => {
  expect(waitWords(1)).toBe('in 1 second')
  expect(waitWords(59.2)).toBe('in 60 seconds')
  expect(waitWords(60)).toBe('in 1 minute')
  expect(waitWords(61)).toBe('in 2 minutes')
  expect(waitWords(3_600)).toBe('in 60 minutes')
})

test('small counts are words', () => {
  expect(countWords(1)).toBe('One field needs a look')
  expect(countWords(2)).toBe('Two fields need a look')
  expect(countWords(12)).toBe('12 fields need a look')
})
