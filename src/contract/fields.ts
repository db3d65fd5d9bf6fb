import * as z from 'zod/mini'
import { limits } from './limits.ts'
import { oneLine, plainText } from './text.ts'

// The pattern of <input type=email> in the HTML standard, with at least one dot in the domain.
const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

const rule = (test: (value: string) => boolean, message: string) =>
  z.refine<string>(test, { error: message })

export const email = oneLine('Email', { max: limits.email }).check(
  z.meta({ format: 'email' }),
  rule((value) => emailPattern.test(value), 'Email must look like name@example.com.'),
)

const passwordSize = (label: string, mayBeBlank: boolean) =>
  z.check<string>(({ value, issues }) => {
    if (mayBeBlank && value === '') return
    const refuse = (message: string) => issues.push({ code: 'custom', input: value, message })
    const { min, maxBytes } = limits.password
    if (!value.isWellFormed()) refuse(`${label} holds a broken character.`)
    else if ([...value].length < min) refuse(`${label} needs at least ${min} characters.`)
    else if (new TextEncoder().encode(value).byteLength > maxBytes)
      refuse(`${label} may have at most ${maxBytes} bytes, about as many letters.`)
  })

/** A password to be, taken as it is. The server knows further rules, such as the commonest passwords. */
export const newPassword = (label: string, { mayBeBlank = false } = {}) =>
  z
    .string({ error: `${label} is missing.` })
    .check(
      z.meta({ ...(mayBeBlank ? {} : { minLength: limits.password.min }), format: 'password' }),
      passwordSize(label, mayBeBlank),
    )

export const personName = oneLine('Name', { max: limits.name })

export const phone = oneLine('Phone', { min: limits.phone.min, max: limits.phone.max }).check(
  rule(
    (value) =>
      /^[0-9+()\-./x ]+$/.test(value) && value.replace(/[^0-9]/g, '').length >= limits.phone.digits,
    'Phone may hold digits, spaces and + ( ) - . / x, with at least 5 digits.',
  ),
)

/** https without user info. */
export const isHttpsUrl = (value: string): boolean => {
  if (!/^https:\/\//i.test(value) || !URL.canParse(value)) return false
  const { username, password } = new URL(value)
  return username === '' && password === ''
}

/** http(s) without user info, kept in the URL standard's canonical form; null when it is none. */
const canonicalUrl = (value: string): string | null => {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return null
  const url = new URL(value)
  return url.username || url.password ? null : url.href
}

export const webUrl = (label: string) =>
  oneLine(label, { max: limits.url }).check(
    z.meta({ format: 'uri' }),
    rule(
      (value) => canonicalUrl(value) !== null,
      `${label} must be a full web address that starts with https:// or http://.`,
    ),
    rule(
      (value) => (canonicalUrl(value) ?? '').length <= limits.url,
      `${label} is too long: letters outside English count several times in a web address.`,
    ),
    z.overwrite((value) => canonicalUrl(value) ?? value),
  )

const isoDay = /^\d{4}-\d{2}-\d{2}$/
const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/

const dayExists = (day: string): boolean => {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/** A calendar day, `YYYY-MM-DD`, that a database can store: there is no year 0. */
export const isStoredDay = (value: string): boolean =>
  isoDay.test(value) && value >= '0001' && dayExists(value)

const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** ISO text of a time in milliseconds, moved into the years that JavaScript and PostgreSQL write alike. */
export const storedTime = (time: number): string =>
  new Date(Math.min(Math.max(time, EARLIEST), LATEST)).toISOString()

/** The instant that an ISO 8601 date-time means (UTC where it names no zone); null when it is none. */
export const instant = (value: string): Date | null => {
  if (!isoTime.test(value) || !dayExists(value.slice(0, 10))) return null
  const date = new Date(/(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? value : `${value}Z`)
  return Number.isNaN(date.getTime()) ? null : date
}

/** The calendar day, `YYYY-MM-DD`, of a day or of the UTC part of an instant; null when it is neither. */
export const calendarDay = (value: string): string | null => {
  if (isoDay.test(value)) return dayExists(value) ? value : null
  const day = instant(value)?.toISOString().slice(0, 10)
  return day && isoDay.test(day) ? day : null
}

const DAY = 86_400_000

/** The first stored time that a filter's `from` lets through: a day counts whole, an instant counts itself. */
export const firstMoment = (from: string): string =>
  storedTime(instant(from)?.getTime() ?? Date.parse(from))

/** The first stored time that a filter's `to` shuts out; times are kept in whole milliseconds. */
export const momentAfter = (to: string): string =>
  storedTime(isoDay.test(to) ? Date.parse(to) + DAY : (instant(to)?.getTime() ?? Infinity) + 1)

/** Shifts a moment by whole days, then by years, and gives its UTC day. */
export const dayFrom = (now: Date, { days = 0, years = 0 } = {}): string => {
  const day = new Date(now)
  day.setUTCDate(day.getUTCDate() + days)
  return storedTime(day.setUTCFullYear(day.getUTCFullYear() + years)).slice(0, 10)
}

export const preferredDate = oneLine('Preferred date', { max: 40 }).check(
  z.meta({ description: 'YYYY-MM-DD, or an ISO time of which the UTC day counts' }),
  rule(
    (value) => calendarDay(value) !== null,
    'Preferred date must be a day that exists, such as 2026-12-01.',
  ),
  z.overwrite((value) => calendarDay(value) ?? value),
  z.check<string>(({ value, issues }) => {
    if (calendarDay(value) === null) return
    const now = new Date()
    const first = dayFrom(now, { days: -limits.preferredDate.daysBack })
    const last = dayFrom(now, { years: limits.preferredDate.yearsAhead })
    if (value < first || value > last)
      issues.push({
        code: 'custom',
        input: value,
        message: 'Preferred date must be from today to two years ahead.',
      })
  }),
)

export const uuidPattern =
  /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A UUIDv7, in lower case. */
export const id = z.string().check(z.regex(uuidPattern), z.meta({ format: 'uuid' }))

/** ISO 8601 UTC with milliseconds. */
export const isoTimestamp = z.string().check(z.meta({ format: 'date-time' }))

/** The version that a change was made on; a change of another one is refused. */
export const version = z.int({ error: 'The version is a whole number.' })

export const flag = z.boolean({ error: 'Say true or false.' })

/** Takes numbers alone: a query or a form has digits in their place. */
export const wholeNumber = (label: string, { min, max }: { min: number; max: number }) => {
  const error = `${label} is a whole number from ${min} to ${max}.`
  return z.int({ error }).check(z.gte(min, error), z.lte(max, error))
}

export const cursor = plainText('The cursor', 1_000)

/** A page of a list; a cursor of null where it is the last one. */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ data: z.array(item), meta: z.object({ nextCursor: z.nullable(z.string()) }) })

export const entryName = /^[a-z0-9-]{1,80}$/

/** The name of an entry of the content: what else it may be is known to the server alone. */
export const entryId = (error: string) => z.string({ error }).check(z.regex(entryName, error))

/** A choice of a form among entries of the content; absent or unknown it is the other one. */
export const choice = (other: string, collection: string) =>
  z.catch(
    z
      .string()
      .check(
        z.trim(),
        z.regex(entryName),
        z.meta({ description: `An entry of ${collection} or ${other}; unknown becomes ${other}` }),
      ),
    other,
  )
