import { html, raw } from 'hono/html'
import { limits } from '#contract/limits.ts'
import { clockFace, clockHand } from '#contract/times/clock-face.ts'
import { timeOfDay, weekdayAndTime } from '#contract/times/moments.ts'
import type { Html } from './parts.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const round = limits.promiseHours * HOUR

/** The time at which the clock of a promised minute started, in milliseconds. */
export const clockStart = (promisedAt: Date): number => promisedAt.getTime() - round

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

const spanOf = (milliseconds: number) => {
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

/** The clock shows the time until the promised minute, since it, or from the start to the answer. */
export type Clock =
  | { shows: 'left' | 'late'; promisedAt: Date; now: Date }
  | { shows: 'answered'; promisedAt: Date; answeredAt: Date }

/** Degrees clockwise from the top; never quite round, where an arc would vanish. */
const degreesOf = (milliseconds: number): number =>
  Math.min(359, Math.max(0.5, (milliseconds / round) * 360))

const words = (clock: Clock): { span: string; caption: string; label: string } => {
  const { shows, promisedAt } = clock
  if (shows === 'answered') {
    const took = clock.answeredAt.getTime() - clockStart(promisedAt)
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

const looks = { left: 'dial', late: 'dial late', answered: 'dial good' }

/** The promised minute at the top, then the hours at the quarters. */
const hoursOf = (start: number, promisedAt: Date, timeZone: string): string[] => [
  weekdayAndTime(promisedAt, timeZone),
  ...[6, 12, 18].map((hours) => timeOfDay(new Date(start + hours * HOUR), timeZone)),
]

/** Dotted is the time left; late, the whole ring is used. */
const path = (shows: Clock['shows'], degrees: number): Html => {
  const { circle } = clockFace
  const hand = clockHand(degrees)
  const ring = (look: string) =>
    html`<circle class="${look}" cx="${circle.cx}" cy="${circle.cy}" r="${circle.r}"/>`
  return html`<g fill="none">
    ${shows === 'answered' && ring('base')}
    ${shows === 'late' ? ring('used') : html`<path class="used" d="${hand.used}"/>`}
    ${shows === 'left' && degrees < 335 && html`<path class="flight-path" d="${hand.left}"/>`}
  </g>`
}

export const clock = (shown: Clock, timeZone: string): Html => {
  const { shows, promisedAt } = shown
  const start = clockStart(promisedAt)
  const at = shows === 'answered' ? shown.answeredAt : shown.now
  const degrees = degreesOf(at.getTime() - (shows === 'late' ? promisedAt.getTime() : start))
  const { span, caption, label } = words(shown)
  const { ground, mark } = clockHand(degrees)
  const small = raw(
    'font-family="var(--chart)" font-size="16" fill="var(--ink-2)" text-anchor="middle"',
  )
  const { hours, caption: below, span: middle } = clockFace
  return html`<svg class="${looks[shows]}" id="dial" viewBox="${clockFace.viewBox}" role="img" aria-label="${label}">
    <path d="${clockFace.ticks}" stroke="var(--ink)" stroke-width="1.25"/>
    ${path(shows, degrees)}
    <path class="waypoint" fill="var(--accent)" stroke="var(--ink)" stroke-width="1.5" d="${clockFace.waypoint}"/>
    <circle cx="${ground.cx}" cy="${ground.cy}" r="19" fill="var(--paper)"/>
    <path class="plane" transform="${mark}" d="${clockFace.mark}"/>
    ${hoursOf(start, promisedAt, timeZone).map(
      (hour, n) => html`<text ${small} x="${hours[n]?.x}" y="${hours[n]?.y}">${hour}</text>`,
    )}
    <text ${small} x="${below.x}" y="${below.y}">${caption}</text>
    <text id="dial-span" x="${middle.x}" y="${middle.y}" font-size="38" font-weight="600" letter-spacing="-1.3" fill="var(--ink)" text-anchor="middle">${span}</text>
  </svg>`
}
