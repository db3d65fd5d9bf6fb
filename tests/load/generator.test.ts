import { expect, test } from 'vitest'
import { generate } from './generator.ts'

test('the latency of a stalled server includes all calls that were due meanwhile', async () => {
  const stall = new Promise<number>((resolve) => setTimeout(resolve, 400, 200))
  const { calls, p50, statuses } = await generate({ rate: 100, seconds: 0.2, call: () => stall })
  expect(calls).toBe(20)
  expect(statuses).toEqual({ 200: 20 })
  // Sent over 200 ms, all answered at 400: the middle one waited since it was due.
  expect(p50).toBeGreaterThan(200)
})

test('a broken connection is counted, not thrown', async () => {
  const call = () => Promise.reject(new Error('cut'))
  expect((await generate({ rate: 100, seconds: 0.03, call })).statuses).toEqual({ broken: 3 })
})
