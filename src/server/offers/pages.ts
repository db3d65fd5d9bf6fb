import { html } from 'hono/html'
import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { moneyText, totalsText } from '#contract/money.ts'
import type { Offer } from '#contract/offer.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { ErrorPage } from '#server/http/pipeline.ts'
import { type Route, route } from '#server/http/route.ts'
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
import { chooseZone } from '#server/status-page/zones.ts'
import { calendarDayText, longMoment, zoneText } from '#server/times.ts'
import { brand } from '#site/content.ts'
import { requireSentOffer } from './routes.ts'

/** An offer on the sender's page: the whole text, and the forms that answer it. */

const lineRow = ({ label, amount, per }: Offer['lines'][number], currency: string): Html => html`
  <tr>
    <td dir="auto">${label}</td>
    <td>${per === 'once' ? moneyText(amount, currency) : ''}</td>
    <td>${per === 'month' ? moneyText(amount, currency) : ''}</td>
  </tr>`

/** The offer as it stands on paper, too. */
const sheet = (offer: Offer): Html => {
  const { title, text, lines, totals, currency, startsOn, validUntil, terms, state } = offer
  const isOver = state !== 'sent' && state !== 'accepted'
  return html`<article class="doc ${isOver ? 'ended' : ''}" aria-label="The offer">
    <p class="meta">${brand().name}</p>
    <h2 dir="auto">${title}</h2>
    <p class="typed" dir="auto">${text}</p>
    <table>
      <thead><tr><th scope="col">What</th><th scope="col">Once</th><th scope="col">A month</th></tr></thead>
      <tbody>${lines.map((line) => lineRow(line, currency))}</tbody>
      <tfoot>
        <tr>
          <td>Together</td>
          <td>${moneyText(totals.once, currency)}</td>
          <td>${moneyText(totals.month, currency)}</td>
        </tr>
      </tfoot>
    </table>
    ${startsOn && html`<p class="typed">Start: ${calendarDayText(startsOn)}</p>`}
    <p class="typed">Valid until: ${calendarDayText(validUntil)}</p>
    ${terms && html`<h3 class="part">Terms</h3><p class="typed" dir="auto">${terms}</p>`}
  </article>`
}

interface Look {
  token: string
  found: Found
  offer: Offer
  problem?: Problem | undefined
}

const callOf = ({ token, offer }: Look): string => `/api/status/${token}/offers/${offer._id}`

const acceptForm = (look: Look): Html => {
  const { offer, problem } = look
  const { name, agree } = problem?.fields ?? {}
  return html`<form method="post" action="${callOf(look)}" id="accept" aria-label="Accept">
    <input type="hidden" name="answer" value="accept">
    <input type="hidden" name="hash" value="${offer.hash}">
    <div class="form-grid">
      <div class="field">
        <div class="label-row"><label for="name">Your name</label></div>
        <input id="name" name="name" autocomplete="name" maxlength="${limits.name}" required${describedBy('name', name)}>
        ${fieldError('name', name)}
      </div>
      <div class="field checkbox">
        <input type="checkbox" id="agree" name="agree" required autocomplete="off"${describedBy('agree', agree)}>
        <div>
          <label for="agree">I accept this offer: ${totalsText(offer.totals, offer.currency)}</label>
          ${fieldError('agree', agree)}
        </div>
      </div>
    </div>
    <p class="soft">
      Accepting is an order in plain words. It is no electronic signature, and nothing is paid here.
      We keep the text, your name, the time and a hash of your IP address to prove what was agreed,
      and mail the text to you.
    </p>
    <div class="actions">${submitButton('Accept the offer')}</div>
  </form>`
}

