import type { Hours, HoursRange, Slot } from '#contract/times/times.ts'
import { clockOf, DAY, HOUR, instantsOf, MINUTE } from './clock.ts'

/** A time that is taken, in milliseconds. */
export type Busy = readonly [start: number, end: number]

type HostHours = Pick<Hours, 'timeZone' | 'weekly' | 'buffer' | 'noticeHours' | 'horizonDays'> & {
  minutes: number
}

export const slotAt = (start: string, minutes: number): Slot => ({
  start,
  end: new Date(Date.parse(start) + minutes * MINUTE).toISOString(),
})

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/** True if nothing of `busy` lies in a time or in the break around it. */
export const isFree = (
  [start, end]: Busy,
  busy: readonly Busy[],
  { buffer }: Pick<Hours, 'buffer'>,
): boolean =>
  busy.every(([from, to]) => start >= to + buffer * MINUTE || end <= from - buffer * MINUTE)

/** The times of a range on the day that begins at the local time `midnight`. */
const timesOf = (midnight: number, { from, to }: HoursRange, { timeZone, minutes }: HostHours) => {
  const clock = clockOf(timeZone)
  const last = midnight + minutesOf(to) * MINUTE
  const times: Busy[] = []
  for (
    let local = midnight + minutesOf(from) * MINUTE;
    local + minutes * MINUTE <= last;
    local += minutes * MINUTE
  ) {
    // The first of a repeated hour counts, and a time that the clock leaves out does not exist.
    const [start] = instantsOf(local, clock)
    if (start === undefined) continue
    const end = start + minutes * MINUTE
    // The moment before counts: the clock may leave out the hour at which the range ends.
    if (clock(end - 1) < last) times.push([start, end])
  }
  return times
}

/**
 * The free times of a host between two instants: wall-clock hours of the host's zone, with the notice from now on
 * and as far ahead as the host allows.
 */
export const freeSlots = (
  hours: HostHours,
  { from, to, now, busy }: { from: number; to: number; now: number; busy: readonly Busy[] },
): Slot[] => {
  const first = Math.max(from, now + hours.noticeHours * HOUR)
  const last = Math.min(to, now + hours.horizonDays * DAY)
  const near = busy.filter(([start, end]) => end > first - 2 * HOUR && start < last + DAY)
  const slots: Slot[] = []
  const begin = Math.floor(clockOf(hours.timeZone)(first) / DAY) * DAY - DAY
  for (let midnight = begin; midnight <= last + 2 * DAY; midnight += DAY) {
    const weekday = new Date(midnight).getUTCDay() || 7
    const ranges = hours.weekly.filter(({ day }) => day === weekday)
    for (const range of ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1)))
      for (const [start, end] of timesOf(midnight, range, hours))
        if (start >= first && end <= to && start <= last && isFree([start, end], near, hours))
          slots.push({ start: new Date(start).toISOString(), end: new Date(end).toISOString() })
  }
  return slots
}
