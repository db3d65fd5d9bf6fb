import { html, raw } from 'hono/html'
import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import type { Slot } from '#contract/times.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { ErrorPage } from '#server/http/pipeline.ts'
import { type Route, route } from '#server/http/route.ts'
import { fieldText } from '#server/kinds/kind.ts'
import {
  describedBy,
  fieldError,
  type Html,
  type Problem,
  pageHead,
  problemBox,
  respond,
  type Screen,
  submitButton,
} from '#server/status-page/parts.ts'
import type { Found } from '#server/status-page/store/find.ts'
import { chooseZone, zoneChoices } from '#server/status-page/zones.ts'
import { fullDay, timeOfDay, zoneText } from '#server/times.ts'
import { brand } from '#site/content.ts'
import { type Choices, choicesOf } from './choices.ts'
import { requireConsultation } from './sender-routes.ts'

/** The sender's page about times. It works without a script: forms, links, an address for each step. */

interface Look {
  token: string
  timeZone: string
  found: Found
  problem?: Problem | undefined
}

/** Days that one page shows. */
const DAYS = 5

const hoursText = ({ start, end }: Slot, zone: string): string =>
  `${timeOfDay(new Date(start), zone)} to ${timeOfDay(new Date(end), zone)}`

const whenText = (slot: Slot, zone: string): string =>
  `${fullDay(new Date(slot.start), zone)}, ${hoursText(slot, zone)}`

const hostName = ({ host }: Choices): string => host?.firstName ?? brand().name

const pathOf = ({ token }: Look): string => `/status/${token}/times`

const zoneForm = (look: Look): Html => html`
  <form method="get" action="${pathOf(look)}" class="zone-form" aria-label="Time zone">
    <label for="zone">Times are in</label>
    <select id="zone" name="zone">
      ${zoneChoices(look.timeZone, new Date()).map(
        ({ value, text }) =>
          html`<option value="${value}"${value === look.timeZone ? raw(' selected') : ''}>${text}</option>`,
      )}
    </select>
    <button type="submit" class="btn line">Show</button>
  </form>`

const cards = (slots: readonly Slot[], look: Look): Html => {
  const { timeZone } = look
  const days = Map.groupBy(slots, ({ start }) => fullDay(new Date(start), timeZone))
  return html`${[...days].map(
    ([day, its]) => html`<fieldset class="day-times">
      <legend>${day}</legend>
      <div class="slots">
        ${its.map(
          (slot) => html`<label class="slot">
            <input type="radio" name="start" value="${slot.start}" required>
            <b>${hoursText(slot, timeZone)}</b>
            <span class="soft">${zoneText(timeZone, new Date(slot.start))}</span>
          </label>`,
        )}
      </div>
    </fieldset>`,
  )}`
}

/** The slots of the first days from `after` on, and where the next ones begin. */
const shownSlots = (slots: readonly Slot[], after: string | undefined, timeZone: string) => {
  const from = slots.filter(({ start }) => after === undefined || start >= after)
  const days = [...Map.groupBy(from, ({ start }) => fullDay(new Date(start), timeZone)).values()]
  return { shown: days.slice(0, DAYS).flat(), next: days[DAYS]?.[0]?.start }
}

const chooser = (choices: Choices, look: Look, after: string | undefined): Html => {
  const { shown, next } = shownSlots(choices.slots, after, look.timeZone)
  const zone = encodeURIComponent(look.timeZone)
  return html`${zoneForm(look)}
    <form method="get" action="${pathOf(look)}" aria-label="Times">
      <input type="hidden" name="zone" value="${look.timeZone}">
      ${cards(shown, look)}
      <div class="actions">${submitButton('Go on')}</div>
    </form>
    ${
      next &&
      html`<p class="part"><a class="go-link" href="${pathOf(look)}?zone=${zone}&amp;after=${next}">Later days</a></p>`
    }
    <p class="part soft">
      Nothing is booked yet.
      <a href="/status/${look.token}#messages">None of these suits me: write to us</a>
    </p>`
}

const framed = (look: Look, title: string, content: Html): Screen => ({
  title,
  main: html`${pageHead(title, { label: 'Your talk', token: look.token })}
    <div class="wrap narrow">${problemBox(look.problem?.message)} ${content}</div>`,
})

const chooseScreen = (choices: Choices, look: Look, after: string | undefined): Screen => {
  if (choices.slots.length === 0)
    return framed(
      look,
      'No times just now',
      html`<p class="intro">
        Write to us and say what would suit you; we answer within 24 hours.
        <a href="/status/${look.token}#messages">Write to us</a>
      </p>`,
    )
  return framed(
    look,
    'Choose a time',
    html`<p class="intro">${hostName(choices)} offers you a talk of ${choices.offered?.minutes ?? 30} minutes, free.</p>
      ${chooser(choices, look, after)}`,
  )
}

