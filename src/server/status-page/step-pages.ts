import { html, raw } from 'hono/html'
import { limits } from '#contract/limits.ts'
import { longMoment, zoneText } from '#contract/times/moments.ts'
import type { Deps } from '#server/deps.ts'
import { type Fields, fieldText } from '#server/kinds/kind.ts'
import { type Changes, fill, idsIn } from '#server/pages/fill.ts'
import { fieldChanges, summaryChanges } from '#server/pages/summary.ts'
import * as parts from './parts.ts'
import { keptText } from './standing.ts'
import type { Found } from './store/find.ts'

/** The screens beside the record: correct, withdraw, export, erase, a new link, and what follows them. */

export const screens = ['correct', 'withdraw', 'export', 'erase'] as const
export type ScreenName = (typeof screens)[number]

interface StepOf {
  found: Found
  token: string
  timeZone: string
  problem: parts.Problem | undefined
  /** True if a code was asked for just now, so that the page leads to its field. */
  isCodeSent: boolean
}

const twoColumns = (
  { token, problem }: StepOf,
  {
    title,
    crumb,
    about,
    content,
  }: { title: string; crumb: string; about: parts.Html; content: parts.Html },
) => ({
  title,
  main: html`${parts.pageHead(title, { label: crumb, token })}
    <div class="wrap grid two">
      <div class="c1-4">${about}</div>
      <div class="c5-12">${parts.problemBox(problem)} ${content}</div>
    </div>`,
})

const effect = (name: 'check' | 'bin', text: string | parts.Html) =>
  html`<li class="${name === 'bin' ? 'removed' : ''}">${parts.icon(name)} <span>${text}</span></li>`

/** Names the talk to come that ends with the record; `rest` follows in the same line. */
const talkEnds = ({ found: { appointment }, timeZone }: StepOf, rest = '') => {
  if (appointment?.state !== 'booked' || new Date(appointment.end) <= new Date()) return ''
  const start = new Date(appointment.start)
  const when = `${longMoment(start, timeZone)} (${zoneText(timeZone, start)})`
  return effect('bin', `Your talk on ${when} is cancelled.${rest}`)
}

const withdraw = (step: StepOf): parts.Screen => {
  const { found, token, timeZone, problem } = step
  return twoColumns(step, {
    title: 'Withdraw it?',
    crumb: 'Withdraw',
    about: html`<p class="intro">You can take it up again later.</p>`,
    content: html`<ul class="goes">
        ${effect('check', 'We no longer answer it, and our promise of an answer ends.')}
        ${effect('check', 'An answer of ours that has not left yet is held back.')}
        ${talkEnds(step)}
        ${effect(
          'check',
          html`<span id="kept">${keptText(found, timeZone)}</span> To have it deleted, erase it
            instead.`,
        )}
      </ul>
      <form method="post" action="/api/status/${token}/withdraw" id="form" aria-label="Withdraw">
        <div class="form-grid">
          ${parts.tick('confirm', 'Yes, withdraw it', { error: problem?.fields.confirm })}
        </div>
        <div class="actions">
          <button type="submit" class="btn stop">Withdraw</button>
          ${parts.backLink(token)}
        </div>
      </form>`,
  })
}

const stepNumber = (text: string, looks: readonly [string, string]) =>
  html`<p class="stepno">${looks.map((look) => parts.icon('triangle', look))} ${text}</p>`

