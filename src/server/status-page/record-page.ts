import { randomUUID } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { KindPath } from '#contract/inbox.ts'
import { shortReference } from '#contract/reference.ts'
import { calendarDayText, longMoment, shortMoment, zoneText } from '#contract/times/moments.ts'
import { fieldText } from '#server/kinds/kind.ts'
import { brand } from '#site/content.ts'
import { clock } from './clock.ts'
import * as parts from './parts.ts'
import { keptText, nouns, type Standing, type Step, standing } from './standing.ts'
import type { Found } from './store/find.ts'
import { zoneOptions, zoneQuery, zoneSearch } from './zones.ts'

interface Look {
  token: string
  now: Date
  timeZone: string
  /** The day by which an application is answered. */
  answerBy: string | null
  /** The entry before which the shown messages end. */
  before: string | undefined
}

/** Begins the sentence on where messages will appear. */
const firstMessage: Readonly<Record<KindPath, string>> = {
  consultations: 'The answer',
  applications: 'What we write',
  contacts: 'The answer',
}

const preparations: Readonly<Partial<Record<KindPath, readonly string[]>>> = {
  consultations: [
    'What your customers ask you for most often.',
    'The address of your present site, or of one you like, and why.',
    'Who else has to agree, and by when.',
  ],
  applications: [
    'One thing you built, behind a link that opens without a sign-in.',
    'What broke in it, and what you would do differently.',
    'How many hours you have each week, and for how many months.',
  ],
}

const rights = [
  {
    screen: 'correct',
    icon: 'pen',
    label: 'Correct',
    text: 'Change what you typed. The people who answer see the new text.',
  },
  {
    screen: 'withdraw',
    icon: 'stop',
    label: 'Withdraw',
    text: 'Nobody works on it any more. Nothing is deleted yet.',
  },
  {
    screen: 'export',
    icon: 'down',
    label: 'Download',
    text: 'One file with all we hold under this link. We mail you a code first.',
  },
  {
    screen: 'erase',
    icon: 'bin',
    label: 'Erase',
    text: 'Deletes it for good, messages too. We mail you a code first.',
  },
] as const

const reference = (id: string) =>
  html`<span>Reference <b id="reference">${shortReference(id)}</b></span>`

const zone = ({ token, timeZone, now, before }: Look) => html`
  <details class="zone">
    <summary><span>Times are in <span id="zone-text">${zoneText(timeZone, now)}</span>. Change</span></summary>
    <form method="get" action="/status/${token}" aria-label="Time zone">
      ${before && html`<input type="hidden" name="before" value="${before}">`}
      <label class="visually-hidden" for="zone">Time zone</label>
      <select id="zone" name="zone">
        ${zoneOptions(timeZone, now)}
      </select>
      <button type="submit">Show</button>
    </form>
  </details>`

const due = ({ lead, time, rest }: Standing['by']) =>
  lead || time || rest
    ? html`<p class="due">
        ${lead && html`<span id="by-lead">${lead}</span>`}
        ${time && html`<b id="by-time">${time}</b>`}
        ${rest && html`<span id="by-rest">${rest}</span>`}
      </p>`
    : ''

const late = () => {
  const { phone } = brand().contact
  return html`<div class="alert" role="status" id="late">
    ${parts.icon('triangle')}
    <p>
      <b>This is overdue on our side.</b> You need not write again, but you can: below, or by phone
      at <a href="${phone.href}">${phone.label}</a>.
    </p>
  </div>`
}

const head = (view: Standing, look: Look) => html`
  <div class="grid now">
    <div class="c1-6">
      <h1>${view.heading}</h1>
      ${due(view.by)} ${view.isLate && late()}
      ${view.explain && html`<p class="soft" id="explain">${view.explain}</p>`}
      ${zone(look)}
    </div>
    <div class="c7-12">
      ${view.clock ? clock(view.clock, look.timeZone) : view.drawing && parts.drawing(view.drawing)}
    </div>
  </div>`

const step = ({ label, state, here, time, text }: Step) => html`
  <li class="${state}"${here ? raw(' aria-current="step"') : ''}>
    ${parts.icon('triangle')}
    <div>
      <b><span class="label">${label}</span> ${here && html`<span class="here">${here}</span>`}</b>
      ${time && html`<span class="meta">${time}</span>`}
      <span class="soft">${text}</span>
    </div>
  </li>`

type Message = Found['messages'][number]

