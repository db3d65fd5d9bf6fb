/** Dates as staff read them: in the reader's own zone; a preferred date is a day and never shifts. */

const locale = 'en-GB'
const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options)

const clock = format({ hour: '2-digit', minute: '2-digit' })
const shortDay = format({ day: 'numeric', month: 'short' })
const shortDayYear = format({ day: 'numeric', month: 'short', year: 'numeric' })
const longDay = format({ day: 'numeric', month: 'long', year: 'numeric' })
const weekday = format({ weekday: 'short' })
const exact = format({ dateStyle: 'long', timeStyle: 'long' })
const calendar = format({ weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
const calendarYear = format({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

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
  return (date.getFullYear() === now.getFullYear() ? shortDay : shortDayYear).format(date)
}

/** `Today, 09:10`, `Yesterday, 20:00`, `Tomorrow, 09:00`, `19 Nov, 20:00`. */
export const whenOf = (iso: string, now: Date): string => {
  const date = new Date(iso)
  const days = daysApart(date, now)
  const day = nearDays.get(days) ?? dayOf(iso, now)
  return `${day}, ${clock.format(date)}`
}

/** `09:10` today, `tomorrow 09:10`, `Mon 09:10` within a week, `3 Dec` beyond it; past days likewise. */
export const nearTimeOf = (iso: string, now: Date): string => {
  const date = new Date(iso)
  const days = daysApart(date, now)
  if (days === 0) return clock.format(date)
  if (days === 1) return `yesterday ${clock.format(date)}`
  if (days === -1) return `tomorrow ${clock.format(date)}`
  return days < 0 && days > -7 ? `${weekday.format(date)} ${clock.format(date)}` : dayOf(iso, now)
}

export const timeOf = (iso: string | Date): string => clock.format(new Date(iso))

export const dateOf = (iso: string): string => longDay.format(new Date(iso))

/** `20 November 2026 at 09:10`, whatever day it is read. */
export const dateTimeOf = (iso: string): string => `${dateOf(iso)} at ${timeOf(iso)}`

/** With seconds and zone, for a tooltip. */
export const exactlyOf = (iso: string): string => exact.format(new Date(iso))

/** A calendar day such as `2026-11-24`, the same in every zone: `Tuesday 24 November`. */
export const calendarDayOf = (day: string, now: Date): string => {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return day
  const sameYear = date.getUTCFullYear() === now.getFullYear()
  return (sameYear ? calendar : calendarYear).format(date).replace(',', '')
}
