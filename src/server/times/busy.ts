import type { BusyState } from '#contract/times/times.ts'
import type { Core } from '#server/deps.ts'
import { OutsideRefused, requestOutside } from '#server/http/outside.ts'
import { busyUrlPurpose, decrypt } from '#server/secrets/encrypt.ts'
import { BrokenCalendar, readCalendar } from './calendar.ts'
import { DAY, MINUTE } from './clock.ts'
import { type Host, hostById, hostsWithCalendar, type Reading, saveReading } from './store/hours.ts'

const MAX_BYTES = 2_000_000
const MAX_REDIRECTS = 5
/** A copy serves this long where its calendar does not answer. */
const COPY_MS = DAY
/** A copy that is older is read again on use. */
export const REFRESH_MS = 15 * MINUTE

/** As far ahead as staff may name a time. */
const AHEAD_MS = 400 * DAY

/** The calendar does not answer now; its last copy counts. */
class Unreachable extends Error {}

const download = async (address: string, { config }: Pick<Core, 'config'>, timeoutMs: number) => {
  const end = Date.now() + timeoutMs
  let url = new URL(address)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const { status, headers, body } = await requestOutside(url, {
      method: 'GET',
      headers: { Accept: 'text/calendar, */*;q=0.1' },
      timeoutMs: Math.max(1, end - Date.now()),
      maxBytes: MAX_BYTES,
      privateHosts: config.privateHosts,
    })
    const { location } = headers
    if (status >= 300 && status < 400 && location) {
      if (!URL.canParse(location, url)) throw new Unreachable('Its address leads nowhere.')
      url = new URL(location, url)
      continue
    }
    if (status !== 200) throw new Unreachable(`Its server answers ${status}.`)
    return body.toString('utf8')
  }
  throw new Unreachable('Its address leads in circles.')
}

const refusals: Readonly<Record<string, string>> = {
  'private address': 'The address leads to a private network.',
  'not https': 'The address leads to a page without https.',
  'answer too large': 'The calendar is larger than 2 MB.',
}

const failureOf = (error: unknown): { outcome: 'unreachable' | 'broken'; problem: string } => {
  if (error instanceof BrokenCalendar) return { outcome: 'broken', problem: error.message }
  if (error instanceof OutsideRefused)
    return { outcome: 'broken', problem: refusals[error.message] ?? 'The address cannot be used.' }
  if (error instanceof Unreachable) return { outcome: 'unreachable', problem: error.message }
  const { name } = error as { name?: string }
  const isLate = name === 'TimeoutError' || name === 'AbortError'
  return {
    outcome: 'unreachable',
    problem: isLate ? 'It does not answer in time.' : 'It cannot be reached.',
  }
}

const READ_MS = 5_000

/** Reads a host's calendar now and keeps a copy of its times. Never throws for what the calendar does. */
const readBusy = async ({ db, config }: Core, host: Host, timeoutMs: number): Promise<Reading> => {
  const { busySealed, userId, timeZone } = host
  const url = busySealed && decrypt(config.authSecret, busyUrlPurpose(userId), busySealed)
  let reading: Reading
  try {
    if (!url) throw new BrokenCalendar('The address cannot be read any more: set it again.')
    const text = await download(url, { config }, timeoutMs)
    const now = Date.now()
    const read = await readCalendar(text, { zone: timeZone, from: now - DAY, to: now + AHEAD_MS })
    reading = { outcome: 'read', ...read }
  } catch (error) {
    reading = failureOf(error)
  }
  await saveReading(db, host, reading)
  return reading
}

/** Readings under way: callers at the same time share one. */
const underWay = new Map<string, Promise<Reading>>()

export const readNow = (deps: Core, host: Host, timeoutMs = READ_MS) => {
  const key = `${host.userId} ${host.timeZone} ${host.busySealed}`
  let reading = underWay.get(key)
  if (!reading) {
    reading = readBusy(deps, host, timeoutMs).finally(() => underWay.delete(key))
    underWay.set(key, reading)
  }
  return reading
}

const ageOf = ({ busyReadAt }: Host): number =>
  busyReadAt === null ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(busyReadAt)

/** The busy times of the host's own calendar; `isTaking` asks it again even where the copy is new. */
export const busyTimes = async (deps: Core, host: Host, { isTaking = false } = {}) => {
  if (host.busySealed === null) return []
  const wasTried = host.busyTriedAt !== null && Date.now() - Date.parse(host.busyTriedAt) < MINUTE
  const isOld = host.busyOutcome === null || ageOf(host) > REFRESH_MS
  if (isTaking || (isOld && !wasTried)) {
    const reading = await readNow(deps, host, 3_000)
    if (reading.outcome === 'read') return reading.busy
  }
  return ageOf(host) <= COPY_MS ? (host.busyTimes ?? []) : []
}

export const busyState = (host: Host | undefined): BusyState => {
  if (!host || host.busySealed === null) return { state: 'none', at: null, problem: null }
  const { busyOutcome, busyReadAt: at, busyProblem: problem } = host
  if (busyOutcome === null)
    return { state: 'stale', at: null, problem: 'The calendar has not been read yet.' }
  if (busyOutcome === 'read')
    return { state: ageOf(host) <= COPY_MS ? 'fresh' : 'stale', at, problem }
  const isCopied = busyOutcome === 'unreachable' && ageOf(host) <= COPY_MS
  return { state: isCopied ? 'stale' : 'failed', at, problem }
}

/** Reads all calendars, one after another; what fails is written down with its host. */
export const refreshCalendars = async (deps: Core): Promise<void> => {
  for (const id of await hostsWithCalendar(deps.db)) {
    const host = await hostById(deps.db, id)
    if (host) await readNow(deps, host)
  }
}
