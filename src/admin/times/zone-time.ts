import { timeOfDay } from '#contract/moments.ts'

/** `10:30 in London`. */
export const theirTime = (zone: string, at: string): string =>
  `${timeOfDay(new Date(at), zone)} in ${(zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')}`

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