/** A code by mail, and the form that takes it. Once a code is sent, only the second step is drawn. */
const codeForms = (
  { found, token, problem, isCodeSent }: StepOf,
  call: 'export' | 'erase',
  submit: string,
) => {
  const to = parts.masked(fieldText(found.fields.email))
  const error = problem?.fields.code
  const { digits, minutes } = limits.senderCode
  const purpose = html`<input type="hidden" name="for" value="${call}">`
  const isSecond = isCodeSent || error !== undefined
  return html`${
    !isSecond &&
    html`<div id="step-1">
      ${stepNumber('Step 1 of 2: have a code sent', ['current', ''])}
      <form method="post" action="/api/status/${token}/code" class="send-code" aria-label="Have a code sent">
        ${purpose}
        <div class="form-grid">
          <div class="field read-only">
            <span class="label-row" id="to">The code goes to</span>
            <output aria-labelledby="to">${to}</output>
          </div>
        </div>
        <div class="actions">${parts.submitButton('Mail me a code')}</div>
      </form>
    </div>`
  }
    <div id="step-2">
      ${stepNumber('Step 2 of 2: enter the code', ['past', 'current'])}
      <form method="post" action="/api/status/${token}/${call}" id="with-code" aria-label="${submit}">
        <div class="form-grid">
          <div class="field code">
            <div class="label-row"><label for="code">Code</label></div>
            <p class="hint" id="code-hint">
              ${digits} digits, mailed to ${to}. Good for ${minutes} minutes.
            </p>
            <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{${digits}}" maxlength="${digits}" required${parts.describedBy('code', error, 'code-hint')}>
            ${parts.fieldError('code', error)}
          </div>
        </div>
        <div class="actions">
          <button type="submit" class="btn ${call === 'erase' ? 'stop' : ''}">${submit}</button>
          ${parts.backLink(token)}
        </div>
      </form>
      ${
        isSecond &&
        html`<form method="post" action="/api/status/${token}/code" class="again" aria-label="A new code">
          ${purpose}
          <button type="submit" class="go-link">Send a new code</button>
        </form>`
      }
    </div>`
}

const download = (step: StepOf): parts.Screen =>
  twoColumns(step, {
    title: 'Download your data',
    crumb: 'Download',
    about: html`<p class="intro">One file, readable by people and by programs.</p>
      <p class="soft">
        The code makes sure that the file goes to the owner of the address, not to somebody who
        found the link.
      </p>`,
    content: html`${codeForms(step, 'export', 'Download the file')}
      <ul class="goes">
        ${effect('check', 'What you typed, what you corrected, and when you agreed to which terms.')}
        ${effect('check', 'Where it stands, and all messages on your page.')}
        ${effect('check', 'The page you arrived on, and the mails that we sent you.')}
      </ul>`,
  })

const erase = (step: StepOf): parts.Screen => {
  const { found } = step
  return twoColumns(step, {
    title: 'Erase it for good?',
    crumb: 'Erase',
    about: html`<p class="intro">This cannot be undone.</p>
      <ul class="goes">
        ${effect('bin', 'Goes at once: what you typed, the messages, the text of our mails to you.')}
        ${talkEnds(step, ' Remove it from your calendar yourself.')}
        ${
          found.keepsAccepted &&
          effect('check', 'Stays: the offer that you accepted, with your name and its time.')
        }
        ${effect(
          'check',
          'Stays: one line saying that something was erased on this day, without your name or address.',
        )}
      </ul>`,
    content: codeForms(step, 'erase', 'Erase it for good'),
  })
}

export const stepScreens = { withdraw, export: download, erase }

/** The form to correct is the prerendered form of the kind, with what was sent in its fields. */
export const correctPage = async (
  deps: Deps,
  { found, token, problem }: StepOf,
  status: number,
): Promise<Response> => {
  const { kind } = found
  const built = await deps.page(`status/correct-${kind.path}`)
  if (!built) return parts.respond(deps, 'step', troubleScreen, 503)
  const ids = idsIn(built.html)
  const fixed = ['email', 'service', 'position', 'plan']
  const values: Fields = { ...found.fields, ...problem?.typed }
  const fields = kind.fields
    .filter((name) => !fixed.includes(name))
    .map((name) =>
      fieldChanges(`${kind.path}-${name}`, ids, {
        error: problem?.fields[name],
        value: fieldText(values[name]),
      }),
    )
  const changes: Changes = Object.assign(
    {
      '.crumb a': { attributes: { href: `/status/${token}` } },
      '.back': { attributes: { href: `/status/${token}` } },
      '#form': { attributes: { action: `/api/status/${token}/correct` } },
      ...(problem
        ? summaryChanges(
            { ...problem, kind, errors: problem.fields, detail: 'Nothing has been changed yet.' },
            ids,
          )
        : { '[role=alert]': null }),
    },
    ...fields,
  )
  return parts.pageResponse(fill(built.html, changes), built.csp, status)
}

