import { expect, test } from 'vitest'
import { moneyText } from './money.ts'

test('amounts are in the smallest unit of ISO 4217, whatever the machine knows of a currency', () => {
  // The code is followed by a space that does not break.
  for (const [currency, amount, text] of [
    ['USD', 150_050, '$1,500.50'],
    ['JPY', 1_500, '¥1,500'],
    ['KWD', 1_450, 'KWD 1.450'],
    ['RSD', 150_000, 'RSD 1,500.00'],
    ['HUF', 150_000, 'HUF 1,500.00'],
    ['IDR', 150_000, 'IDR 1,500.00'],
    ['IQD', 1_450, 'IQD 1.450'],
    ['CLF', 15_000, 'CLF 1.5000'],
  ] as const)
    expect(moneyText(amount, currency).replace('\u{a0}', ' ')).toBe(text)
})