const message = ({ at, from, text, name }: Message, { timeZone }: Look) => html`
  <article class="message-row ${from === 'you' ? 'own' : ''}">
    <header>
      <b>${from === 'you' ? 'You' : name ? `${name} (${brand().name})` : brand().name}</b>
      <time class="meta" datetime="${at}">${shortMoment(new Date(at), timeZone)}</time>
    </header>
    <p class="typed" dir="auto">${text}</p>
  </article>`

/** The idempotency key stores a double click once. */
const reply = (
  label: string,
  { token, zone }: { token: string; zone: string | undefined },
  problem: parts.Problem | undefined,
) => html`
  <form class="reply" method="post" action="/api/status/${token}/messages" aria-label="Write to us">
    <input type="hidden" name="idempotencyKey" value="${randomUUID()}">
    ${zone && html`<input type="hidden" name="zone" value="${zone}">`}
    <div class="form-grid">${parts.messageField(label, problem, { isRequired: true })}</div>
    <div class="actions">${parts.submitButton('Send')}</div>
  </form>`

const preparation = (
  { kind, fields, appointment }: Found,
  prepare: readonly string[],
  token: string,
) => html`
  <section class="c9-12" aria-label="What to prepare">
    <h2>Three things to prepare</h2>
    <ol class="three">${prepare.map((text) => html`<li><span>${text}</span></li>`)}</ol>
    ${
      kind.path === 'consultations' &&
      appointment?.state !== 'booked' &&
      html`<div class="calendar">
        <a class="btn line" id="calendar" href="/api/status/${token}/preferred-date.ics" download>
          ${parts.icon('calendar')} Add the preferred day
        </a>
        <p class="aside-note">
          To your calendar: ${calendarDayText(fieldText(fields.preferredDate))}, all day until we
          have agreed an hour. A file that every calendar opens.
        </p>
      </div>`
    }
  </section>`

/** The submitted values: a label and a value each, the long text last. */
const sentRows = ({ kind, fields, shown, consentAt }: Found, timeZone: string) => {
  const value = (name: string): string => {
    const text = shown?.[name] ?? fieldText(fields[name])
    return name === 'preferredDate' && text ? calendarDayText(text) : text
  }
  const names = kind.fields.filter(
    (name) => name !== kind.longText && (name !== 'plan' || value(name)),
  )
  const row = (name: string, isLong = false) => ({
    label: kind.labels[name] ?? name,
    value: value(name) || 'Not given',
    isLong,
  })
  const consent = consentAt && `Agreed ${longMoment(new Date(consentAt), timeZone)}`
  return [
    ...names.map((name) => row(name, name === 'plan')),
    ...(consent ? [{ label: 'Terms and privacy', value: consent, isLong: false }] : []),
    row(kind.longText, true),
  ]
}

/** The classes of the boxes: halves come in pairs, so that no box is left out of the grid. */
const boxClasses = (rows: ReturnType<typeof sentRows>): string[] => {
  let halves = 0
  return rows.map(({ isLong }, n) => {
    if (isLong) {
      halves = 0
      return 'field long'
    }
    halves += 1
    const isAlone = halves % 2 === 1 && (rows[n + 1]?.isLong ?? true)
    return isAlone ? 'field' : 'field half'
  })
}

const sent = (found: Found, { token, timeZone }: Look) => {
  const boxes = sentRows(found, timeZone)
  const classes = boxClasses(boxes)
  return html`<section class="grid part" id="sent" aria-label="What you sent">
    <div class="c1-4">
      <h2>What you sent</h2>
      <a class="go-link" href="/status/${token}/correct">Something wrong? Correct it</a>
    </div>
    <div class="c5-12">
      <dl class="form-grid sent">
        ${boxes.map(
          ({ label, value }, n) => html`<div class="${classes[n]}">
            <dt>${label}</dt>
            <dd class="typed" dir="auto">${value}</dd>
          </div>`,
        )}
      </dl>
    </div>
  </section>`
}

const data = (found: Found, { token, timeZone }: Look) => html`
  <section class="grid part yours" id="yours" aria-label="Your data">
    <div class="c1-4">
      <h2>Your data</h2>
      <p class="soft" id="kept">${keptText(found, timeZone)}</p>
    </div>
    <ul class="rights c5-12">
      ${rights
        .filter(({ screen }) => screen !== 'withdraw' || !found.withdrawnAt)
        .map(
          ({ screen, icon: name, label, text }) => html`<li>
            <h3>${parts.icon(name)} ${label}</h3>
            <p>${text}</p>
            <a class="btn line ${screen === 'erase' ? 'stop' : ''}" id="to-${screen}" href="/status/${token}/${screen}">${label} it</a>
          </li>`,
        )}
    </ul>
  </section>`

