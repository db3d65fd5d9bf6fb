/** Formats of times in the visitor's time zone. */

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'short' })
/** "14:05". */
export const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** "Saturday 21 Nov, 14:05". */
export const momentWords = (moment: Date): string =>
  `${day.format(moment).replace(',', '')}, ${time.format(moment)}`

/** The visitor's calendar day, as `YYYY-MM-DD`. */
export const localDay = (now: Date): string => {
  const month = String(now.getMonth() + 1).padStart(2, '0')
  return `${now.getFullYear()}-${month}-${String(now.getDate()).padStart(2, '0')}`
}

/** The last day that the server takes: the UTC day in two years. */
export const lastDay = (now: Date): string => {
  const last = new Date(now)
  last.setUTCFullYear(last.getUTCFullYear() + 2)
  return last.toISOString().slice(0, 10)
}
