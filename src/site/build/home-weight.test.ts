import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { longDate } from '#site/dates.ts'
import { proof } from '#site/proof.ts'
import { criticalBytes } from './check.ts'
import { brotli } from './compress.ts'

const { day } = proof()
const measured = day && longDate(new Date(day))
const home = readFileSync('dist/index.html', 'utf8')

test.skipIf(!measured || !home.includes(measured))(
  'home fits into the first flight on whatever day its figures are measured',
  async () => {
    const days = Array.from({ length: 12 }, (_, month) =>
      longDate(new Date(Date.UTC(2027, month, 2 * month + 1))),
    )
    const weights = days.map(
      async (other) => (await brotli(home.replaceAll(String(measured), other))).length,
    )
    expect(Math.max(...(await Promise.all(weights)))).toBeLessThanOrEqual(criticalBytes)
  },
)
