import { DAY, HOUR, MINUTE } from './clock.ts'

/**
 * The rules by which events of a calendar recur (RFC 5545, section 3.3.10), on a local clock: a time is a number of
 * milliseconds as if the clock showed UTC.
 */

/** A part of a calendar that cannot be read; the message says why. */
export class Unreadable extends Error {}

const WEEK = 7 * DAY

export type RuleData = Record<string, unknown>

/** Frequencies whose periods have one length on a clock, in milliseconds. */
const PERIODS: Readonly<Record<string, number>> = {
  SECONDLY: 1_000,
  MINUTELY: MINUTE,
  HOURLY: HOUR,
  DAILY: DAY,
  WEEKLY: WEEK,
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** The parts of rules that are followed. Some programs end a rule in a semicolon, which leaves an empty part. */
const FOLLOWED =
  /^(|freq|until|count|interval|wkst|by(second|minute|hour|day|monthday|yearday|month|setpos))$/

interface Start {
  local: number
  isDay: boolean
}

const listOf = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat())

const sorted = (numbers: readonly number[]): number[] =>
  [...new Set(numbers)].sort((one, other) => one - other)

/**
 * The rule with what its start says where the rule says nothing (RFC 5545, section 3.3.10). An empty list lets every
 * value through.
 */
const ruleOf = (data: RuleData, { local, isDay }: Start) => {
  const refuse = (): never => {
    throw new Unreadable('its rule is of a kind that is not followed')
  }
  if (data.freq === undefined || !Object.keys(data).every((name) => FOLLOWED.test(name))) refuse()
  const { count = Number.POSITIVE_INFINITY, interval = 1, wkst = 2 } = data
  if (!(Number(interval) >= 1 && Number(interval) <= 10_000 && Number(count) >= 1))
    throw new Unreadable('its rule counts wrongly')
  const numbers = (name: string): number[] => sorted(listOf(data[name]).map(Number))
  const freq = String(data.freq)
  const at = new Date(local)
  const weekdays = listOf(data.byday).map((one) => {
    const [, nth = '', name = ''] = /^([+-]?\d*)([A-Z]{2})$/.exec(String(one)) ?? []
    if (nth !== '' && freq !== 'MONTHLY' && freq !== 'YEARLY') refuse()
    return { nth: Number(nth), weekday: WEEKDAYS.indexOf(name) }
  })
  const rule = {
    freq,
    interval: Number(interval),
    count: Number(count),
    weekStart: Number(wkst) - 1,
    months: numbers('bymonth'),
    monthDays: numbers('bymonthday'),
    yearDays: numbers('byyearday'),
    /** `nth` counts within the month or the year, from its end if negative; 0 is every one. */
    weekdays,
    hours: numbers('byhour'),
    minutes: numbers('byminute'),
    seconds: numbers('bysecond'),
    positions: numbers('bysetpos'),
  }
  // Days and positions count from 1, or from -1 at the end.
  if ([rule.monthDays, rule.yearDays, rule.positions].some((list) => list.includes(0))) refuse()
  const namesNoDay = rule.monthDays.length + rule.yearDays.length + weekdays.length === 0
  if (namesNoDay && freq === 'YEARLY' && rule.months.length === 0)
    rule.months = [at.getUTCMonth() + 1]
  if (namesNoDay && (freq === 'YEARLY' || freq === 'MONTHLY')) rule.monthDays = [at.getUTCDate()]
  if (weekdays.length === 0 && freq === 'WEEKLY')
    rule.weekdays = [{ nth: 0, weekday: at.getUTCDay() }]
  const length = PERIODS[freq] ?? DAY
  if (isDay || (rule.hours.length === 0 && length >= DAY)) rule.hours = [at.getUTCHours()]
  if (isDay || (rule.minutes.length === 0 && length >= HOUR)) rule.minutes = [at.getUTCMinutes()]
  if (isDay || (rule.seconds.length === 0 && length >= MINUTE)) rule.seconds = [at.getUTCSeconds()]
  return rule
}
type Rule = ReturnType<typeof ruleOf>

const lets = (list: readonly number[], ...values: number[]): boolean =>
  list.length === 0 || values.some((value) => list.includes(value))

/** True if the rule lets the day through that begins at a local time. */
const isOnDay = (midnight: number, rule: Rule): boolean => {
  const at = new Date(midnight)
  const weekdays = rule.weekdays.filter(({ weekday }) => weekday === at.getUTCDay())
  if (rule.weekdays.length > 0 && weekdays.length === 0) return false
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  const [monthStart, monthEnd] = [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)]
  const [yearStart, yearEnd] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)]
  const isOfYear = rule.freq === 'YEARLY' && rule.months.length === 0
  const [first, end] = isOfYear ? [yearStart, yearEnd] : [monthStart, monthEnd]
  const nth = Math.floor((midnight - first) / WEEK) + 1
  const nthFromEnd = -Math.ceil((end - midnight) / WEEK)
  return (
    lets(rule.months, month + 1) &&
    lets(rule.monthDays, at.getUTCDate(), (midnight - monthEnd) / DAY) &&
    lets(rule.yearDays, (midnight - yearStart) / DAY + 1, (midnight - yearEnd) / DAY) &&
    lets(
      weekdays.map((one) => one.nth),
      0,
      nth,
      nthFromEnd,
    )
  )
}

