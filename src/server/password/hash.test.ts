import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './hash.ts'

const WAITING = 100
const RUNNING = Math.max(1, availableParallelism() - 1)

test('a hundred checks wait at most; further ones are refused at once, and waiting ones are served', {
  timeout: 120_000,
}, async () => {
  const stored = await hashPassword('correct horse battery')
  const outcomes = await Promise.allSettled(
    Array.from({ length: RUNNING + WAITING + 5 }, () =>
      verifyPassword(stored, 'correct horse battery'),
    ),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(5)
  expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited' } })
  expect(await verifyPassword(undefined, 'correct horse battery')).toBe(false)
})
