/** Dates as staff read them: in the reader's own zone; a preferred date is a day and never shifts. */

const locale = 'en-GB'

/** A formatter, made when it is first used: on a phone the first one takes some 60 ms. */
const format = (options: Intl.DateTimeFormatOptions) => {
  let made: Intl.DateTimeFormat | undefined
  return (date: Date): string => {
    made ??= new Intl.DateTimeFormat(locale, options)
    return made.format(date)
  }
}

// Lists need no formatter: their dates are put together here.
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ')
const two = (n: number): string => String(n).padStart(2, '0')
const clock = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}`
const weekday = (date: Date): string | undefined => weekdays[date.getDay()]
const shortDay = (date: Date): string => `${date.getDate()} ${months[date.getMonth()]}`
const shortDayYear = (date: Date): string => `${shortDay(date)} ${date.getFullYear()}`

const dayOfWeek = { weekday: 'long', day: 'numeric', month: 'long' } as const
const longDay = format({ dateStyle: 'long' })
const weekdayDay = format(dayOfWeek)
const exact = format({ dateStyle: 'long', timeStyle: 'long' })
const calendar = format({ ...dayOfWeek, timeZone: 'UTC' })
const calendarLong = format({ dateStyle: 'long', timeZone: 'UTC' })
const calendarYear = format({ ...dayOfWeek, year: 'numeric', timeZone: 'UTC' })

const startOfDay = (date: Date): number =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()

const daysApart = (earlier: Date, later: Date): number =>
  Math.round((startOfDay(later) - startOfDay(earlier)) / 86_400_000)

/** By how many days ago they are. */
const nearDays = new Map([
  [-1, 'Tomorrow'],
  [0, 'Today'],
  [1, 'Yesterday'],
])

/** `20 Nov`, with the year when it is another one. */
export const dayOf = (iso: string, now: Date): string => {
  const date = new Date(iso)
  return (date.getFullYear() === now.getFullYear() ? shortDay : shortDayYear)(date)
}

/** `Today, 09:10`, `Yesterday, 20:00`, `Tomorrow, 09:00`, `19 Nov, 20:00`. */
export const whenOf = (iso: string, now: Date): string => {
  const date = new Date(iso)
  const days = daysApart(date, now)
  const day = nearDays.get(days) ?? dayOf(iso, now)
  return `${day}, ${clock(date)}`
}

/** `09:10` today, `tomorrow 09:10`, `Mon 09:10` within a week, `3 Dec` beyond it; past days likewise. */
export const nearTimeOf = (iso: string, now: Date): string => {
  const date = new Date(iso)
  const days = daysApart(date, now)
  if (days === 0) return clock(date)
  if (days === 1) return `yesterday ${clock(date)}`
  if (days === -1) return `tomorrow ${clock(date)}`
  return days < 0 && days > -7 ? `${weekday(date)} ${clock(date)}` : dayOf(iso, now)
}

/** `Monday 23 November, 14:20`. */
export const nowText = (now: Date): string => `${weekdayDay(now)}, ${clock(now)}`

export const timeOf = (iso: string | Date): string => clock(new Date(iso))

export const dateOf = (iso: string): string => longDay(new Date(iso))

/** `20 November 2026 at 09:10`, whatever day it is read. */
export const dateTimeOf = (iso: string): string => `${dateOf(iso)} at ${timeOf(iso)}`

/** With seconds and zone, for a tooltip; of a calendar day the day, which has no zone. */
export const exactlyOf = (iso: string): string =>
  iso.includes('T') ? exact(new Date(iso)) : calendarYear(new Date(iso)).replace(',', '')

/** A calendar day such as `2026-11-24`: `24 November 2026`. What is no day stays as it is. */
export const longDayOf = (day: string): string => {
  const date = new Date(day)
  return Number.isNaN(date.getTime()) ? day : calendarLong(date)
}

/** A calendar day such as `2026-11-24`, the same in every zone: `Tuesday 24 November`. */
export const calendarDayOf = (day: string, now: Date): string => {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return day
  const sameYear = date.getUTCFullYear() === now.getFullYear()
  return (sameYear ? calendar : calendarYear)(date).replace(',', '')
}
