import { html } from 'hono/html'
import * as z from 'zod/mini'
import { instant } from '#contract/fields.ts'
import { limits } from '#contract/limits.ts'
import { fullDay, longMoment, timeOfDay, zoneText } from '#contract/times/moments.ts'
import type { Slot } from '#contract/times/times.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { ErrorPage } from '#server/http/pipeline.ts'
import { type Route, route } from '#server/http/route.ts'
import { fieldText } from '#server/kinds/kind.ts'
import * as parts from '#server/status-page/parts.ts'
import type { Found } from '#server/status-page/store/find.ts'
import { chooseZone, zoneOptions, zoneQuery } from '#server/status-page/zones.ts'
import { brand, talkTerms } from '#site/content.ts'
import { type Choices, choicesOf } from './choices.ts'
import { requireConsultation } from './sender-routes.ts'
import { slotAt } from './slots.ts'

/** The sender's page about times. It works without a script: forms, links, an address for each step. */

interface Look {
  token: string
  timeZone: string
  found: Found
  problem?: parts.Problem | undefined
  /** The start of a time that somebody else has just taken. */
  gone?: string | undefined
  /** True while another time is chosen for a talk that is booked. */
  isMoving: boolean
}

const DAYS = 5

/** So many times are a card each. */
const FEW = 3

const hoursText = ({ start, end }: Slot, zone: string): string =>
  `${timeOfDay(new Date(start), zone)} to ${timeOfDay(new Date(end), zone)}`

const whenText = (slot: Slot, zone: string): string => {
  const start = new Date(slot.start)
  return `${fullDay(start, zone)}, ${hoursText(slot, zone)} (${zoneText(zone, start)})`
}

const hostName = ({ host }: Choices): string => host?.firstName ?? brand().name

const pathOf = ({ token }: Look): string => `/status/${token}/times`

/** An address of the page that keeps the zone. */
const linkTo = (look: Look, query: Readonly<Record<string, string>> = {}): string => {
  const all = { ...query, ...zoneQuery(look.timeZone, look.found.timeZone) }
  const search = new URLSearchParams(all).toString()
  return `${pathOf(look)}${search && `?${search}`}`
}

const moving = { move: '1' }

const moveField = ({ isMoving }: Look) =>
  isMoving ? html`<input type="hidden" name="move" value="1">` : ''

const zoneField = ({ timeZone }: Look) =>
  html`<input type="hidden" name="zone" value="${timeZone}">`

const zoneForm = (look: Look) => html`
  <form method="get" action="${pathOf(look)}" class="zone-form" aria-label="Time zone">
    ${moveField(look)}
    <label for="zone">Times are in</label>
    <select id="zone" name="zone">
      ${zoneOptions(look.timeZone, new Date())}
    </select>
    <button type="submit" class="btn line">Show</button>
  </form>`

