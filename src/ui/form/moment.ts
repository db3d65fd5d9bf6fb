/** Formats of times in the visitor's time zone. */

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'short' })
/** "14:05". */
export const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** "Saturday 21 Nov, 14:05". */
export const momentWords = (moment: Date): string =>
  `${day.format(moment).replace(',', '')}, ${time.format(moment)}`

/** The visitor's calendar day, moved by whole years, as `YYYY-MM-DD`. */
export const localDay = (now: Date, { years = 0 } = {}): string => {
  const month = String(now.getMonth() + 1).padStart(2, '0')
  return `${now.getFullYear() + years}-${month}-${String(now.getDate()).padStart(2, '0')}`
}
