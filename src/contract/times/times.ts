import * as z from 'zod/mini'
import {
  calendarDay,
  id,
  instant,
  isHttpsUrl,
  isoTimestamp,
  wholeNumber,
} from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { absentIfBlank, activityEntry, eventMeta, kindPaths, messageText } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { isTimeZone } from '#contract/submission.ts'
import { longText, oneLine, plainText } from '#contract/text.ts'
import { appointment, appointmentStates, staffAppointment } from './appointment.ts'

/** Hours of those who talk with senders, free times, appointments. */

export const lengths = [15, 30, 45, 60] as const
const length = z.literal(lengths, { error: 'The length is 15, 30, 45 or 60 minutes.' })

const clockTime = (latest: RegExp) =>
  z.string({ error: 'A time looks like 09:00.' }).check(z.regex(latest, 'A time looks like 09:00.'))

const from = clockTime(/^([01]\d|2[0-3]):[0-5]\d$/)
const to = clockTime(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/)

const range = z.object({
  /** 1 is Monday. */
  day: z
    .int({ error: 'The day is a number from 1 (Monday) to 7.' })
    .check(z.gte(1, 'The day is a number from 1.'), z.lte(7, 'The day is a number to 7.')),
  from,
  to,
})
export type HoursRange = z.output<typeof range>

const weekly = z.array(range, { error: 'Send the hours as a list of ranges.' }).check(
  z.maxLength(limits.hours.ranges, `At most ${limits.hours.ranges} ranges.`),
  z.check<HoursRange[]>(({ value, issues }) => {
    const refuse = (message: string) => issues.push({ code: 'custom', input: value, message })
    if (value.some((one) => one.from >= one.to)) refuse('A range ends after it begins.')
    const sorted = value.toSorted((a, b) => a.day - b.day || (a.from < b.from ? -1 : 1))
    const overlap = sorted.some((one, n) => {
      const next = sorted[n + 1]
      return next?.day === one.day && next.from < one.to
    })
    if (overlap) refuse('Two ranges of a day overlap.')
  }),
)

const hours = {
  timeZone: z
    .string({ error: 'The time zone is missing.' })
    .check(z.refine(isTimeZone, { error: 'This time zone is unknown.' })),
  weekly,
  minutes: length,
  /** Minutes kept free around appointments and busy times. */
  buffer: wholeNumber('The break', limits.hours.buffer),
  noticeHours: wholeNumber('The notice', limits.hours.notice),
  horizonDays: wholeNumber('How far ahead', limits.hours.horizon),
  /** A link or an address, as the invitation says it. */
  place: oneLine('The place', { max: limits.hours.place }),
}

const savedHours = z.object({
  ...hours,
  /** `https://HOST/…`: the rest of the address is a secret. */
  busyUrl: z.nullable(z.string()),
})
export type Hours = z.output<typeof savedHours>

const busyState = z.object({
  state: z.enum(['none', 'fresh', 'stale', 'failed']),
  /** The time at which the present copy was read. */
  at: z.nullable(isoTimestamp),
  problem: z.nullable(z.string()),
})
export type BusyState = z.output<typeof busyState>

const hoursAnswer = z.object({
  data: z.nullable(savedHours),
  meta: z.object({
    busy: busyState,
    /** True if one’s own appointments have an address for calendar programs. */
    feed: z.boolean(),
  }),
})

export const readHours = endpoint('GET /api/me/hours', {
  summary: 'One’s own hours; null where none are set',
  access: 'records.change',
  output: hoursAnswer,
})

/** The visible part of a calendar's address. */
export const shownBusyUrl = (url: string): string => `https://${new URL(url).host}/…`

const isCalendarUrl = (value: string): boolean =>
  /^https:\/\/[^/]+\/…$/.test(value) || isHttpsUrl(value)

export const changeHours = endpoint('PUT /api/me/hours', {
  summary: 'Set one’s own hours; `busyUrl` stays where it is left out or sent as it is shown',
  access: 'records.change',
  body: z.object({
    ...hours,
    busyUrl: z.optional(
      z.nullable(
        oneLine('The calendar’s address', { max: limits.url }).check(
          z.refine(isCalendarUrl, {
            error: 'The calendar’s address must start with https:// and hold no user name.',
          }),
        ),
      ),
    ),
  }),
  output: hoursAnswer,
})

export const checkCalendar = endpoint('POST /api/me/hours/check', {
  summary: 'Read one’s own calendar now',
  access: 'records.change',
  output: z.object({
    data: z.object({
      events: z.int(),
      /** The start of the first and the end of the last busy time; null without any. */
      from: z.nullable(isoTimestamp),
      to: z.nullable(isoTimestamp),
    }),
  }),
})

const slot = z.object({ start: isoTimestamp, end: isoTimestamp })
export type Slot = z.output<typeof slot>

const moment = z.string().check(
  z.refine((value) => calendarDay(value) !== null || instant(value) !== null, {
    error: 'Times look like 2026-11-20 or 2026-11-20T09:30:00Z.',
  }),
)

const span = { from: absentIfBlank(moment), to: absentIfBlank(moment) }

