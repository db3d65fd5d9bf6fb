import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { BrokenCalendar, readCalendar } from './calendar.ts'

/**
 * Calendar files as common programs write them, and hostile ones. Each names in `X-EXPECT` lines what must be
 * read of it in November 2026 by an owner in Berlin: a time as START/END, `problem TEXT`, or `broken`.
 */
const window = {
  zone: 'Europe/Berlin',
  from: Date.parse('2026-11-01T00:00:00Z'),
  to: Date.parse('2026-12-01T00:00:00Z'),
}

const short = (time: number): string =>
  new Date(time).toISOString().slice(0, 16).replace(/[-:]/g, '')

for (const file of globSync('tests/calendars/*.ics').sort())
  test(`the calendar ${basename(file, '.ics')} is read as it says`, async () => {
    const text = readFileSync(file, 'utf8')
    const expected = [...text.matchAll(/^X-EXPECT:(.*?)\r?$/gm)].map(([, one = '']) => one)
    const said: string[] = []
    try {
      const { busy, problem } = await readCalendar(text, window)
      said.push(...busy.map(([start, end]) => `${short(start)}/${short(end)}`))
      const sentence = expected.find((one) => one.startsWith('problem '))?.slice('problem '.length)
      if (problem !== null)
        said.push(`problem ${sentence && problem.includes(sentence) ? sentence : problem}`)
    } catch (error) {
      if (!(error instanceof BrokenCalendar)) throw error
      said.push('broken')
    }
    expect(said.toSorted()).toEqual(expected.toSorted())
  })

test('whole days that recur until a midnight in UTC end on that day, west of Greenwich too', async () => {
  const text = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:one@example',
    'DTSTART;VALUE=DATE:20261102',
    'RRULE:FREQ=DAILY;UNTIL=20261104T000000Z',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
  for (const [zone, hour] of [
    ['America/New_York', '05'],
    ['UTC', '00'],
  ]) {
    const { busy } = await readCalendar(text, { ...window, zone: `${zone}` })
    expect(busy.map(([start, end]) => [short(start), short(end)])).toEqual([
      [`20261102T${hour}00`, `20261105T${hour}00`],
    ])
  }
})

test('a problem that cuts a long name keeps whole characters', async () => {
  const smiles = '🙂'.repeat(100)
  const text = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    `UID:a${smiles}`,
    `DTSTART;TZID="b${smiles}":20261102T090000`,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
  const { problem } = await readCalendar(text, window)
  expect(problem).toBe(`Event a${'🙂'.repeat(39)}: the time zone “b${'🙂'.repeat(29)}” is unknown.`)
})
