/** Times as a clock of a zone shows them. */

const made = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${zone} ${JSON.stringify(options)}`
  const format = made.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone })
  made.set(key, format)
  return format
}

/** `2026-11-24`. */
export const dayIn = (zone: string, at: string | number): string =>
  formatOf(zone, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .format(new Date(at))
    .split('/')
    .reverse()
    .join('-')

/** `09:30`. */
export const clockIn = (zone: string, at: string | number): string =>
  formatOf(zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(at))

const momentAs =
  (name: 'short' | 'long') =>
  (zone: string, at: string): string => {
    const date = new Date(at)
    const year = date.getFullYear() === new Date().getFullYear() ? undefined : 'numeric'
    const day = formatOf(zone, { weekday: name, day: 'numeric', month: name, year })
    return `${day.format(date).replace(',', '')}, ${clockIn(zone, at)}`
  }

/** `Wed 25 Nov, 15:00`, with the year when it is another one. */
export const momentIn = momentAs('short')

/** `Wednesday 25 November, 15:00`, likewise. */
export const longMomentIn = momentAs('long')

/** `London`, of `Europe/London`. */
export const placeOf = (zone: string): string =>
  (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
