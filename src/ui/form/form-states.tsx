import { type Ref, useEffect } from 'react'
import { shortReference } from '#contract/reference.ts'
import { calendarFile } from '#contract/times/calendar.ts'
import { Button } from '../button.tsx'
import { ErrorSummary } from '../error-summary.tsx'
import { Icon } from '../icon.tsx'
import { arrow, back as backIcon } from '../icons.ts'
import type { FormDescription } from './description.ts'
import { fieldId } from './form-fields.tsx'
import { momentWords } from './moment.ts'
import { PromiseDial } from './promise-dial.tsx'
import type { Failure, Receipt } from './submission.ts'
import type { Kept } from './use-draft.ts'
import '#styles/form.css'
import '#styles/button.css'

interface State {
  description: FormDescription
  ref: Ref<HTMLDivElement>
}

/** The refused fields in the order in which the form shows them: the choice, which is none of its fields, first. */
const fieldProblems = ({ kind, fields }: FormDescription, failure: Failure) => {
  const names = [...fields.map(({ name }) => name), 'agree']
  return Object.entries(failure.fields)
    .toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b))
    .map(([name, messages]) => ({ id: fieldId(kind, name), text: messages.join(' ') }))
}

/** The server refused the form, or did not answer. */
export const Refused = ({ description, failure, ref }: State & { failure: Failure }) => (
  <ErrorSummary
    ref={ref}
    message={failure.message}
    detail={failure.detail}
    problems={fieldProblems(description, failure)}
  />
)

/** The device is offline: the form is sent automatically later, unless the visitor stops it. */
export const Waiting = ({ onStop, ref }: { onStop: () => void; ref: Ref<HTMLDivElement> }) => (
  <div className="box wait" role="alert" tabIndex={-1} ref={ref}>
    <p className="what">You are offline. This has not been sent yet.</p>
    <p className="soft">
      Everything you typed is kept. It goes out by itself once the connection is back, if this page
      is still open.
    </p>
    <Button look="line" small onClick={onStop}>
      Don’t send it by itself
    </Button>
  </div>
)

const hourMs = 60 * 60 * 1_000

/** The preferred day as a file, made here: the sender's page, which also has it, is told by mail alone. */
const CalendarLink = ({ _id, createdAt, preferredDate }: Receipt & { preferredDate: string }) => (
  <a
    className="btn line"
    download="preferred-day.ics"
    href={`data:text/calendar;charset=utf-8,${encodeURIComponent(calendarFile(_id, preferredDate, createdAt))}`}
  >
    Add the preferred day to your calendar
  </a>
)

/** Heading, track and title of a page that is about its form say that it was sent. */
const tellPage = ({ heading, title }: FormDescription['sent']): void => {
  document.title = document.title.replace(/^.*(?= \| )/, heading)
  if (!title) return
  const head = document.querySelector('h1')
  if (head) head.textContent = title
  for (const text of head?.parentElement?.querySelectorAll(':scope > :is(.intro, .soft)') ?? [])
    text.remove()
  const [sent, next] = document.querySelectorAll('.steps > li')
  sent?.querySelector('b')?.append(' – done')
  next?.setAttribute('aria-current', 'step')
}

/**
 * The form was sent: what happens next, until when, the reference, and where it can be followed.
 * Announced when it appears; can take focus.
 */
export const Arrived = ({ description: { sent }, receipt, ref }: State & { receipt: Receipt }) => {
  const { _id, createdAt, preferredDate } = receipt
  const { heading, text, back, promiseHours } = sent
  const promise = promiseHours && new Date(Date.parse(createdAt) + promiseHours * hourMs)
  useEffect(() => tellPage(sent), [sent])
  return (
    <div className="done" role="status" tabIndex={-1} ref={ref}>
      <svg className="landed" viewBox="0 0 320 96" aria-hidden="true">
        <path className="flight-path" d="M12 84C90 84 120 20 268 20" />
        <path className="from" d="M11 78.6 17 89H5Z" />
        <path className="wing" d="M274.9 9.3 307.9 18.3 296.1 26.2M277 24.9 289 28.6 280 36.4" />
      </svg>
      <h2>{heading}</h2>
      <p className="intro">{text}</p>
      <dl className="receipt">
        {promise && (
          <div>
            <dt>You hear from us by</dt>
            <dd>
              <time dateTime={promise.toISOString()}>{momentWords(promise)}</time>
            </dd>
          </div>
        )}
        <div>
          <dt>Reference</dt>
          <dd>{shortReference(_id)}</dd>
        </div>
      </dl>
      {promise && promiseHours && <PromiseDial promise={promise} hours={promiseHours} />}
      <p className="soft">
        A confirmation is on its way to your address, with a link to your own page: there you see
        where this stands, write to us, and correct, withdraw, download or erase it. No account.
        Nothing after ten minutes? Look in the spam folder, or{' '}
        <a href="/status">have the link sent again</a>.
      </p>
      {preferredDate && <CalendarLink {...receipt} preferredDate={preferredDate} />}
      {back && (
        <a className="btn" href={back.href}>
          <Icon shape={backIcon} />
          {back.label}
        </a>
      )}
    </div>
  )
}

const keptWords: Record<Kept, string> = {
  nothing: '',
  typed: 'Your text is kept in this tab for 4 hours.',
  restored: 'What you typed earlier is back. It is kept in this tab for 4 hours.',
}

interface ActionsProps {
  description: Pick<FormDescription, 'submit' | 'sending' | 'away' | 'remark'>
  pending?: boolean
  kept?: Kept
  onClear?: () => void
}

/** The end of a form: the button, the link away, and whether text is kept. */
export const Actions = ({
  description: { submit, sending, away, remark },
  pending = false,
  kept = 'nothing',
  onClear,
}: ActionsProps) => (
  <div className="actions">
    {/* The specification asks for a disabled button; the result takes the focus. */}
    <Button type="submit" icon={arrow} busy={pending && sending} disabled={pending}>
      {submit}
    </Button>
    {away && (
      <a className="go-link" href={away.href}>
        {away.label}
      </a>
    )}
    {remark && kept === 'nothing' && <span className="meta">{remark}</span>}
    <span className="kept">
      <span className="meta" role="status">
        {keptWords[kept]}
      </span>
      {kept !== 'nothing' && (
        <button type="button" className="go-link" onClick={onClear}>
          Clear
        </button>
      )}
    </span>
  </div>
)
