import { expect, test } from 'vitest'
import { splitQuoted } from './quoted-text.ts'

// Reading the rest again at each line would take minutes.
test('a text of empty lines is divided at once', { timeout: 20_000 }, () => {
  const text = `Hello${'\n '.repeat(200_000)}\nBye`
  expect(splitQuoted(text)).toEqual([{ text, isQuoted: false }])
})