/** The tick is the field that books: without it the form sends no time. */
const confirmScreen = (choices: Choices, look: Look, slot: Slot): Screen => {
  const { timeZone, problem, found } = look
  const error = problem?.fields.start
  return framed(
    look,
    choices.upcoming ? 'Move it to this time?' : 'Book this time?',
    html`<p class="booked">
        <b>${whenText(slot, timeZone)}</b>
        ${zoneText(timeZone, new Date(slot.start))}, with ${hostName(choices)}<br>
        Where: ${choices.host?.place}<br>
        The invitation goes to ${fieldText(found.fields.email).replace(/^(.).*(@[^@]*)$/, '$1•••$2')}
      </p>
      <form method="post" action="/api${pathOf(look)}" id="form" aria-label="Book" class="part">
        <div class="form-grid">
          <div class="field checkbox">
            <input type="checkbox" id="start" name="start" value="${slot.start}" required autocomplete="off"${describedBy('start', error)}>
            <div>
              <label for="start">Yes, this time suits me</label>
              ${fieldError('start', error)}
            </div>
          </div>
        </div>
        <div class="actions">
          ${submitButton(choices.upcoming ? 'Move it' : 'Book this time')}
          <a class="go-link" href="${pathOf(look)}">Choose another</a>
        </div>
      </form>`,
  )
}

const bookedScreen = (
  choices: Choices,
  look: Look,
  appointment: NonNullable<Found['appointment']>,
  after: string | undefined,
): Screen => {
  const { timeZone } = look
  return framed(
    look,
    'Your talk is booked',
    html`<p class="booked">
        <b>${whenText(appointment, timeZone)}</b>
        ${zoneText(timeZone, new Date(appointment.start))}, with ${hostName(choices)}<br>
        Where: ${appointment.place}<br>
        The invitation is in your mail, and a reminder comes the day before.
      </p>
      <p class="part"><a class="btn line stop" href="${pathOf(look)}?cancel=1">Cancel it…</a></p>
      ${
        choices.slots.length > 0 &&
        html`<section class="part" aria-label="Move it">
          <h2>Move it</h2>
          <p class="soft">This time stays yours until another one is booked.</p>
          ${chooser(choices, look, after)}
        </section>`
      }`,
  )
}

const cancelScreen = (look: Look): Screen => {
  const { appointment } = look.found
  const error = look.problem?.fields.confirm
  return framed(
    look,
    'Cancel the talk?',
    html`${appointment && html`<p class="intro">${whenText(appointment, look.timeZone)}</p>`}
      <p class="soft">Your request stays open, and we answer within 24 hours.</p>
      <form method="post" action="/api${pathOf(look)}/cancel" id="form" aria-label="Cancel" class="part">
        <div class="form-grid">
          <div class="field">
            <div class="label-row"><label for="text">A word to us (optional)</label></div>
            <textarea id="text" name="text" dir="auto">
${look.problem?.typed.text}</textarea>
          </div>
          <div class="field checkbox">
            <input type="checkbox" id="confirm" name="confirm" required autocomplete="off"${describedBy('confirm', error)}>
            <div>
              <label for="confirm">Yes, cancel it</label>
              ${fieldError('confirm', error)}
            </div>
          </div>
        </div>
        <div class="actions">
          <button type="submit" class="btn stop">Cancel the talk</button>
          <a class="go-link" href="${pathOf(look)}">Back, change nothing</a>
        </div>
      </form>`,
  )
}

interface Asked {
  token: string
  zone?: unknown
  start?: unknown
  after?: unknown
  cancel?: unknown
}

const textOr = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const timesPage = async (
  deps: Deps,
  { token, zone, start, after, cancel }: Asked,
  problem?: Problem,
  status = 200,
): Promise<Response> => {
  const found = await requireConsultation(deps, { token })
  const choices = await choicesOf(deps, found)
  const look = { token, timeZone: chooseZone(textOr(zone), found.timeZone), found, problem }
  const { appointment } = found
  const isBooked = choices.upcoming !== null && appointment !== null
  const slot = choices.slots.find((one) => one.start === start)
  const from = textOr(after)
  const screen =
    cancel !== undefined && isBooked
      ? cancelScreen(look)
      : slot
        ? confirmScreen(choices, look, slot)
        : isBooked
          ? bookedScreen(choices, look, appointment, from)
          : chooseScreen(choices, look, from)
  return respond(deps, 'talk', screen, status)
}

const page = endpoint({
  method: 'GET',
  path: '/status/:token/times',
  summary: 'The sender’s page about times',
  access: 'public',
  query: z.object({
    zone: z.optional(z.unknown()),
    start: z.optional(z.unknown()),
    after: z.optional(z.unknown()),
    cancel: z.optional(z.unknown()),
  }),
  output: z.string(),
  produces: 'text/html',
})

export const timePages: Route[] = [
  route(page, ({ params, query }, deps) => timesPage(deps, { ...params, ...query })),
]

/** Answers a refused form about times with its page; undefined where there is none to show. */
export const timesErrorPage = async (
  error: HttpError,
  { path, params, body }: Parameters<ErrorPage>[1],
  deps: Deps,
): Promise<Response | undefined> => {
  const { token } = params
  if (token === undefined || error.status >= 500 || error.code === 'not_found') return undefined
  const { start, text } = (body ?? {}) as { start?: unknown; text?: unknown }
  const problem: Problem = {
    message: error.code === 'taken' ? `${error.message} Nothing is booked.` : error.message,
    fields: Object.fromEntries(
      Object.entries(error.details.fields ?? {}).map(([name, all]) => [name, all.join(' ')]),
    ),
    typed: { text: textOr(text) ?? '' },
  }
  const asked = path.endsWith('/cancel') ? { token, cancel: '1' } : { token, start }
  try {
    return await timesPage(deps, asked, problem, error.status)
  } catch (shown) {
    if (shown instanceof HttpError && shown.code === 'not_found') return undefined
    throw shown
  }
}
