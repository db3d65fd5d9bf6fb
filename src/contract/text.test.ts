import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { longText, oneLine } from './text.ts'

const line = oneLine('Name', { max: 10 })
const long = longText('Message', { max: 10 })
const accepts = (schema: typeof line, value: unknown): boolean => schema.safeParse(value).success

test('what is accepted is trimmed, normalised and within its length, and is accepted again unchanged', async () => {
  await fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 14 }), (value) => {
      for (const schema of [line, long]) {
        const result = schema.safeParse(value)
        if (!result.success) continue
        const text = result.data
        expect(text).toBe(text.trim().normalize('NFC'))
        expect([...text].length).toBeGreaterThan(0)
        expect([...text].length).toBeLessThanOrEqual(10)
        expect(text.isWellFormed()).toBe(true)
        expect(schema.parse(text)).toBe(text)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('no control character passes, but tabs and line breaks do in long texts', () => {
  for (let code = 0; code < 0xa0; code += 1) {
    const character = String.fromCodePoint(code)
    if (!/\p{Cc}/u.test(character)) continue
    expect(accepts(line, `a${character}b`)).toBe(false)
    expect(accepts(long, `a${character}b`)).toBe(['\t', '\n', '\r'].includes(character))
  }
})

test('CR LF is one line feed before counting', () => {
  expect(long.parse('1234\r\n6789\r')).toBe('1234\n6789')
  expect(long.parse('1\r\n\r\n\r\n\r\n\r\n789')).toBe('1\n\n\n\n\n789')
})

test('length is counted in code points', () => {
  expect(accepts(line, '👩‍💻'.replace('\u200d', ''))).toBe(true)
  expect(accepts(line, '😀'.repeat(10))).toBe(true)
  expect(accepts(line, '😀'.repeat(11))).toBe(false)
  expect(accepts(line, 'e\u0301'.repeat(10))).toBe(true)
})

test('lone surrogates are refused', () => {
  for (const value of ['\ud800', 'a\udc00b', '\udc00\ud800']) {
    expect(accepts(line, value)).toBe(false)
    expect(accepts(long, value)).toBe(false)
  }
})

test('one-line fields take no bidirectional controls, no line breaks and nothing of zero width', () => {
  for (const code of [
    0x061c, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066,
    0x2069, 0xfeff,
  ]) {
    const value = `a${String.fromCodePoint(code)}b`
    expect(accepts(line, value)).toBe(false)
    expect(accepts(long, value)).toBe(true)
  }
})

test('names of many scripts are welcome', () => {
  for (const name of ['Zoë O’Hara', 'Łukasz', 'محمد', 'שרה', '王小明', 'Nguyễn', "D'Arcy"])
    expect(accepts(line, name)).toBe(true)
})