/** "today", "tomorrow" or "in 5 days", by the calendar of the zone. */
const daysAhead = (start: string, timeZone: string): string => {
  const day = (at: Date) => Date.parse(`${fullDay(at, timeZone)} UTC`)
  const days = Math.round((day(new Date(start)) - day(new Date())) / 86_400_000)
  return days < 1 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`
}

const card = (slot: Slot, { timeZone, gone }: Look, day: parts.Html | '' = '') => {
  const text = html`${day}<b>${hoursText(slot, timeZone)}</b>
    <span class="soft">${zoneText(timeZone, new Date(slot.start))}</span>`
  return slot.start === gone
    ? html`<div class="slot lost"><div>${text}<span>gone</span></div></div>`
    : html`<label class="slot">
        <input type="radio" name="start" value="${slot.start}" required>
        <div>${text}</div>
      </label>`
}

/** A few times are a card each with its day; many stand under their days. */
const cards = (slots: readonly Slot[], look: Look, isFew: boolean) => {
  const { timeZone } = look
  if (isFew)
    return html`<fieldset class="day-times">
      <legend class="visually-hidden">Times</legend>
      <div class="slots few">
        ${slots.map((slot) =>
          card(
            slot,
            look,
            html`<span class="day">${fullDay(new Date(slot.start), timeZone)}</span>
              <span class="soft">${daysAhead(slot.start, timeZone)}</span>`,
          ),
        )}
      </div>
    </fieldset>`
  const days = Map.groupBy(slots, ({ start }) => fullDay(new Date(start), timeZone))
  return html`${[...days].map(
    ([day, its]) => html`<fieldset class="day-times">
      <legend>${day}</legend>
      <div class="slots">${its.map((slot) => card(slot, look))}</div>
    </fieldset>`,
  )}`
}

/** The slots of the first days from `after` on, and where the next ones begin. */
const shownSlots = (slots: readonly Slot[], after: string | undefined, timeZone: string) => {
  const later = slots.filter(({ start }) => after === undefined || start >= after)
  // The days that an old link names may be over.
  const from = later.length > 0 ? later : slots
  const days = [...Map.groupBy(from, ({ start }) => fullDay(new Date(start), timeZone)).values()]
  return { shown: days.slice(0, DAYS).flat(), next: days[DAYS]?.[0]?.start }
}

const chooser = (choices: Choices, look: Look, after: string | undefined) => {
  const minutes = choices.offered?.minutes ?? 30
  const lost =
    look.gone && choices.offered?.slots?.includes(look.gone) ? [slotAt(look.gone, minutes)] : []
  const isFew = choices.offered?.slots != null && choices.slots.length + lost.length <= FEW
  const slots = [...choices.slots, ...lost].sort((a, b) => (a.start < b.start ? -1 : 1))
  const { shown, next } = shownSlots(slots, after, look.timeZone)
  return html`${zoneForm(look)}
    <form method="get" action="${pathOf(look)}" aria-label="Times">
      ${zoneField(look)} ${moveField(look)}
      ${cards(shown, look, isFew)}
      <div class="actions">${parts.submitButton('Go on')}</div>
    </form>
    ${
      next &&
      html`<p class="part"><a class="go-link" href="${linkTo(look, { ...(look.isMoving && moving), after: next })}">Later days</a></p>`
    }
    <p class="part soft">
      ${!look.isMoving && 'Nothing is booked yet.'}
      <a href="/status/${look.token}#messages">None of these suits me: write to us</a>
    </p>`
}

const framed = (look: Look, title: string, content: parts.Html): parts.Screen => ({
  title,
  main: html`${parts.pageHead(title, { label: 'Your talk', token: look.token })}
    <div class="wrap narrow">${parts.problemBox(look.problem)} ${content}</div>`,
})

const cancelledText = ({ found: { appointment }, timeZone }: Look) =>
  appointment?.state === 'cancelled'
    ? html`<p class="intro">
        Your talk on ${whenText(appointment, timeZone)} was cancelled.
      </p>`
    : ''

const chooseScreen = (choices: Choices, look: Look, after: string | undefined): parts.Screen => {
  const messages = `/status/${look.token}#messages`
  if (look.found.withdrawnAt !== null)
    return framed(
      look,
      'Withdrawn',
      html`${cancelledText(look)}
        <p class="intro">
          You withdrew your request. <a href="${messages}">Write to us to take it up again</a>
        </p>`,
    )
  if (choices.slots.length === 0)
    return framed(
      look,
      'No times just now',
      html`${cancelledText(look)}
      <p class="intro">
        Write to us and say what would suit you; we answer within ${limits.promiseHours} hours.
        <a href="${messages}">Write to us</a>
      </p>`,
    )
  return framed(
    look,
    'Choose a time',
    html`${cancelledText(look)}
      <p class="intro">
        ${hostName(choices)} offers you a talk of
        ${choices.offered?.minutes ?? 30} minutes${talkTerms()?.price === 'Free' && ', free'}.
      </p>
      ${chooser(choices, look, after)}`,
  )
}

