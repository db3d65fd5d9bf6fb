import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { calendarDay, dayFrom, email, phone, preferredDate, webUrl } from './fields.ts'

const url = webUrl('Link')
const link = (value: string): string | null => {
  const result = url.safeParse(value)
  return result.success ? result.data : null
}

test('an address is what an e-mail field accepts, with a dot in the domain, kept as typed', () => {
  for (const value of [
    'a@b.co',
    'First.Last+tag@Sub.Example.org',
    "o'hara@mail.example",
    `${'a'.repeat(64)}@${'b'.repeat(60)}.example`,
  ])
    expect(email.parse(value)).toBe(value)
  for (const value of [
    'a@b',
    'a b@c.de',
    '@b.co',
    'a@-b.co',
    'a@b..co',
    'a@b.co\nBcc: x@y.zz',
    'a@b.co,x@y.zz',
    `${'a'.repeat(250)}@b.co`,
  ])
    expect(email.safeParse(value).success).toBe(false)
})

test('a phone number holds at least five digits and nothing but its signs', () => {
  for (const value of ['(123) 456-7890', '+44 20 7946 0000', '+1.555.0100x12345', '12345'])
    expect(phone.parse(value)).toBe(value)
  for (const value of ['1234', '(((((((', '12345 ext', '1'.repeat(33), '+٩٨٧٦٥٤'])
    expect(phone.safeParse(value).success).toBe(false)
})

test('links are http or https without user info, in canonical form', () => {
  expect(link('HTTPS://Example.COM/a b?q=é')).toBe('https://example.com/a%20b?q=%C3%A9')
  expect(link('http://bücher.example')).toBe('http://xn--bcher-kva.example/')
  for (const value of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'ftp://files.example/x',
    'file:///etc/passwd',
    '//example.com',
    'example.com',
    'http:example.com',
    'http://',
    'https://user@example.com',
    'https://user:secret@example.com',
    'https://exa\u0000mple.com',
    `https://example.com/${'a'.repeat(2_048)}`,
    `https://example.com/${'é'.repeat(1_000)}`,
  ])
    expect(link(value)).toBeNull()
})

test('a link that only its canonical form makes too long is told so', () => {
  const messages = (value: string) =>
    url.safeParse(value).error?.issues.map(({ message }) => message) ?? []
  expect(link(`https://example.com/${'é'.repeat(338)}`)).toHaveLength(2_048)
  expect(messages(`https://example.com/${'é'.repeat(339)}`)).toEqual([
    expect.stringContaining('too long'),
  ])
  expect(messages('example.com')).toEqual([expect.stringContaining('https://')])
})

test('whatever is accepted as a link stays what it is when read again', async () => {
  await fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (value) => {
      const once = link(value)
      if (once === null) return
      expect(link(once)).toBe(once)
      expect(['http:', 'https:']).toContain(new URL(once).protocol)
    }),
  )
})

test('a time means the calendar day of its UTC part', () => {
  expect(calendarDay('2026-12-01')).toBe('2026-12-01')
  expect(calendarDay('2026-12-01T23:59:59.999Z')).toBe('2026-12-01')
  expect(calendarDay('2026-12-01T23:30:00-05:00')).toBe('2026-12-02')
  for (const value of [
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '2026-13-01',
    '2026-1-1',
    '01/12/2026',
    '2026-12-01T25:00:00Z',
    '+012026-12-01T00:00:00Z',
    'tomorrow',
    '',
  ])
    expect(calendarDay(value)).toBeNull()
})

test('days are added before years, so that a leap day moves no month', () => {
  expect(dayFrom(new Date('2028-02-29'), { days: 1, years: -1 })).toBe('2027-03-01')
  expect(dayFrom(new Date('0001-01-31'), { days: 1 })).toBe('0001-02-01')
})

test('a preferred date is from yesterday to two years ahead', () => {
  const now = new Date()
  for (const day of [dayFrom(now, { days: -1 }), dayFrom(now, {}), dayFrom(now, { years: 2 })])
    expect(preferredDate.parse(day)).toBe(day)
  for (const day of [dayFrom(now, { days: -2 }), dayFrom(now, { years: 2, days: 1 })])
    expect(preferredDate.safeParse(day).success).toBe(false)
})
