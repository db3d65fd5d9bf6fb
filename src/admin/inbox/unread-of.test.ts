import { expect, test } from 'vitest'
import { unreadOf } from './unread-of.ts'

test('while all that is owed is looked at, the unread are counted one by one', () => {
  expect(unreadOf({ matching: 12, seen: 12, opened: 4 }, 900)).toEqual({ n: 8, isMore: false })
})

test('of more than are looked at all count as unread that cannot have been opened here', () => {
  const many = { matching: 1_200, seen: 50, opened: 3 }
  expect(unreadOf(many, 0)).toEqual({ n: 1_197, isMore: false })
  expect(unreadOf(many, 40)).toEqual({ n: 1_157, isMore: true })
  expect(unreadOf(many, 9_000)).toEqual({ n: 47, isMore: true })
})
