import { expect, test } from 'vitest'
import { editsOf, isMadeOf } from './edits.ts'

const shown = (before: string, after: string) =>
  editsOf(before, after)
    .map(({ kind, text }) =>
      kind === 'same' ? text : kind === 'added' ? `+${text}+` : `-${text}-`,
    )
    .join('')

test('what was changed of a text is told by words', () => {
  expect(shown('Dear Ada, it costs 300.', 'Dear Ada, it costs 500.')).toBe(
    'Dear Ada, it costs -300.-+500.+',
  )
  expect(shown('One two', 'One two three')).toBe('One two+ three+')
  expect(shown('One two', 'two')).toBe('-One -two')
  expect(shown('Same\n\ntext', 'Same\n\ntext')).toBe('Same\n\ntext')
  expect(shown('', 'New')).toBe('+New+')
})

test('a text that has little of a draft was not made of it', () => {
  const draft = 'Thank you for your message, we answer tomorrow.'
  expect(isMadeOf(draft, editsOf(draft, 'Thank you for your message, we call today.'))).toBe(true)
  expect(isMadeOf(draft, editsOf(draft, 'Hello there'))).toBe(false)
})
