/** Times as pages, mails and the admin's talks write them: in English, on a 24-hour clock, in a named zone. */

type Options = Intl.DateTimeFormatOptions

/** The number of kept formats: enough for the zones of one day's senders. */
const MOST_FORMATS = 200

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format takes ten times as long as using it. */
const formatFor = (timeZone: string, options: Options): Intl.DateTimeFormat => {
  const key = JSON.stringify([timeZone, options])
  let found = formats.get(key)
  if (!found) {
    if (formats.size === MOST_FORMATS) formats.clear()
    found = new Intl.DateTimeFormat('en-GB', { timeZone, ...options })
    formats.set(key, found)
  }
  return found
}

const format = (at: Date, timeZone: string, options: Options): string =>
  formatFor(timeZone, options).format(at).replaceAll(',', '')

const clock: Options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

/** "14:11". */
export const timeOfDay = (at: Date, timeZone: string): string => format(at, timeZone, clock)

/** "2026-11-24". */
export const dayIn = (at: Date, timeZone: string): string =>
  formatFor(timeZone, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .format(at)
    .split('/')
    .reverse()
    .join('-')

/** "Tuesday 24 November 2026". */
export const fullDay = (at: Date, timeZone: string): string =>
  format(at, timeZone, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

/** "Tuesday 24 November, 14:11". */
export const longMoment = (at: Date, timeZone: string): string =>
  `${format(at, timeZone, { weekday: 'long', day: 'numeric', month: 'long' })}, ${timeOfDay(at, timeZone)}`

/** "Tue 24 Nov, 14:11". */
export const shortMoment = (at: Date, timeZone: string): string =>
  `${format(at, timeZone, { weekday: 'short', day: 'numeric', month: 'short' })}, ${timeOfDay(at, timeZone)}`

/** "Tue 14:11". */
export const weekdayAndTime = (at: Date, timeZone: string): string =>
  `${format(at, timeZone, { weekday: 'short' })} ${timeOfDay(at, timeZone)}`

/** A calendar day `YYYY-MM-DD` as "Thursday 26 November 2026". */
export const calendarDayText = (day: string): string => fullDay(new Date(`${day}T12:00:00Z`), 'UTC')

/** "UTC+5:30" at that moment. */
const offset = (at: Date, timeZone: string): string => {
  const parts = formatFor(timeZone, { timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  return name
    .replace('GMT', 'UTC')
    .replace(/([+-])0(\d)/, '$1$2')
    .replace(':00', '')
}

/** Cities that have been renamed: browsers give a zone the first name that CLDR had for it. */
const presentNames: Readonly<Record<string, string>> = {
  Asmera: 'Asmara',
  Calcutta: 'Kolkata',
  Faeroe: 'Faroe',
  Godthab: 'Nuuk',
  Katmandu: 'Kathmandu',
  Kiev: 'Kyiv',
  Ponape: 'Pohnpei',
  Rangoon: 'Yangon',
  Saigon: 'Ho Chi Minh',
  Truk: 'Chuuk',
}

/** "Kolkata", of "Asia/Kolkata" and of "Asia/Calcutta". */
export const zoneCity = (timeZone: string): string => {
  const city = (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
  return presentNames[city] ?? city
}

/** "Kolkata, UTC+5:30"; "UTC" for that itself. */
export const zoneText = (timeZone: string, at: Date): string => {
  if (timeZone === 'UTC') return 'UTC'
  const its = offset(at, timeZone)
  return `${zoneCity(timeZone)}, ${its === 'UTC' ? 'UTC+0' : its}`
}
