import type ICAL from 'ical.js'
import { withoutHalves } from '#contract/inbox.ts'
import { isTimeZone } from '#contract/submission.ts'
import { type Clock, clockOf, DAY, instantOf } from './clock.ts'
import { type RuleData, ruleTimes, Unreadable } from './recurrence.ts'
import type { Busy } from './slots.ts'
import windowsZones from './windows-zones.json' with { type: 'json' }

/**
 * Reads a calendar file (RFC 5545) for the times at which its owner is busy. The lines that say when are read by
 * ical.js; what bounds the work and keeps one broken event from hiding the others stands here.
 */

export class BrokenCalendar extends Error {
  override name = 'BrokenCalendar'
}

/** Steps of recurrence rules for one file; whole periods before the window cost none. */
const STEPS = 60_000
const MOST_TIMES = 10_000
/** Outlook's zones begin in 1601; what recurs today has begun since this year. */
const ZONES_FROM = Date.UTC(1990, 0)
/** Our own invitations, which the owner may have accepted: the database knows better. */
const OWN_UID = /^[0-9a-f-]{36}@(?:record|fledge)$/

const READ =
  /^(UID|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|EXRULE|RECURRENCE-ID|STATUS|TRANSP|FREEBUSY|TZID|TZOFFSETFROM|TZOFFSETTO)[;:]/i

interface Component {
  name: string
  lines: string[]
  parts: Component[]
}

/** The components of the file, with the lines that are read. */
const componentsOf = (text: string): Component[] => {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')
  const root: Component = { name: '', lines: [], parts: [] }
  const open = [root]
  for (const line of lines) {
    const [, bound, name = ''] = /^\s*(BEGIN|END):\s*([\w-]+)\s*$/i.exec(line) ?? []
    const current = open.at(-1) as Component
    if (bound === undefined) {
      if (READ.test(line)) current.lines.push(line)
      if (open.length === 1 && line.trim() !== '')
        throw new BrokenCalendar('The address answers no calendar file.')
    } else if (bound.toUpperCase() === 'BEGIN') {
      const part = { name: name.toUpperCase(), lines: [], parts: [] }
      current.parts.push(part)
      open.push(part)
      if (open.length > 6) throw new BrokenCalendar('The calendar file is nested too deep.')
    } else if (open.pop()?.name !== name.toUpperCase() || open.length === 0)
      throw new BrokenCalendar('The calendar file is broken: a part of it ends before it begins.')
  }
  if (root.parts.length === 0 || root.parts.some((part) => part.name !== 'VCALENDAR'))
    throw new BrokenCalendar('The address answers no calendar file.')
  if (open.length > 1) throw new BrokenCalendar('The calendar file is cut off.')
  return root.parts.flatMap(({ parts }) => parts)
}

type Property = [
  name: string,
  params: Record<string, string | string[]>,
  type: string,
  ...unknown[],
]

/** A time as it is written: local to a clock, or a whole day. */
interface Written {
  local: number
  isDay: boolean
  clock: Clock
}

const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(Z)?)?$/
const utc: Clock = (instant) => instant

const localOf = (value: unknown): { local: number; isDay: boolean; isUtc: boolean } => {
  const [, ...parts] = WRITTEN.exec(String(value)) ?? []
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(0, 6)
    .map((part) => Number(part ?? 0))
  const local = Date.UTC(year, month - 1, day, hour, minute, Math.min(second, 59))
  const isReal =
    new Date(local).toISOString().slice(0, 10) === String(value).slice(0, 10) &&
    hour < 24 &&
    minute < 60 &&
    second < 61
  if (parts.length === 0 || year < 1 || !isReal)
    throw new Unreadable(`the time ${value} does not exist`)
  return { local, isDay: parts[3] === undefined, isUtc: parts[6] === 'Z' }
}

interface Reader {
  ical: typeof ICAL
  /** The owner's, for times without a zone and whole days. */
  home: Clock
  zones: ReadonlyMap<string, Clock>
  from: number
  to: number
  spend: (steps: number) => void
}

const propertiesOf = ({ ical }: Pick<Reader, 'ical'>, { name, lines }: Component): Property[] => {
  try {
    const text = [`BEGIN:${name}`, ...lines, `END:${name}`].join('\r\n')
    return ical.parse(text)[1] as Property[]
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it is broken'
    throw new Unreadable(withoutHalves(why.slice(0, 100)))
  }
}

const valuesOf = (properties: readonly Property[], name: string): Property[] =>
  properties.filter(([one]) => one === name)

