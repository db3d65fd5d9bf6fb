import { limits } from '#contract/limits.ts'
import type { Changes } from '#server/pages/fill.ts'
import { timeOfDay, weekdayAndTime } from '#server/times.ts'

/** The clock of a promised answer (`ui/dial.tsx`), for one moment. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const round = limits.promiseHours * HOUR

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

interface Span {
  days: number
  hours: number
  minutes: number
}

const spanOf = (milliseconds: number): Span => {
  const minutes = Math.max(0, Math.floor(milliseconds / MINUTE))
  const days = minutes >= 2 * 24 * 60 ? Math.floor(minutes / (24 * 60)) : 0
  const rest = minutes - days * 24 * 60
  return { days, hours: Math.floor(rest / 60), minutes: rest % 60 }
}

/** "3 h 41", "2 d 4 h". */
const shortSpan = (milliseconds: number): string => {
  const { days, hours, minutes } = spanOf(milliseconds)
  return days > 0 ? `${days} d ${hours} h` : `${hours} h ${String(minutes).padStart(2, '0')}`
}

/** "3 hours 41 minutes". */
export const spanText = (milliseconds: number): string => {
  const { days, hours, minutes } = spanOf(milliseconds)
  const parts = days > 0 ? [plural(days, 'day'), plural(hours, 'hour')] : []
  if (days === 0 && hours > 0) parts.push(plural(hours, 'hour'))
  if (days === 0 && (minutes > 0 || hours === 0)) parts.push(plural(minutes, 'minute'))
  return parts.join(' ')
}

/** What the dial shows: how long until the promised time, since it, or from the start to the answer. */
export type Clock =
  | { shows: 'left' | 'late'; promisedAt: Date; now: Date }
  | { shows: 'answered'; promisedAt: Date; answeredAt: Date }

const center = { x: 170, y: 152, radius: 92 }

const point = (degrees: number): { x: string; y: string } => {
  const angle = (degrees * Math.PI) / 180
  return {
    x: (center.x + center.radius * Math.sin(angle)).toFixed(1),
    y: (center.y - center.radius * Math.cos(angle)).toFixed(1),
  }
}

/** A part of the circle, clockwise. */
const arc = (from: number, to: number): string => {
  const [start, end] = [point(from), point(to)]
  const { radius } = center
  return `M${start.x} ${start.y}A${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1 ${end.x} ${end.y}`
}

/** Degrees clockwise from the top; never quite round, where an arc would vanish. */
const degreesOf = (milliseconds: number): number =>
  Math.min(359, Math.max(0.5, (milliseconds / round) * 360))

const words = (clock: Clock): { span: string; caption: string; label: string } => {
  const { shows, promisedAt } = clock
  if (shows === 'answered') {
    const took = clock.answeredAt.getTime() - (promisedAt.getTime() - round)
    return {
      span: shortSpan(took),
      caption: 'to the answer',
      label: `Answered after ${spanText(took)}; ${limits.promiseHours} hours were promised`,
    }
  }
  // Rounded up, so that a promise of 24 hours begins with 24 hours left.
  const left = Math.ceil((promisedAt.getTime() - clock.now.getTime()) / MINUTE) * MINUTE
  if (shows === 'late')
    return {
      span: `+${shortSpan(-left)}`,
      caption: 'past the hour',
      label: `${spanText(-left)} past the promised ${limits.promiseHours} hours`,
    }
  return {
    span: shortSpan(left),
    caption: 'left',
    label: `${spanText(left)} left of ${limits.promiseHours} hours`,
  }
}

const markAt = (degrees: number): string => {
  const { x, y } = point(degrees)
  return `translate(${x} ${y}) rotate(${(degrees + 12).toFixed(1)}) translate(-14 -15)`
}

/** The changes that set the dial; null leaves it out. */
export const dialChanges = (clock: Clock | null, timeZone: string): Changes => {
  if (!clock) return { '#dial': null }
  const { shows, promisedAt } = clock
  const start = promisedAt.getTime() - round
  const shown = shows === 'answered' ? clock.answeredAt : clock.now
  const degrees =
    shows === 'late'
      ? degreesOf(clock.now.getTime() - promisedAt.getTime())
      : degreesOf(shown.getTime() - start)
  const { span, caption, label } = words(clock)
  const { x, y } = point(degrees)
  const hourAt = (hours: number) => timeOfDay(new Date(start + hours * HOUR), timeZone)
  const look = { left: 'dial', late: 'dial late', answered: 'dial good' }[shows]
  return {
    '#dial': { attributes: { 'aria-label': label, class: look } },
    '#dial-base': shows === 'answered' ? {} : null,
    '#dial-ring': shows === 'late' ? {} : null,
    '#dial-used': shows === 'late' ? null : { attributes: { d: arc(0, degrees) } },
    '#dial-left':
      shows === 'left' && degrees < 335 ? { attributes: { d: arc(degrees + 15, 354) } } : null,
    '#dial-ground': { attributes: { cx: x, cy: y } },
    '#dial-mark': { attributes: { transform: markAt(degrees) } },
    '#dial-top': weekdayAndTime(promisedAt, timeZone),
    '#dial-right': hourAt(6),
    '#dial-bottom': hourAt(12),
    '#dial-west': hourAt(18),
    '#dial-span': span,
    '#dial-caption': caption,
  }
}
