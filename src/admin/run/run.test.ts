import { expect, test } from 'vitest'
import { currentOf, doneCount, finish, type Run, runFor, skip, takeBack } from './run.ts'

const now = new Date(2026, 10, 20, 9, 12)
const at = (hours: number) => new Date(2026, 10, 20, hours).toISOString()
const owed = (...ids: string[]) =>
  ids.map((_id) => ({
    _id,
    kind: 'consultations' as const,
    lastMessageAt: null,
    waitingFor: 'us' as const,
  }))
const replied = { outcome: { is: 'replied' }, at: at(9), change: 'key' } as const
const idsOf = ({ items }: Run) => items.map(({ id }) => id)

test('each decision leads to the next record, and taking it back leads back', () => {
  const run = runFor(null, owed('a', 'b', 'c'), now)
  const second = finish(run, 'a', replied)
  expect(currentOf(second)?.id).toBe('b')
  expect(doneCount(second)).toBe(1)
  expect(currentOf(takeBack(second, 'key'))?.id).toBe('a')
  expect(takeBack(second, 'another key')).toBe(second)
  const skipped = skip(second, 'b')
  expect(idsOf(skipped)).toEqual(['a', 'c', 'b'])
})

test('a run that was left goes on the same day, with what has come since', () => {
  const left = finish(runFor(null, owed('a', 'b'), now), 'a', replied)
  const taken = runFor(left, owed('b', 'new'), now)
  expect(idsOf(taken)).toEqual(['a', 'b', 'new'])
  expect(doneCount(taken)).toBe(1)
  const tomorrow = new Date(2026, 10, 21, 9)
  expect(idsOf(runFor(left, owed('b'), tomorrow))).toEqual(['b'])
})

test('what is assigned does not come again, what was set aside does when its time has come', () => {
  const run = runFor(null, owed('a', 'b'), now)
  const assigned = finish(run, 'a', { outcome: { is: 'assigned', to: 'eli' }, at: at(9) })
  const over = finish(assigned, 'b', { outcome: { is: 'later', until: at(11) }, at: at(9) })
  expect(runFor(over, owed('a', 'b'), now)).toEqual(over)
  expect(idsOf(runFor(over, owed('a', 'b'), new Date(2026, 10, 20, 12)))).toEqual(['b'])
  const [a] = owed('a').map((record) => ({ ...record, lastMessageAt: at(10) }))
  expect(a && idsOf(runFor(over, [a], now))).toEqual(['a'])
})

test('who was answered comes again with an answer of their own, not with one’s reply', () => {
  const done = finish(runFor(null, owed('a', 'b'), now), 'a', replied)
  const [a, b] = owed('a', 'b')
  if (!a || !b) throw new Error('Nothing is owed')
  const written = { ...a, lastMessageAt: at(10) }
  expect(currentOf(runFor(done, [{ ...written, waitingFor: 'them' }, b], now))?.id).toBe('b')
  expect(currentOf(runFor(done, [written, b], now))?.id).toBe('a')
})
