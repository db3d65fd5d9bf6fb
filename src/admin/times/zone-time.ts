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

/** `Wed 25 Nov, 15:00`. */
export const momentIn = (zone: string, at: string): string =>
  `${formatOf(zone, { weekday: 'short', day: 'numeric', month: 'short' }).format(new Date(at)).replace(',', '')}, ${clockIn(zone, at)}`

/** `Wednesday 25 November, 15:00`. */
export const longMomentIn = (zone: string, at: string): string =>
  `${formatOf(zone, { weekday: 'long', day: 'numeric', month: 'long' }).format(new Date(at)).replace(',', '')}, ${clockIn(zone, at)}`

/** `London`, of `Europe/London`. */
export const placeOf = (zone: string): string =>
  (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