/** The tick is the answer: without it the form sends none. */
const declineForm = (look: Look): Html => html`
  <details class="part">
    <summary>Decline</summary>
    <form method="post" action="${callOf(look)}" id="decline" aria-label="Decline">
      <input type="hidden" name="hash" value="${look.offer.hash}">
      <div class="form-grid">
        <div class="field">
          <div class="label-row"><label for="text">Why (optional)</label></div>
          <textarea id="text" name="text" dir="auto" maxlength="${limits.reply}">
${look.problem?.typed.text}</textarea>
        </div>
        <div class="field checkbox">
          <input type="checkbox" id="answer" name="answer" value="decline" required autocomplete="off"${describedBy('answer', look.problem?.fields.answer)}>
          <div>
            <label for="answer">No, I decline it</label>
            ${fieldError('answer', look.problem?.fields.answer)}
          </div>
        </div>
      </div>
      <div class="actions"><button type="submit" class="btn stop">Decline</button></div>
    </form>
  </details>`

const ended: Readonly<Partial<Record<Offer['state'], string>>> = {
  declined: 'You declined this offer.',
  expired: 'This offer has run out. Write to us for a new one.',
  replaced: 'There is a newer offer.',
}

const offerScreen = (look: Look): Screen => {
  const { offer, found, token, problem } = look
  const { state, answeredAt, answer, hash, totals, currency } = offer
  const isOpen = state === 'sent' && found.withdrawnAt === null
  const zone = chooseZone(undefined, found.timeZone)
  const newest = found.offers.at(-1)
  const title = state === 'accepted' ? 'You accepted our offer' : 'Our offer to you'
  return {
    title,
    main: html`${pageHead(title, { label: 'Offer', token })}
      <div class="wrap narrow">
        ${problemBox(problem?.message)}
        ${
          state === 'accepted' &&
          answeredAt &&
          html`<p class="booked">
            <b>${totalsText(totals, currency)}</b>
            Accepted by ${answer?.name}, ${longMoment(new Date(answeredAt), zone)}
            (${zoneText(zone, new Date(answeredAt))})
          </p>`
        }
        ${
          ended[state] &&
          html`<p class="intro">
            ${ended[state]}
            ${
              state === 'replaced' &&
              newest &&
              newest.id !== offer._id &&
              html`<a href="/status/${token}/offers/${newest.id}">Read it</a>`
            }
          </p>`
        }
        <div class="part">${sheet(offer)}</div>
        <div class="no-print part">
          ${isOpen && acceptForm(look)}
          <p class="part">
            <a class="go-link" href="/status/${token}#messages">Ask a question: nothing is decided by it</a>
          </p>
          ${isOpen && declineForm(look)}
          ${
            found.keepsAccepted &&
            html`<p class="soft part">
              We keep what you accepted, with your name, also if you erase your data on your page.
            </p>`
          }
          <details class="part">
            <summary>How to prove that this text is unchanged</summary>
            <p class="proof">SHA-256 of the text in its canonical form: ${hash}</p>
          </details>
        </div>
      </div>`,
  }
}

const offerPage = async (
  deps: Deps,
  params: { token: string; id: string },
  problem?: Problem,
  status = 200,
): Promise<Response> => {
  const { found, offer } = await requireSentOffer(deps, params)
  const screen = offerScreen({ token: params.token, found, offer, problem })
  return respond(deps, 'talk', screen, status)
}

const page = endpoint({
  method: 'GET',
  path: '/status/:token/offers/:id',
  summary: 'An offer on the sender’s page',
  access: 'public',
  output: z.string(),
  produces: 'text/html',
})

export const offerPages: Route[] = [route(page, ({ params }, deps) => offerPage(deps, params))]

/** Answers a refused form about an offer with its page; undefined where there is none to show. */
export const offersErrorPage = async (
  error: HttpError,
  { params, body }: Parameters<ErrorPage>[1],
  deps: Deps,
): Promise<Response | undefined> => {
  const { token, id } = params
  if (!token || !id || error.status >= 500 || error.code === 'not_found') return undefined
  const { text } = (body ?? {}) as { text?: unknown }
  const problem: Problem = {
    message: error.message,
    fields: Object.fromEntries(
      Object.entries(error.details.fields ?? {}).map(([name, all]) => [name, all.join(' ')]),
    ),
    typed: { text: typeof text === 'string' ? text : '' },
  }
  try {
    return await offerPage(deps, { token, id }, problem, error.status)
  } catch (shown) {
    if (shown instanceof HttpError && shown.code === 'not_found') return undefined
    throw shown
  }
}
