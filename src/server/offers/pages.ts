import { html } from 'hono/html'
import { limits } from '#contract/limits.ts'
import { moneyText, totalsText } from '#contract/offers/money.ts'
import type { Offer } from '#contract/offers/offer.ts'
import { shortReference } from '#contract/reference.ts'
import { calendarDayText, dayIn, fullDay, longMoment, zoneText } from '#contract/times/moments.ts'
import type { Deps } from '#server/deps.ts'
import type { HttpError } from '#server/http/http-error.ts'
import type { ErrorPage } from '#server/http/pipeline.ts'
import { type Route, route } from '#server/http/route.ts'
import { fieldText } from '#server/kinds/kind.ts'
import * as parts from '#server/status-page/parts.ts'
import type { Found } from '#server/status-page/store/find.ts'
import { chooseZone } from '#server/status-page/zones.ts'
import { brand } from '#site/content.ts'
import { requireSentOffer } from './routes.ts'

/** An offer on the sender's page: the whole text, and the forms that answer it. */

const rhythms = { once: 'Once', month: 'A month' }

/** The offer as a document: on the page, and alone on paper. */
const sheet = ({ offer, found, zone }: Look) => {
  const { title, text, lines, totals, currency, startsOn, validUntil, terms, state } = offer
  const isOver = state !== 'sent' && state !== 'accepted'
  const { name, company } = found.fields
  const columns = (['once', 'month'] as const).filter((column) =>
    lines.some(({ per }) => per === column),
  )
  return html`<article class="doc ${isOver ? 'ended' : ''}" aria-label="The offer">
    <p class="letter-head">
      <b>${brand().name}</b>
      <span class="label">
        Offer ${shortReference(offer._id)}
        ${offer.sentAt && html`<br>${fullDay(new Date(offer.sentAt), zone)}`}
      </span>
    </p>
    <h2 dir="auto">${title}</h2>
    <p class="soft" dir="auto">
      For ${[name, company]
        .map((value) => fieldText(value ?? null))
        .filter(Boolean)
        .join(', ')}
    </p>
    <p class="typed" dir="auto">${text}</p>
    <table>
      <thead>
        <tr>
          <th scope="col">What</th>
          ${columns.map((column) => html` <th scope="col">${rhythms[column]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({ label, amount, per }) => html`<tr>
            <td dir="auto">${label}</td>
            ${columns.map(
              (column) =>
                html` <td>${per === column && html`${moneyText(amount, currency)}${per === 'month' && html`<span class="per"> a month</span>`}`}</td>`,
            )}
          </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Together</th>
          ${columns.map(
            (column) =>
              html` <td>${moneyText(totals[column], currency)} <small>${rhythms[column].toLowerCase()}</small></td>`,
          )}
        </tr>
      </tfoot>
    </table>
    <dl>
      ${startsOn && html`<div><dt>Start</dt><dd>${calendarDayText(startsOn)}</dd></div>`}
      <div><dt>Valid until</dt><dd>${calendarDayText(validUntil)}</dd></div>
    </dl>
    ${terms && html`<p class="typed soft" dir="auto"><b>Terms.</b> ${terms}</p>`}
  </article>`
}

interface Look {
  token: string
  found: Found
  offer: Offer
  /** The sender's, of all days and times on the page. */
  zone: string
  problem?: parts.Problem | undefined
}

const callOf = ({ token, offer }: Look): string => `/api/status/${token}/offers/${offer._id}`

const acceptForm = (look: Look) => {
  const { offer, problem } = look
  const { name, agree } = problem?.fields ?? {}
  return html`<section class="part" id="accept" aria-labelledby="accept-title">
    <h2 id="accept-title">Accept it</h2>
    <form method="post" action="${callOf(look)}" aria-label="Accept">
    <input type="hidden" name="answer" value="accept">
    <input type="hidden" name="hash" value="${offer.hash}">
    <div class="form-grid">
      <div class="field">
        <div class="label-row"><label for="name">Your name</label></div>
        <input id="name" name="name" autocomplete="name" maxlength="${limits.name}" value="${problem?.typed.name ?? ''}" required${parts.describedBy('name', name)}>
        ${parts.fieldError('name', name)}
      </div>
      ${parts.tick('agree', `I accept this offer: ${totalsText(offer.totals, offer.currency)}`, { error: agree })}
    </div>
    <p class="soft">
      By accepting you place an order in plain words. It is not an electronic signature, and nothing
      is paid here. We keep the text, your name, the time and a hash of your IP address to prove what
      was agreed, and mail the text to you.
    </p>
    <div class="actions">
      ${parts.submitButton('Accept the offer')}
      <a class="go-link" href="/status/${look.token}">Back, change nothing</a>
    </div>
    </form>
  </section>`
}

/** The tick is the answer: without it the form sends none. */
const declineForm = (look: Look) => html`
  <section class="part" id="decline" aria-labelledby="decline-title">
    <h2 id="decline-title">Decline it</h2>
    <form method="post" action="${callOf(look)}" aria-label="Decline">
      <input type="hidden" name="hash" value="${look.offer.hash}">
      <div class="form-grid">
        ${parts.messageField('Why (optional)', look.problem)}
        ${parts.tick('answer', 'No, I decline it', { error: look.problem?.fields.answer, value: 'decline' })}
      </div>
      <div class="actions"><button type="submit" class="btn stop">Decline</button></div>
    </form>
  </section>`

const DAY = 86_400_000

/** The days that are left, in the sender's zone; towards the end also the moment, since the last day is one of UTC. */
const daysLeft = (day: string, zone: string): string => {
  const days = Math.round((Date.parse(day) - Date.parse(dayIn(new Date(), zone))) / DAY)
  if (days > 1) return `${days} days from now.`
  const last = new Date(Date.parse(day) + DAY - 1)
  return `${days < 1 ? 'the last day' : 'tomorrow'}. It can be answered until ${longMoment(last, zone)} (${zoneText(zone, last)}).`
}

const ended: Readonly<Partial<Record<Offer['state'], string>>> = {
  declined: 'You declined this offer.',
  expired: 'This offer has expired. Write to us for a new one.',
  replaced: 'There is a newer offer.',
}

const offerScreen = (look: Look): parts.Screen => {
  const { offer, found, token, zone, problem } = look
  const { state, answeredAt, answer, hash, totals, currency, validUntil } = offer
  const isOpen = state === 'sent' && found.withdrawnAt === null
  const newest = found.offers.at(-1)
  const title = state === 'accepted' ? 'You accepted our offer' : 'Our offer to you'
  const path = `/status/${token}`
  return {
    title,
    main: html`${parts.pageHead(title, { label: 'Offer', token })}
      <div class="wrap narrow">
        ${parts.problemBox(problem)}
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
        ${
          state === 'sent' &&
          !isOpen &&
          html`<p class="intro">
            You withdrew your request. <a href="${path}#messages">Write to us to take it up again</a>
          </p>`
        }
        <div class="offer">
          ${sheet(look)}
          <aside class="no-print" aria-label="Answer">
            <p class="sums"><b>${totalsText(totals, currency)}</b></p>
            ${
              isOpen &&
              html`<p class="soft">
                  Valid until ${calendarDayText(validUntil)}, ${daysLeft(validUntil, zone)}
                </p>
                <a class="btn" href="#accept">Accept… ${parts.icon('arrow')}</a>`
            }
            <a class="btn line" href="${path}#messages">${isOpen ? 'Ask a question' : 'Write to us'}</a>
            ${isOpen && html`<a class="go-link" href="#decline">Decline</a>`}
            ${
              isOpen &&
              html`<p class="after">To accept, give your name and tick the box below the offer. Nothing is paid here.</p>`
            }
            <p class="after">On paper: print this page, or save it as a PDF.</p>
          </aside>
        </div>
        <div class="no-print">
          ${isOpen && acceptForm(look)} ${isOpen && declineForm(look)}
          ${
            found.keepsAccepted &&
            html`<p class="soft part">
              We keep what you accepted, with your name, even if you erase your data on your page.
            </p>`
          }
          <details class="part">
            <summary>How to prove that this text is unchanged</summary>
            <p>SHA-256 of the text in its canonical form: ${hash}</p>
          </details>
        </div>
      </div>`,
  }
}

const offerPage = async (
  deps: Deps,
  params: { token: string; id: string },
  problem?: parts.Problem,
  status = 200,
): Promise<Response> => {
  const { found, offer } = await requireSentOffer(deps, params)
  const zone = chooseZone(undefined, found.timeZone)
  const screen = offerScreen({ token: params.token, found, offer, zone, problem })
  return parts.respond(deps, 'talk', screen, status)
}

export const offerPages: Route[] = [
  route(
    parts.page('/status/:token/offers/:id', 'An offer on the sender’s page'),
    ({ params }, deps) => offerPage(deps, params),
  ),
]

/** Answers a refused form about an offer with its page; undefined where there is none to show. */
export const offersErrorPage = async (
  error: HttpError,
  { params, body }: Parameters<ErrorPage>[1],
  deps: Deps,
): Promise<Response | undefined> => {
  const { token, id } = params
  if (!token || !id) return undefined
  const problem = parts.problemOf(error, body)
  return parts.pageOfRefused(error, () => offerPage(deps, { token, id }, problem, error.status))
}