/** The tick is the field that books: without it the form sends no time. */
const confirmScreen = (choices: Choices, look: Look, slot: Slot): parts.Screen => {
  const { timeZone, problem, found } = look
  return framed(
    look,
    choices.upcoming ? 'Move it to this time?' : 'Book this time?',
    html`<div class="booked">
        <b>${fullDay(new Date(slot.start), timeZone)}</b>
        <b>${hoursText(slot, timeZone)}</b>
        <p class="intro">${zoneText(timeZone, new Date(slot.start))}</p>
        <dl>
          ${fact('With', hostName(choices))}
          ${choices.host && fact('Where', placeLink(choices.host.place))}
          ${fact('Invitation', `To ${parts.masked(fieldText(found.fields.email))}`)}
        </dl>
      </div>
      <form method="post" action="/api${pathOf(look)}" id="form" aria-label="Book" class="part">
        ${zoneField(look)}
        <div class="form-grid">
          ${parts.tick('start', 'Yes, this time suits me', { error: problem?.fields.start, value: slot.start })}
        </div>
        <div class="actions">
          ${parts.submitButton(choices.upcoming ? 'Move it' : 'Book this time')}
          <a class="go-link" href="${linkTo(look, choices.upcoming ? moving : {})}">Choose another</a>
        </div>
      </form>`,
  )
}

const placeLink = (place: string) =>
  /^https:\/\/\S+$/.test(place) && URL.canParse(place)
    ? html`<a href="${place}" rel="noopener noreferrer">${place.replace('https://', '')}</a>`
    : place

const fact = (term: string, value: parts.Html | string) =>
  html`<div><dt>${term}</dt><dd>${value}</dd></div>`

const bookedScreen = (
  choices: Choices,
  look: Look,
  appointment: NonNullable<Found['appointment']>,
): parts.Screen => {
  const { timeZone, token } = look
  const { start, place } = appointment
  const reminder = new Date(Date.parse(start) - limits.reminderHours * 3_600_000)
  return framed(
    look,
    'Your talk is booked',
    html`${zoneForm(look)}
      <div class="talk">
      <div class="booked">
        <b>${fullDay(new Date(start), timeZone)}</b>
        <b>${hoursText(appointment, timeZone)}</b>
        <p class="intro">${zoneText(timeZone, new Date(start))}, ${daysAhead(start, timeZone)}</p>
        <dl>
          ${fact('With', choices.upcoming?.host ? `${choices.upcoming.host}, ${brand().name}` : brand().name)}
          ${fact('Where', placeLink(place))}
          ${reminder > new Date() && fact('Reminder', `By e-mail, ${longMoment(reminder, timeZone)}`)}
        </dl>
        <div class="actions">
          <a class="btn" href="/api/status/${token}/appointment.ics">${parts.icon('calendar')} Add to calendar</a>
          <span class="soft">A file that every calendar opens. The invitation is in your mail, too.</span>
        </div>
      </div>
      <section aria-labelledby="changes">
        <h2 id="changes">Something came up?</h2>
        ${
          choices.slots.length > 0 &&
          html`<div class="choice">
            <h3>Move it</h3>
            <p class="soft">This time stays yours until another one is booked.</p>
            <a class="btn line" href="${linkTo(look, moving)}">Choose another time</a>
          </div>`
        }
        <div class="choice">
          <h3>Cancel it</h3>
          <p class="soft">Your request stays open, and we write to you.</p>
          <a class="btn line stop" href="${linkTo(look, { cancel: '1' })}">Cancel the talk…</a>
        </div>
      </section>
    </div>`,
  )
}

const moveScreen = (choices: Choices, look: Look, after: string | undefined): parts.Screen =>
  framed(
    look,
    'Choose another time',
    html`<p class="intro">The time that you have stays yours until another one is booked.</p>
      ${chooser(choices, look, after)}
      <p><a class="go-link" href="${linkTo(look)}">Back, change nothing</a></p>`,
  )