const oneOf = (properties: readonly Property[], name: string): Property | undefined =>
  valuesOf(properties, name)[0]

const textOf = (properties: readonly Property[], name: string): string =>
  String(oneOf(properties, name)?.[3] ?? '').trim()

/** A zone's own name, that of a folder of the IANA database, or Windows' name. */
const namedClock = (tzid: string): Clock | undefined => {
  const windows = (windowsZones as Record<string, string>)[tzid]
  const parts = tzid.split('/')
  const tails = [parts.slice(-3).join('/'), parts.slice(-2).join('/')]
  const zone = [tzid, windows, ...tails].find((name) => name && isTimeZone(name))
  return zone === undefined ? undefined : clockOf(zone)
}

const writtenAs = (reader: Reader, params: Property[1], value: unknown): Written => {
  const { local, isDay, isUtc } = localOf(value)
  if (isUtc) return { local, isDay, clock: utc }
  const tzid = String(params.tzid ?? '')
  if (isDay || tzid === '') return { local, isDay, clock: reader.home }
  const clock = reader.zones.get(tzid) ?? namedClock(tzid)
  if (!clock) throw new Unreadable(`the time zone “${withoutHalves(tzid.slice(0, 60))}” is unknown`)
  return { local, isDay, clock }
}

const instantAt = ({ local, clock }: Written): number => instantOf(local, clock)

const clockOfComponent = (
  tools: Pick<Reader, 'ical' | 'spend' | 'to'>,
  { parts }: Component,
): Clock => {
  const changes: { at: number; offset: number; before: number }[] = []
  const offsetOf = (text: string): number => {
    const [, sign, hours, minutes, seconds = '0'] =
      /^([+-])(\d\d):?(\d\d):?(\d\d)?$/.exec(text) ?? []
    if (sign === undefined) throw new Unreadable('its time zone has no offset')
    return (
      (sign === '-' ? -1 : 1) *
      (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) *
      1_000
    )
  }
  for (const part of parts.slice(0, 200)) {
    const properties = propertiesOf(tools, part)
    const before = offsetOf(textOf(properties, 'tzoffsetfrom'))
    const offset = offsetOf(textOf(properties, 'tzoffsetto'))
    const start = localOf(oneOf(properties, 'dtstart')?.[3])
    const add = (local: number) => changes.push({ at: local - before, offset, before })
    add(start.local)
    for (const [, , , ...values] of valuesOf(properties, 'rdate'))
      for (const value of values) add(localOf(value).local)
    for (const [, , , data] of valuesOf(properties, 'rrule')) {
      const rule = data as RuleData
      if (rule.freq !== 'YEARLY') throw new Unreadable('its time zone changes too often')
      const untilLocal = (value: unknown): number => {
        const { local, isUtc, isDay } = localOf(value)
        return isUtc ? local + before : isDay ? local + DAY - 1 : local
      }
      for (const local of ruleTimes(tools, rule, start, {
        first: ZONES_FROM,
        last: tools.to + DAY,
        untilLocal,
      }))
        add(local)
    }
  }
  changes.sort((a, b) => a.at - b.at)
  const [first] = changes
  if (!first) throw new Unreadable('its time zone is empty')
  return (instant) =>
    instant + (changes.findLast(({ at }) => at <= instant)?.offset ?? first.before)
}

/** The duration of an event, from each of its starts. */
const endOf = (
  { ical, ...reader }: Reader,
  properties: readonly Property[],
  start: Written,
): ((local: number) => number) => {
  const [, params = {}, , value] = oneOf(properties, 'dtend') ?? []
  const duration = textOf(properties, 'duration')
  if (value !== undefined) {
    const end = writtenAs({ ical, ...reader }, params, value)
    if (start.isDay) {
      const days = Math.max(DAY, end.local - start.local)
      if (end.local < start.local) throw new Unreadable('it ends before it begins')
      return (local) => instantOf(local + days, start.clock)
    }
    const length = instantAt(end) - instantAt(start)
    if (length < 0) throw new Unreadable('it ends before it begins')
    return (local) => instantOf(local, start.clock) + length
  }
  if (duration !== '') return (local) => after(ical, { ...start, local }, duration)
  return (local) => instantOf(start.isDay ? local + DAY : local, start.clock)
}

/** A duration's days go by the clock, its hours by time. */
const after = (ical: typeof ICAL, start: Written, text: string): number => {
  const { weeks, days, hours, minutes, seconds, isNegative } = ical.Duration.fromString(text)
  if (isNegative) throw new Unreadable('it ends before it begins')
  const nominal = start.local + (weeks * 7 + days) * DAY
  return instantOf(nominal, start.clock) + ((hours * 60 + minutes) * 60 + seconds) * 1_000
}

