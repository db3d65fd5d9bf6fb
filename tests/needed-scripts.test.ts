import { expect, test } from 'vitest'
import { LIMIT_KB, neededScripts } from '#tests/needed-scripts.ts'

test('the inbox can be used with few bytes of script, none of later screens among them', () => {
  const scripts = neededScripts()
  expect(scripts.length).toBeGreaterThan(3)
  const bytes = scripts.reduce((sum, { brotli }) => sum + brotli, 0)
  expect(bytes, scripts.map(({ path }) => path).join(', ')).toBeLessThanOrEqual(LIMIT_KB * 1_000)
})
