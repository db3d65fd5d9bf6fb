import { expect, test } from 'vitest'
import { amountProblem, readAmount, shownAmount } from './amount.ts'

test('amounts are read as people type them', () => {
  for (const [typed, digits, amount] of [
    ['1,450.00', 2, 145_000],
    ['1.450,00', 2, 145_000],
    ['1 450', 2, 145_000],
    ['79', 2, 7_900],
    ['79,5', 2, 7_950],
    ['0', 2, 0],
    ['1500', 0, 1_500],
    ['1.250', 3, 1_250],
    ['1,250', 3, 1_250_000],
    ['1,250.500', 3, 1_250_500],
    ['1.250,500', 3, 1_250_500],
    ['1 250,500', 3, 1_250_500],
    ['1.250.500', 3, 1_250_500_000],
    ['0,500', 3, 500],
    ['1.250', 4, 12_500],
    ['1.250', 2, 125_000],
    ['', 2, null],
    ['a lot', 2, null],
    ['-5', 2, null],
    ['1.505', 0, 1_505],
    ['10.5', 0, null],
  ] as const)
    expect([typed, readAmount(typed, digits)]).toEqual([typed, amount])
  expect(shownAmount(145_050, 2)).toBe('1450.50')
})

test('an amount is read as its field shows it', () => {
  for (const digits of [0, 2, 3])
    for (const amount of [0, 5, 1_450, 145_050, 1_000_000, 1_000_000_000])
      expect(readAmount(shownAmount(amount, digits), digits)).toBe(amount)
})

test('a wrong amount is told apart from a missing one', () => {
  for (const [typed, currency, problem] of [
    ['1,450.00', 'USD', undefined],
    ['0', 'USD', undefined],
    [' ', 'USD', 'How much is it? Write 0 if it is free.'],
    ['abc', 'USD', '“abc” is not an amount. Write it like 1450.00.'],
    ['10.5', 'JPY', '“10.5” is not an amount. Write it like 1450.'],
    ['10000000.01', 'USD', 'The most is $10,000,000.00.'],
  ] as const)
    expect([typed, amountProblem(typed, currency)]).toEqual([typed, problem])
})