const keyOf = (written: Written): string =>
  written.isDay ? `day ${written.local}` : `${instantAt(written)}`

/** A time in UTC among whole days, on the owner's clock: programs write a day as its midnight there or in UTC. */
const amongDays = (local: number, home: Clock): number => (local % DAY === 0 ? local : home(local))

/** The day that a time leaves out of whole days: as it is written, or the owner's where it is an instant. */
const dayLeftOut = ({ local, clock }: Written, home: Clock): string =>
  `day ${Math.floor((clock === utc ? amongDays(local, home) : local) / DAY) * DAY}`

const isBusy = (properties: readonly Property[]): boolean =>
  textOf(properties, 'status').toUpperCase() !== 'CANCELLED' &&
  textOf(properties, 'transp').toUpperCase() !== 'TRANSPARENT'

const periodOf = (reader: Reader, params: Property[1], value: unknown): Busy => {
  const [from, to] = value as [string, string]
  const start = writtenAs(reader, params, from)
  const end = /^[+-]?P/.test(to)
    ? after(reader.ical, start, to)
    : instantAt(writtenAs(reader, params, to))
  return [instantAt(start), end]
}

/** Adds the times of one event within the window, without those that other entries of the file replace. */
const eventTimes = (
  reader: Reader,
  properties: readonly Property[],
  replaced: ReadonlySet<string> | undefined,
  times: Busy[],
): void => {
  const [, params = {}, , value] = oneOf(properties, 'dtstart') ?? []
  if (value === undefined) throw new Unreadable('it has no start')
  if (oneOf(properties, 'exrule')) throw new Unreadable('it has a rule of exceptions')
  const start = writtenAs(reader, params, value)
  const end = endOf(reader, properties, start)
  const excluded = new Set(replaced)
  for (const [, exParams, , ...values] of valuesOf(properties, 'exdate'))
    for (const one of values) {
      const written = writtenAs(reader, exParams, one)
      excluded.add(start.isDay ? dayLeftOut(written, reader.home) : keyOf(written))
    }
  const before = times.length
  const add = (local: number, until = end(local)) => {
    const written = { ...start, local }
    const day = `day ${Math.floor(local / DAY) * DAY}`
    if (excluded.has(keyOf(written)) || excluded.has(day)) return
    const at = instantAt(written)
    if (until > reader.from && at < reader.to && until > at) times.push([at, until])
  }
  add(start.local)
  const untilLocal = (until: unknown): number => {
    const { local, isUtc, isDay } = localOf(until)
    if (isUtc) return start.isDay ? amongDays(local, start.clock) : start.clock(local)
    return isDay && !start.isDay ? local + DAY - 1 : local
  }
  for (const [, , , data] of valuesOf(properties, 'rrule'))
    for (const local of ruleTimes(reader, data as RuleData, start, {
      first: reader.from - (end(start.local) - start.local) - 2 * DAY,
      last: reader.to + DAY,
      untilLocal,
    })) {
      if (local !== start.local) add(local)
      if (times.length - before > MOST_TIMES) throw new Unreadable('it recurs too often')
    }
  for (const [, rParams, type, ...values] of valuesOf(properties, 'rdate'))
    for (const one of values) {
      if (type === 'period') {
        const [at, until] = periodOf(reader, rParams, one)
        if (!excluded.has(`${at}`) && until > reader.from && at < reader.to) times.push([at, until])
      } else add(start.clock(instantAt(writtenAs(reader, rParams, one))))
    }
}

/** The whole days of what cannot be read, as far as the file names them. */
const knownDays = ({ home }: Reader, { lines }: Component): Busy[] => {
  const dayOf = (name: string): number | undefined => {
    const line = lines.find((one) => one.toUpperCase().startsWith(name))
    const [, year, month, day] = /[:/](\d{4})(\d\d)(\d\d)/.exec(line ?? '') ?? []
    const local = Date.UTC(Number(year), Number(month) - 1, Number(day))
    return Number.isNaN(local) || new Date(local).getUTCDate() !== Number(day) ? undefined : local
  }
  const first = dayOf('DTSTART') ?? dayOf('RECURRENCE-ID')
  if (first === undefined) return []
  const last = Math.max(first, Math.min(dayOf('DTEND') ?? first, first + 366 * DAY))
  return [[instantOf(first, home), instantOf(last + DAY, home)]]
}