/** A reply to a page that is gone: its writer can copy it. */
const unsent = (typed: string) => html`
  <div class="form-grid unsent">
    <div class="field read-only">
      <label for="typed">What you wrote was not sent</label>
      <p class="hint" id="typed-hint">
        It is not kept either. Copy it from here to write it to us again.
      </p>
      <textarea id="typed" readonly aria-describedby="typed-hint">
${typed}</textarea>
    </div>
  </div>`

/** A form for a new link: for a link that opens nothing, and at `/status` without one. */
export const linkScreen = ({
  isUnknown,
  problem,
  typed,
}: {
  isUnknown: boolean
  problem?: parts.Problem | undefined
  typed?: string | undefined
}): parts.Screen => {
  const error = problem && (problem.fields.email ?? problem.message)
  return {
    title: 'Get your link',
    main: html`${parts.pageHead(isUnknown ? 'This link opens nothing' : 'Get your link')}
      <div class="wrap grid two">
        <div class="c1-4">
          <p class="intro">Enter your address, and we mail you the links of what you sent us.</p>
          ${
            isUnknown &&
            html`<p class="soft">
              This one is mistyped or too old, or what it opened has been erased.
            </p>`
          }
        </div>
        <div class="c5-12">
          ${typed && unsent(typed)}
          <form method="post" action="/api/status" aria-label="Get a new link">
            <div class="form-grid">
              <div class="field">
                <div class="label-row"><label for="email">Email</label></div>
                <p class="hint" id="email-hint">The one you wrote to us with.</p>
                <input id="email" name="email" type="email" autocomplete="email" inputmode="email" required value="${problem?.typed.email}"${parts.describedBy('email', error, 'email-hint')}${error && raw(' autofocus')}>
                ${parts.fieldError('email', error)}
              </div>
            </div>
            <div class="actions">
              ${parts.submitButton('Send a new link')}
              <a class="go-link" href="/#contact">Write to us instead</a>
            </div>
          </form>
          <p class="after">
            The answer on the next page is the same whether or not we know the address, so that
            nobody can find out who wrote to us.
          </p>
        </div>
      </div>`,
  }
}

export const linkSentScreen: parts.Screen = {
  title: 'Look in your mail',
  main: html`${parts.pageHead('Look in your mail')}
    <div class="wrap grid two">
      <div class="c1-8" role="status">
        <p class="due">If we hold something under that address, a new link is on its way to it.</p>
        <p class="soft">
          It comes within minutes, with the links of your last ${limits.senderLinks} submissions.
          Older links stay valid. If nothing comes, look in the spam folder, then try the address
          you may have used instead.
        </p>
        <a class="btn line" href="/status">${parts.icon('back')} Try another address</a>
      </div>
    </div>`,
}

export const troubleScreen: parts.Screen = {
  title: 'Not just now',
  main: html`${parts.pageHead('Not just now')}
    <div class="wrap grid two">
      <div class="c1-8" role="alert">
        <p class="due">The service cannot be reached.</p>
        <p class="soft">Nothing you sent is lost. Load the page again in a moment.</p>
      </div>
    </div>`,
}

/** Drawn in the record's frame, whose styles it has. */
export const erasedScreen = ({ keepsAccepted }: Pick<Found, 'keepsAccepted'>): parts.Screen => ({
  title: 'Erased',
  main: html`<div class="wrap head">
    <div class="grid now">
      <div class="c1-6" role="status">
        <h1>Erased</h1>
        <p class="due">What you sent and its messages are gone</p>
        <p class="soft">
          What stays is
          ${keepsAccepted && 'the offer that you accepted, with your name and its time, and'} one line
          in our log: that something was erased today, without your name or address. The link opens
          nothing any more.
        </p>
        <div class="actions"><a class="btn line" href="/">Back to Home</a></div>
      </div>
      <div class="c7-12">${parts.drawing('gone')}</div>
    </div>
  </div>`,
})
