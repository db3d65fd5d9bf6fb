import { expect, test } from 'vitest'
import { isNearlyFull, machineWarnings } from './warnings.ts'

const GB = 1024 ** 3

test('a disk is nearly full below half a gigabyte, or below a twentieth of a small one', () => {
  expect(isNearlyFull({ free: 0.6 * GB, total: 100 * GB })).toBe(false)
  expect(isNearlyFull({ free: 0.4 * GB, total: 100 * GB })).toBe(true)
  expect(isNearlyFull({ free: 0.4 * GB, total: 4 * GB })).toBe(false)
  expect(isNearlyFull({ free: 0.1 * GB, total: 4 * GB })).toBe(true)
})

test('a folder that nobody has made is no reason to warn', async () => {
  expect(await machineWarnings({ dataDir: '/nowhere/at/all' })()).toEqual([])
})
