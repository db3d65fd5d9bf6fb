import { expect, test } from 'vitest'
import { attempted, newDraft, refused } from './draft.ts'

const first = '{"message":"first"}'
const second = '{"message":"second"}'

test('a retry of the same fields repeats the key and the elapsed time', () => {
  const sent = attempted(newDraft(), first, 4_000)
  const again = attempted(sent, first, 9_000)
  expect(again.key).toBe(sent.key)
  expect(again.attempt?.elapsedMs).toBe(4_000)
})

test('fields changed after a lost answer keep the key, so that no second record is made', () => {
  const sent = attempted(newDraft(), first, 4_000)
  expect(attempted(sent, second, 9_000).key).toBe(sent.key)
})

test('fields changed after a refusal get a new key', () => {
  const sent = refused(attempted(newDraft(), first, 4_000))
  expect(attempted(sent, second, 9_000).key).not.toBe(sent.key)
})

test('a retry after a refusal is no longer marked as refused', () => {
  const retried = attempted(refused(attempted(newDraft(), first, 4_000)), first, 9_000)
  expect(attempted(retried, second, 12_000).key).toBe(retried.key)
})

test('a key that the server knows with other content is not used again', () => {
  const sent = attempted(newDraft(), first, 4_000)
  const next = refused(sent, { keyTaken: true })
  expect(next.key).not.toBe(sent.key)
  expect(next.attempt).toBeUndefined()
})

test('keys are visible ASCII and never the same', () => {
  const keys = Array.from({ length: 100 }, () => newDraft().key)
  expect(new Set(keys).size).toBe(100)
  for (const key of keys) expect(key).toMatch(/^[!-~]{16,255}$/)
})