export const readSlots = endpoint('GET /api/me/slots', {
  summary: `One’s own free times, at most ${limits.hours.span} days`,
  access: 'records.change',
  query: z.object({
    ...span,
    minutes: absentIfBlank(
      z.pipe(
        z.transform((value) =>
          typeof value === 'string' && /^\d\d$/.test(value) ? Number(value) : value,
        ),
        length.check(z.meta({ description: 'How long each is; as the hours say by default' })),
      ),
    ),
  }),
  output: z.object({ data: z.array(slot) }),
})

const startMessage = 'A time looks like 2026-12-01T09:00:00Z.'
const start = z.string({ error: startMessage }).check(
  // An appointment also ends in a year that has four digits.
  z.refine((value) => (instant(value)?.getUTCFullYear() ?? 9_999) < 9_999, { error: startMessage }),
  z.overwrite((value) => instant(value)?.toISOString() ?? value),
)

export const offerTimes = endpoint('POST /api/consultations/:id/times', {
  summary: `Offer times to the sender; the mail leaves ${limits.messageDelaySeconds} seconds later`,
  access: 'records.change',
  body: z.object({
    slots: z.optional(
      z
        .array(start, { error: 'Send the times as a list.' })
        .check(
          z.minLength(1, 'Choose at least one time.'),
          z.maxLength(limits.offeredTimes, `At most ${limits.offeredTimes} times.`),
        ),
    ),
    minutes: z.optional(length),
    text: absentIfBlank(messageText),
    host: absentIfBlank(plainText('The host', limits.username.max)),
  }),
  bodyOptional: true,
  output: z.object({ data: activityEntry, meta: eventMeta }),
  status: 201,
  repeatable: true,
})

export const changeAppointment = endpoint('PUT /api/consultations/:id/appointment', {
  summary: 'Move or cancel an appointment, or give it to another host',
  access: 'records.change',
  body: z.object({
    start: z.optional(start),
    host: z.optional(plainText('The host', limits.username.max)),
    state: z.optional(z.literal('cancelled', { error: 'The state is cancelled.' })),
    text: absentIfBlank(messageText),
  }),
  output: z.object({ data: staffAppointment }),
})

export const listAppointments = endpoint('GET /api/appointments', {
  summary: `Appointments of at most ${limits.hours.span} days, the next first`,
  access: 'records.read',
  query: z.object({
    ...span,
    host: absentIfBlank(plainText('The host', limits.username.max)),
  }),
  output: z.object({
    data: z.array(
      z.object({
        _id: id,
        record: z.object({ kind: z.enum(kindPaths), _id: id }),
        name: z.string(),
        start: isoTimestamp,
        end: isoTimestamp,
        host: z.nullable(z.string()),
        state: z.enum(appointmentStates),
        /** The sender's zone, if the form named it. */
        zone: z.string(),
      }),
    ),
  }),
})

export const makeCalendarLink = endpoint('POST /api/me/calendar', {
  summary: 'A new address of one’s own appointments as a calendar; the one before ends',
  access: 'records.change',
  output: z.object({ data: z.object({ url: z.string() }) }),
})

export const endCalendarLink = endpoint('DELETE /api/me/calendar', {
  summary: 'End the address of one’s own calendar',
  access: 'records.change',
})

export const calendarFeed = endpoint('GET /calendar/:token', {
  summary: 'The appointments of one of the staff, for calendar programs',
  access: 'public',
  output: z.string(),
  produces: 'text/calendar',
})

const senderTimes = z.object({
  minutes: z.int(),
  zone: z.string(),
  /** The first name of who is met, else the brand's name. */
  host: z.string(),
  slots: z.array(slot),
  appointment: z.nullable(appointment),
})

export const readTimes = endpoint('GET /api/status/:token/times', {
  summary: 'The times that a sender may choose from',
  access: 'public',
  query: z.object({ zone: z.optional(z.unknown()) }),
  output: z.object({ data: senderTimes }),
})

/** The zone of the page that a form leads back to. */
const formZone = z.optional(z.unknown())

export const takeTime = endpoint('POST /api/status/:token/times', {
  summary: 'Choose a time, or move the appointment to it',
  access: 'public',
  body: z.object({ start, zone: formZone }),
  output: z.object({ data: appointment }),
  status: 201,
  form: true,
  repeatable: true,
})

export const appointmentFile = endpoint('GET /api/status/:token/appointment.ics', {
  summary: 'The appointment to come for a calendar',
  access: 'public',
  output: z.string(),
  produces: 'text/calendar',
})

export const cancelTime = endpoint('DELETE /api/status/:token/times', {
  summary: 'Cancel the appointment',
  access: 'public',
})

/** A form knows GET and POST alone. */
export const cancelTimeByForm = endpoint('POST /api/status/:token/times/cancel', {
  summary: 'Cancel the appointment, from the page’s form',
  access: 'public',
  body: z.object({
    confirm: z.optional(z.unknown()),
    text: absentIfBlank(longText('Message', { max: limits.reply })),
    zone: formZone,
  }),
  bodyOptional: true,
  form: true,
  repeatable: true,
})
