import { expect, test } from 'vitest'
import { zoneText } from '#contract/times/moments.ts'
import { mondayOf, weekOf, weeksUntil } from './week.ts'
import { theirTime, zoneChoices } from './zone-time.ts'

const hours = {
  timeZone: 'Asia/Kolkata',
  weekly: [{ day: 2, from: '08:00', to: '11:00' }],
  minutes: 30 as const,
  buffer: 0,
  noticeHours: 1,
  horizonDays: 14,
  place: 'here',
  busyUrl: null,
}
const now = Date.parse('2026-11-24T03:00:00Z')

test('a week shows each time of the hours as free, booked, busy, past, too soon or too far', () => {
  const monday = mondayOf('Asia/Kolkata', now, 0)
  expect(monday).toBe('2026-11-23')
  const slot = { start: '2026-11-24T04:30:00Z', end: '2026-11-24T05:00:00Z' }
  const talk = { start: '2026-11-24T04:00:00Z', end: '2026-11-24T04:30:00Z', name: 'Oskar' }
  const [day, ...others] = weekOf(hours, monday, now, [slot], [talk])
  expect(others).toEqual([])
  expect([...(day?.cells ?? [])]).toEqual([
    ['08:00', { state: 'past' }],
    ['08:30', { state: 'soon' }],
    ['09:00', { state: 'soon' }],
    ['09:30', { state: 'booked', name: 'Oskar' }],
    ['10:00', { state: 'free', start: slot.start }],
    ['10:30', { state: 'busy' }],
  ])
  const twoWeeksOn = mondayOf('Asia/Kolkata', now, 2)
  const [last] = weekOf(
    { ...hours, weekly: [{ day: 2, from: '08:00', to: '09:30' }] },
    twoWeeksOn,
    now,
    [],
    [],
  )
  expect([...(last?.cells.values() ?? [])].map(({ state }) => state)).toEqual([
    'busy',
    'busy',
    'far',
  ])
  expect(mondayOf('Asia/Kolkata', Date.parse('2026-11-29T20:00:00Z'), 1)).toBe('2026-12-07')
})

test('weeks are counted in the zone of the hours', () => {
  const weeks = (at: string) => weeksUntil('Asia/Kolkata', now, at)
  expect(weeks('2026-11-29T18:00:00Z')).toBe(0)
  expect(weeks('2026-11-29T19:00:00Z')).toBe(1)
  expect(weeks('2026-12-30T10:00:00Z')).toBe(5)
})

test('a renamed city is listed once, under its present name', () => {
  for (const zone of ['Asia/Calcutta', 'Asia/Kolkata']) {
    const names = zoneChoices(zone).filter(([, name]) => /Calcutta|Kolkata/.test(name))
    expect(names).toEqual([[zone, 'Asia/Kolkata']])
  }
  expect(zoneText('Europe/Kiev', new Date(Date.UTC(2026, 0, 5)))).toBe('Kyiv, UTC+2')
})

test('the other person’s time has its day where it is another one', () => {
  const texts = ['11:00', '10:59'].map((time) =>
    theirTime('Pacific/Auckland', `2026-11-30T${time}:00Z`, 'Europe/London'),
  )
  expect(texts).toEqual(['Tue 1 Dec, 00:00 in Auckland', '23:59 in Auckland'])
})