const cancelScreen = (look: Look): parts.Screen => {
  const { appointment } = look.found
  return framed(
    look,
    'Cancel the talk?',
    html`${appointment && html`<p class="intro">${whenText(appointment, look.timeZone)}</p>`}
      <p class="soft">Your request stays open, and we answer within ${limits.promiseHours} hours.</p>
      <form method="post" action="/api${pathOf(look)}/cancel" id="form" aria-label="Cancel" class="part">
        ${zoneField(look)}
        <div class="form-grid">
          ${parts.messageField('A word to us (optional)', look.problem)}
          ${parts.tick('confirm', 'Yes, cancel it', { error: look.problem?.fields.confirm })}
        </div>
        <div class="actions">
          <button type="submit" class="btn stop">Cancel the talk</button>
          <a class="go-link" href="${linkTo(look)}">Back, change nothing</a>
        </div>
      </form>`,
  )
}

const query = z.object({
  zone: z.optional(z.unknown()),
  start: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
  cancel: z.optional(z.unknown()),
  move: z.optional(z.unknown()),
})

type Asked = z.output<typeof query> & { token: string; gone?: string | undefined }

const textOr = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const problemWith = (message: string): parts.Problem => ({ message, fields: {}, typed: {} })

/** The time went between the list and the choice. */
const takenProblem = (isBooked: boolean): parts.Problem =>
  problemWith(
    `${new HttpError('taken').message} ${isBooked ? 'Your talk stays as it is.' : 'Nothing is booked.'}`,
  )

const timesPage = async (
  deps: Deps,
  { token, zone, start, after, cancel, move, gone }: Asked,
  problem?: parts.Problem,
  status = 200,
): Promise<Response> => {
  const found = await requireConsultation(deps, { token })
  const choices = await choicesOf(deps, found)
  const from = textOr(after)
  const slot = choices.slots.find((one) => one.start === start)
  const { appointment } = found
  const isBooked = choices.upcoming !== null && appointment !== null
  const isOwn = isBooked && start === appointment.start
  const lost = gone ?? (slot || isOwn || problem ? undefined : textOr(start))
  const isMoving =
    isBooked &&
    choices.slots.length > 0 &&
    (move !== undefined || from !== undefined || lost !== undefined)
  const timeZone = chooseZone(zone, found.timeZone)
  const shown = lost === undefined ? problem : takenProblem(isBooked)
  const look = { token, timeZone, found, problem: shown, gone: lost, isMoving }
  const screen =
    cancel !== undefined && isBooked
      ? cancelScreen(look)
      : slot
        ? confirmScreen(choices, look, slot)
        : !isBooked
          ? chooseScreen(choices, look, from)
          : isMoving
            ? moveScreen(choices, look, from)
            : bookedScreen(choices, look, appointment)
  return parts.respond(deps, 'talk', screen, status)
}

const times = parts.page('/status/:token/times', 'The sender’s page about times', query)

const noTime = problemWith('The address of this page names no time.')

export const timePages: Route[] = [
  route(times, ({ params, query: { start, ...query } }, deps) => {
    const asked = { ...params, ...query }
    const given = textOr(start)
    if (given === undefined) return timesPage(deps, asked)
    const at = instant(given)
    return at
      ? timesPage(deps, { ...asked, start: at.toISOString() })
      : timesPage(deps, asked, noTime, 400)
  }),
]

/** Answers a refused form about times with its page; undefined where there is none to show. */
export const timesErrorPage = async (
  error: HttpError,
  { path, params, body }: Parameters<ErrorPage>[1],
  deps: Deps,
): Promise<Response | undefined> => {
  const { token } = params
  if (token === undefined) return undefined
  const { start, zone } = (body ?? {}) as { start?: unknown; zone?: unknown }
  if (error.code === 'taken') {
    const asked = { token, zone, gone: textOr(start) }
    return parts.pageOfRefused(error, () => timesPage(deps, asked, undefined, error.status))
  }
  // The talk was cancelled meanwhile, or twice: the page says what became of it.
  const problem = error.code === 'not_found' ? undefined : parts.problemOf(error, body)
  const asked = path.endsWith('/cancel') ? { token, zone, cancel: '1' } : { token, zone, start }
  return parts.pageOfRefused(error, () => timesPage(deps, asked, problem, error.status))
}
