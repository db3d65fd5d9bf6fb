import { dayIn, longMoment, shortMoment, timeOfDay, zoneCity } from '#contract/times/moments.ts'

/** A moment in words, with the year when it is another one. */
const withYear =
  (inWords: typeof longMoment) =>
  (at: string, zone: string): string => {
    const [year, present] = [new Date(at), new Date()].map((date) => dayIn(date, zone).slice(0, 4))
    const text = inWords(new Date(at), zone)
    return year === present ? text : text.replace(',', ` ${year},`)
  }

/** `Wed 25 Nov, 15:00 in Kolkata`. */
export const momentIn = (at: string, zone: string): string =>
  `${withYear(shortMoment)(at, zone)} ${inZone(zone)}`

/** `Wednesday 25 November, 15:00`. */
export const longMomentIn = withYear(longMoment)

/** The zone's city with its preposition: `in London`. */
export const inZone = (zone: string): string => `in ${zoneCity(zone)}`

/** `10:30 in London`, with the day where it is another one than in one's own zone. */
export const theirTime = (zone: string, at: string, own: string): string => {
  const date = new Date(at)
  const inWords = dayIn(date, zone) === dayIn(date, own) ? timeOfDay : shortMoment
  return `${inWords(date, zone)} ${inZone(zone)}`
}

/** Every zone that the browser knows, with its present name, each name once: `chosen` stands for its own. */
export const zoneChoices = (chosen: string): [zone: string, name: string][] =>
  [
    ...new Map(
      [...Intl.supportedValuesOf('timeZone'), 'UTC', chosen].map((zone) => [
        zone.replace(/[^/]+$/, zoneCity),
        zone,
      ]),
    ),
  ]
    .map(([name, zone]): [string, string] => [zone, name])
    .sort(([, a], [, b]) => a.localeCompare(b, 'en'))

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