/** True if an event that does not recur has ended before the window; its lines need no closer look. */
const isPast = ({ lines }: Component, from: number): boolean => {
  if (lines.some((line) => /^(RRULE|RDATE|DURATION|RECURRENCE-ID)/i.test(line))) return false
  const bounds = lines.filter((line) => /^DT(START|END)/i.test(line))
  return (
    bounds.length > 0 &&
    bounds.every((line) => {
      const [, year, month, day] = /:(\d{4})(\d\d)(\d\d)(?:T\d{6}Z?)?$/.exec(line) ?? []
      return Date.UTC(Number(year), Number(month) - 1, Number(day)) < from - 3 * DAY
    })
  )
}

const freeBusyTimes = (reader: Reader, properties: readonly Property[]): Busy[] =>
  valuesOf(properties, 'freebusy')
    .filter(([, { fbtype }]) => String(fbtype ?? 'BUSY').toUpperCase() !== 'FREE')
    .flatMap(([, params, , ...values]) => values.map((value) => periodOf(reader, params, value)))

const merged = (times: readonly Busy[]) => {
  const all: [number, number][] = []
  for (const [start, end] of times.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all
}

/**
 * @param zone the owner's, for floating times and whole days
 * @throws {BrokenCalendar} for what is no calendar, or only the beginning of one
 */
export const readCalendar = async (
  text: string,
  { zone, from, to }: { zone: string; from: number; to: number },
) => {
  const components = componentsOf(text)
  const { default: ical } = await import('ical.js')
  let left = STEPS
  const spend = (steps: number): void => {
    left -= steps
    if (left < 0) throw new Unreadable('the rules of the calendar take too much work')
  }
  const zones = new Map<string, Clock>()
  const reader: Reader = { ical, home: clockOf(zone), zones, from, to, spend }
  for (const component of components.filter(({ name }) => name === 'VTIMEZONE')) {
    try {
      const tzid = textOf(propertiesOf(reader, component), 'tzid')
      zones.set(tzid, clockOfComponent(reader, component))
    } catch (error) {
      // The zone's name may still say which one it is.
      if (!(error instanceof Unreadable)) throw error
    }
  }
  const times: Busy[] = []
  const problems: string[] = []
  const refuse = (component: Component, error: unknown): void => {
    const uid = /^UID[^:]*:(.*)$/im.exec(component.lines.join('\n'))?.[1] ?? 'without a name'
    const why = error instanceof Unreadable ? error.message : 'its rule cannot be read'
    problems.push(`Event ${withoutHalves(uid.slice(0, 80))}: ${why}.`)
    times.push(...knownDays(reader, component))
  }
  const events: { component: Component; properties: Property[]; uid: string }[] = []
  const replaced = new Map<string, Set<string>>()
  const entries = components.filter(({ name }) => name === 'VEVENT' || name === 'VFREEBUSY')
  for (const [n, component] of entries.entries()) {
    // Other calls go on while a large file is read.
    if (n % 100 === 99) await new Promise((resolve) => setImmediate(resolve))
    if (isPast(component, from)) continue
    try {
      const properties = propertiesOf(reader, component)
      const uid = textOf(properties, 'uid')
      const [, params = {}, , id] = oneOf(properties, 'recurrence-id') ?? []
      if (id !== undefined) {
        const keys = replaced.get(uid) ?? new Set()
        replaced.set(uid, keys.add(keyOf(writtenAs(reader, params, id))))
        if (params.range !== undefined) throw new Unreadable('it changes all later ones')
      }
      events.push({ component, properties, uid })
    } catch (error) {
      refuse(component, error)
    }
  }
  for (const [n, { component, properties, uid }] of events.entries()) {
    if (n % 100 === 99) await new Promise((resolve) => setImmediate(resolve))
    if (OWN_UID.test(uid) || !isBusy(properties)) continue
    try {
      const isMaster = oneOf(properties, 'recurrence-id') === undefined && uid !== ''
      if (component.name === 'VFREEBUSY') times.push(...freeBusyTimes(reader, properties))
      else eventTimes(reader, properties, isMaster ? replaced.get(uid) : undefined, times)
    } catch (error) {
      refuse(component, error)
    }
  }
  const [problem] = problems
  const count = problems.length
  const others = count === 1 ? '' : ` ${count} events cannot be read.`
  return {
    events: entries.length,
    /** Merged and in order. */
    busy: merged(times.filter(([start, end]) => end > from && start < to)),
    /** Names the first event that cannot be read and how many there are; null where all can. */
    problem: problem === undefined ? null : `${problem}${others}`,
  }
}
