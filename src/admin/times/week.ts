import { dayFrom } from '#contract/fields.ts'
import { dayIn, timeOfDay } from '#contract/times/moments.ts'
import type { Hours, Slot } from '#contract/times/times.ts'

export type Cell =
  | { state: 'free'; start: string }
  | { state: 'booked'; name: string }
  | { state: 'busy' | 'soon' | 'past' | 'far' }

export interface Day {
  /** `2026-11-24`. */
  day: string
  /** By the time at which they begin, such as `09:30`. */
  cells: ReadonlyMap<string, Cell>
}

const WEEK_MS = 7 * 86_400_000

const dayAfter = (day: string, days: number): string =>
  dayFrom(new Date(`${day}T00:00:00Z`), { days })

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/** The Monday of the week that lies `offset` weeks after the present one. */
export const mondayOf = (zone: string, now: number, offset: number): string => {
  const today = dayIn(new Date(now), zone)
  return dayAfter(today, 1 - weekdayOf(today) + 7 * offset)
}

/** The number of weeks from the present one to that of a time. */
export const weeksUntil = (zone: string, now: number, at: string): number => {
  const [first, last] = [now, Date.parse(at)].map((one) => Date.parse(mondayOf(zone, one, 0)))
  return ((last ?? 0) - (first ?? 0)) / WEEK_MS
}

/** The query for a week: days of any zone lie in it. */
export const spanOf = (monday: string) => ({ from: dayAfter(monday, -1), to: dayAfter(monday, 7) })

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** The days of a week that have hours, each time in one state: told apart by what the API says is free. */
export const weekOf = (
  { timeZone, weekly, minutes, noticeHours, horizonDays }: Hours,
  monday: string,
  now: number,
  slots: readonly Slot[],
  appointments: readonly (Slot & { name: string })[],
): Day[] => {
  const key = (at: string) =>
    `${dayIn(new Date(at), timeZone)} ${timeOfDay(new Date(at), timeZone)}`
  const free = new Map(slots.map(({ start }) => [key(start), start]))
  const present = key(new Date(now).toISOString())
  const soon = key(new Date(now + noticeHours * 3_600_000).toISOString())
  const last = key(new Date(now + horizonDays * 86_400_000).toISOString())
  const booked = appointments.map(({ name, start, end }) => ({
    name,
    day: dayIn(new Date(start), timeZone),
    from: minutesOf(timeOfDay(new Date(start), timeZone)),
    length: (Date.parse(end) - Date.parse(start)) / 60_000,
  }))
  const cellAt = (day: string, at: number): Cell => {
    const time = `${day} ${clockOf(at)}`
    const start = free.get(time)
    const talk = booked.find(
      (one) => one.day === day && one.from < at + minutes && one.from + one.length > at,
    )
    if (talk) return { state: 'booked', name: talk.name }
    if (start) return { state: 'free', start }
    if (time < soon) return { state: time < present ? 'past' : 'soon' }
    return { state: time > last ? 'far' : 'busy' }
  }
  return Array.from({ length: 7 }, (_, n) => dayAfter(monday, n)).flatMap((day, n) => {
    const ranges = weekly.filter((range) => range.day === n + 1)
    const times = ranges.flatMap(({ from, to }) => {
      const last = minutesOf(to) - minutes
      const first = minutesOf(from)
      const count = Math.max(0, Math.floor((last - first) / minutes) + 1)
      return Array.from({ length: count }, (_unused, step) => first + step * minutes)
    })
    const cells = new Map(
      times.sort((a, b) => a - b).map((at) => [clockOf(at), cellAt(day, at)] as const),
    )
    return ranges.length > 0 ? [{ day, cells }] : []
  })
}