const stateWords: Readonly<Record<string, string>> = {
  sent: 'Read it and answer',
  accepted: 'You accepted it',
  declined: 'You declined it',
  expired: 'It has expired',
  replaced: 'There is a newer one',
}

const talk = (found: Found, { token, timeZone, now }: Look) => {
  const { appointment, hasTimes, offers } = found
  const times = `/status/${token}/times${zoneSearch(zoneQuery(timeZone, found.timeZone).zone)}`
  const isWithdrawn = found.withdrawnAt !== null
  const isAhead = appointment !== null && new Date(appointment.end) > now
  const isBooked = isAhead && appointment.state === 'booked'
  const mayChoose = hasTimes && !isWithdrawn
  const earlier =
    appointment &&
    !isBooked &&
    html`<p class="soft">
      ${appointment.state === 'booked' ? 'It was on' : 'Cancelled:'}
      ${longMoment(new Date(appointment.start), timeZone)}
      (${zoneText(timeZone, new Date(appointment.start))})
    </p>`
  if (!isBooked && !mayChoose && !earlier && offers.length === 0) return ''
  return html`<section class="grid part" id="talk" aria-label="Your talk and offers">
    <div class="c1-12">
      ${
        isBooked
          ? html`<h2>Your talk</h2>
              <p class="due"><b>${longMoment(new Date(appointment.start), timeZone)}</b></p>
              <p class="soft">${zoneText(timeZone, new Date(appointment.start))}</p>
              <p class="typed" dir="auto">${appointment.place}</p>
              <a class="btn line" href="${times}">See, move or cancel it</a>`
          : (mayChoose || earlier) &&
            html`<h2>Your talk</h2>
              ${earlier}
              ${mayChoose && html`<a class="btn" href="${times}">Choose a time ${parts.icon('arrow')}</a>`}`
      }
      ${offers.toReversed().map(
        ({ id, title, state }) => html`<h2>Offer: <bdi>${title}</bdi></h2>
          <a class="btn ${state === 'sent' && !isWithdrawn ? '' : 'line'}" href="/status/${token}/offers/${id}">${state === 'sent' && isWithdrawn ? 'Read it' : stateWords[state]}</a>`,
      )}
    </div>
  </section>`
}

export const recordScreen = (
  found: Found,
  look: Look,
  { messages, older }: Pick<Found, 'messages' | 'older'>,
  problem: parts.Problem | undefined,
): parts.Screen => {
  const view = standing(found, look)
  const { token } = look
  const { zone } = zoneQuery(look.timeZone, found.timeZone)
  const olderQuery = older && new URLSearchParams({ before: older, ...(zone && { zone }) })
  const { path } = found.kind
  const prepare = preparations[path]
  const noun = nouns[path]
  const main = html`<div class="wrap head">
    ${parts.problemBox(problem)}
    <p class="meta mine">
      ${reference(found.id)} <span>Anyone with this link can read the page. Do not pass it on.</span>
    </p>
    ${head(view, look)}
    <ol class="track" aria-label="Where your ${noun} stands">${view.steps.map(step)}</ol>
    ${talk(found, look)}
    <div class="grid part">
      <section class="c1-8 ${prepare ? 'inset' : ''}" id="messages" aria-label="Messages">
        <h2>Messages</h2>
        ${olderQuery && html`<p><a href="/status/${token}?${olderQuery.toString()}#messages">Older messages</a></p>`}
        <div class="messages">
          ${messages.length === 0 && html`<p class="none">No messages yet. ${firstMessage[path]} appears here and in your mail.</p>`}
          ${messages.map((one) => message(one, look))}
        </div>
        ${reply(view.replyLabel, { token, zone }, problem)}
      </section>
      ${prepare && preparation(found, prepare, token)}
    </div>
    ${sent(found, look)} ${data(found, look)}
  </div>`
  return { title: `Your ${noun}`, main }
}

/** The page of spam: its sender sees that it came, and a message that was refused. */
export const receivedScreen = (
  { id, createdAt }: Found,
  { token, timeZone }: Pick<Look, 'token' | 'timeZone'>,
  problem: parts.Problem | undefined,
): parts.Screen => ({
  title: 'Your page',
  main: html`<div class="wrap head">
    ${parts.problemBox(problem)}
    <p class="meta mine">${reference(id)}</p>
    <h1>Received</h1>
    <p class="due">
      <time datetime="${createdAt}">${longMoment(new Date(createdAt), timeZone)}</time>
    </p>
    ${problem && reply('Your message', { token, zone: undefined }, problem)}
  </div>`,
})