const daysBetween = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) / DAY }, (_, n) => from + n * DAY)

const periodOfRule = (rule: Rule, { local }: Start, n: number): [from: number, days: number[]] => {
  const { freq, interval, months } = rule
  const at = new Date(local)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  const daysOfMonth = (ofYear: number, its: number) =>
    daysBetween(Date.UTC(ofYear, its, 1), Date.UTC(ofYear, its + 1, 1))
  if (freq === 'YEARLY') {
    const its = year + n * interval
    const all = months.length > 0 ? months : Array.from({ length: 12 }, (_, one) => one + 1)
    return [Date.UTC(its, 0, 1), all.flatMap((one) => daysOfMonth(its, one - 1))]
  }
  if (freq === 'MONTHLY') {
    const its = month + n * interval
    return [Date.UTC(year, its, 1), daysOfMonth(year, its)]
  }
  const length = PERIODS[freq] ?? DAY
  const midnight = Math.floor(local / DAY) * DAY
  if (freq === 'WEEKLY') {
    const from = midnight - ((at.getUTCDay() - rule.weekStart + 7) % 7) * DAY + n * interval * WEEK
    return [from, daysBetween(from, from + WEEK)]
  }
  const from = Math.floor(local / length) * length + n * interval * length
  return [from, [Math.floor(from / DAY) * DAY]]
}

const timesOfPeriod = (
  rule: Rule,
  [from, days]: readonly [number, number[]],
  spend: (steps: number) => void,
): number[] => {
  const length = PERIODS[rule.freq] ?? DAY
  const at = new Date(from)
  // A period that is shorter than a day has one hour, minute or second: the lists let it through or not.
  const within = (list: readonly number[], unit: number, own: number): readonly number[] =>
    length > unit ? list : lets(list, own) ? [own] : []
  const hours = within(rule.hours, HOUR, at.getUTCHours())
  const minutes = within(rule.minutes, MINUTE, at.getUTCMinutes())
  const seconds = within(rule.seconds, 1_000, at.getUTCSeconds())
  const chosen = days.filter((day) => isOnDay(day, rule))
  spend(Math.ceil(days.length / 7) + chosen.length * hours.length * minutes.length * seconds.length)
  const times = chosen.flatMap((day) =>
    hours.flatMap((hour) =>
      minutes.flatMap((minute) =>
        seconds.map((second) => day + hour * HOUR + minute * MINUTE + second * 1_000),
      ),
    ),
  )
  if (rule.positions.length === 0) return times
  return sorted(
    rule.positions.flatMap((position) => times.at(position > 0 ? position - 1 : position) ?? []),
  )
}

/** The whole periods of the rule from its start to a local time. */
const periodsBetween = ({ freq, interval }: Rule, { local }: Start, end: number): number => {
  const length = PERIODS[freq]
  if (length !== undefined) return Math.floor((end - local) / length / interval)
  const [from, to] = [new Date(local), new Date(end)]
  const years = to.getUTCFullYear() - from.getUTCFullYear()
  const months = years * 12 + to.getUTCMonth() - from.getUTCMonth()
  return Math.floor(months / (freq === 'YEARLY' ? 12 : 1) / interval)
}

/**
 * The local times of a rule, from shortly before `first` up to `last`. Whole periods before that are passed over at
 * once, unless the rule counts its times; the last one before the rule's end is among them in any case.
 *
 * @param spend counts steps; throws where a file takes too many
 */
export function* ruleTimes(
  { spend }: { spend: (steps: number) => void },
  data: RuleData,
  start: Start,
  {
    first,
    last,
    untilLocal,
  }: { first: number; last: number; untilLocal: (value: unknown) => number },
): Generator<number> {
  const rule = ruleOf(data, start)
  const limit = data.until === undefined ? last : Math.min(last, untilLocal(data.until))
  let left = rule.count
  const passed =
    left === Number.POSITIVE_INFINITY ? periodsBetween(rule, start, Math.min(first, limit)) - 1 : 0
  for (let n = Math.max(0, passed); left > 0; n += 1) {
    const period = periodOfRule(rule, start, n)
    if (period[0] > limit) return
    for (const time of timesOfPeriod(rule, period, spend)) {
      if (time < start.local) continue
      if (time > limit || left === 0) return
      left -= 1
      yield time
    }
  }
}
