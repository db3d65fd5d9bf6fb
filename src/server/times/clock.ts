/**
 * Wall-clock times of a zone and the instants that they mean, by the machine's own tables (`Intl`). A local time
 * is a number of milliseconds as if the clock showed UTC.
 */

/** The time that the clock of the format's zone shows at a whole second. */
const localTime = (instant: number, format: Intl.DateTimeFormat): number => {
  const part: Record<string, string> = {}
  for (const { type, value } of format.formatToParts(instant)) part[type] = value
  const year = part.era === 'B' ? 1 - Number(part.year) : Number(part.year)
  const [month = 1, day = 1, hour = 0, minute = 0, second = 0] = [
    part.month,
    part.day,
    part.hour,
    part.minute,
    part.second,
  ].map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export type Clock = (instant: number) => number

const clocks = new Map<string, Clock>()

/** Offsets change on quarters of an hour, so that one look at the tables serves each of them. */
const QUARTER = 900_000

export const clockOf = (zone: string): Clock => {
  const known = clocks.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'narrow',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const offsets = new Map<number, number>()
  const clock: Clock = (instant) => {
    const quarter = Math.floor(instant / QUARTER) * QUARTER
    let offset = offsets.get(quarter)
    if (offset === undefined) {
      if (offsets.size === 50_000) offsets.clear()
      offset = localTime(quarter, format) - quarter
      offsets.set(quarter, offset)
    }
    return instant + offset
  }
  if (clocks.size === 100) clocks.clear()
  clocks.set(zone, clock)
  return clock
}

/** The instants at which a clock shows a local time: none where it is left out, two where it is repeated. */
export const instantsOf = (local: number, clock: Clock): number[] => {
  const before = clock(local - DAY) - (local - DAY)
  const after = clock(local + DAY) - (local + DAY)
  return [...new Set([before, after])]
    .map((offset) => local - offset)
    .filter((instant) => clock(instant) === local)
    .sort((a, b) => a - b)
}

/** The instant of a local time: the first of two, and as the clock went before a gap. */
export const instantOf = (local: number, clock: Clock): number =>
  instantsOf(local, clock)[0] ?? 2 * local - DAY - clock(local - DAY)
