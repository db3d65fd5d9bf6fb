import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('no more work at once than there are turns, in order of arrival', async () => {
  const inTurn = createTurns(2, 10)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const all = [0, 1, 2, 3].map((n) =>
    inTurn(async () => {
      begun.push(n)
      await new Promise<void>((resolve) => ends.push(resolve))
      return n
    }),
  )
  expect(begun).toEqual([0, 1])
  ends[1]?.()
  await all[1]
  expect(begun).toEqual([0, 1, 2])
  ends[0]?.()
  await all[0]
  expect(begun).toEqual([0, 1, 2, 3])
  for (const end of ends) end()
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3])
})

test('who comes when too many wait is told so at once, and work that fails frees its turn', async () => {
  const inTurn = createTurns(1, 1)
  const { promise: held, reject } = Promise.withResolvers<number>()
  const first = inTurn(() => held)
  const second = inTurn(() => Promise.resolve(2))
  expect(await inTurn(() => Promise.resolve(3))).toBeUndefined()
  reject(new Error('failed'))
  await expect(first).rejects.toThrow('failed')
  expect(await second).toBe(2)
  expect(await inTurn(() => Promise.resolve(4))).toBe(4)
})
