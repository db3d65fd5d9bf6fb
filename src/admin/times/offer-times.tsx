import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { timesLines } from '#contract/mail/message-text.ts'
import { messageProblem } from '#contract/mail/placeholders.ts'
import { type Hours, lengths, offerTimes } from '#contract/times/times.ts'
import { modifierKey } from '../browser/modifier-key.ts'
import { useIsWide } from '../browser/use-media.ts'
import type { Change } from '../changes/change.ts'
import { messagePatch, savedMessage } from '../changes/edits.ts'
import { makeChange } from '../changes/make-change.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { Options, sendByKey, submitTo } from '../components/form.tsx'
import { Icon } from '../components/icon.tsx'
import { Key } from '../components/key.tsx'
import { Segments } from '../components/segments.tsx'
import { counted } from '../format/count.ts'
import { draftKey, readDraft, useKeptForm } from '../record/composer/drafts.ts'
import { MailPreviewDialog } from '../record/composer/mail-preview.tsx'
import { consultationsView } from '../record/kinds/consultations.ts'
import { type ConsultationDetail, zoneOf } from '../record/record.ts'
import { Link } from '../router/link.tsx'
import { useProfile } from '../session/profile.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { useShortcuts } from '../shell/shortcuts.tsx'
import { FreeTimes } from './free-times.tsx'
import { hoursQuery, refreshTimes, slotsQuery } from './queries.ts'
import styles from './times.module.css'
import { WeekPicker } from './week-picker.tsx'
import { inZone, momentIn, ownZone, theirTime } from './zone-time.ts'

interface Props {
  record: ConsultationDetail
  onClose: () => void
  /** The times are on their way, and the next record follows. */
  onSent: ((change: Change) => void) | undefined
  children: ReactNode
}

export function OfferTimes(props: Props) {
  const { data, error } = useQuery(hoursQuery)
  const { onClose, children } = props
  // Wins over Escape of the list or the run.
  useShortcuts({ Escape: onClose })
  if (data?.data) return <OfferForm {...props} hours={data.data} />
  return (
    <div className={styles.offer}>
      {children}
      {error && (
        <p role="alert" className="bad">
          {sentenceOf(error, 'Failed to load your hours.')}
        </p>
      )}
      {data && (
        <p>
          You have no hours yet. <Link to="/admin/hours">Set your hours</Link>, then offer times.
        </p>
      )}
      <LinkButton onClick={onClose}>Close</LinkButton>
    </div>
  )
}

const numbers = ['some times', 'one time', 'two times', 'three times', 'four times', 'five times']

const defaultText = (record: ConsultationDetail, count: number | null): string =>
  count === null
    ? `Hello ${record.name}, please choose a time for our talk on your page.`
    : `Hello ${record.name}, here ${count === 1 ? 'is' : 'are'} ${numbers[count] ?? `${count} times`} for our talk. Please choose ${count === 1 ? 'it' : 'one'} on your page.`

interface Choice {
  isAny: boolean
  minutes: Hours['minutes']
  picked: readonly string[]
  typed: string | null
}

function OfferForm({ record, hours, onClose, onSent, children }: Props & { hours: Hours }) {
  const { id: user, username } = useProfile()
  const draft = draftKey('form', user, record._id)
  const [kept, keep] = useKeptForm<Choice>(draft)
  const begun: Choice = { isAny: false, minutes: hours.minutes, picked: [], typed: null }
  const choice = kept ?? begun
  const { isAny, minutes, picked, typed } = choice
  const set = (change: Partial<Choice>) => {
    const next = { ...choice, ...change }
    keep(JSON.stringify(next) === JSON.stringify(begun) ? null : next)
  }
  const [isPreviewed, setPreviewed] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const text = typed ?? defaultText(record, isAny ? null : picked.length)
  const { timeZone } = hours
  const theirs = zoneOf(record)
  const toggle = (start: string) =>
    set({
      picked: picked.includes(start)
        ? picked.filter((one) => one !== start)
        : [...picked, start].sort(),
    })
  const problem = messageProblem(text)
  const isReady = text.trim() !== '' && !problem && (isAny || picked.length > 0)
  const label = isAny ? 'Send my free hours' : `Send ${counted(picked.length, 'time')}`

  const send = () => {
    if (!isReady) return
    const change = makeChange({
      kind: 'consultations',
      edits: [{ record, patch: messagePatch(consultationsView, record, undefined, username) }],
      text: `Times for ${record.name}`,
      failure: 'The times could not be offered.',
      message: text,
      isLong: true,
      save: async ({ key }) => {
        const { meta } = await ask(
          offerTimes,
          {
            params: { id: record._id },
            body: { ...(isAny ? {} : { slots: [...picked] }), minutes, text },
          },
          { idempotencyKey: key },
        )
        // Other times may have been picked after "Do not send".
        if (readDraft(draft) === JSON.stringify(choice)) keep(null)
        return savedMessage('consultations', record._id, meta)
      },
      onUndone: () => {
        if (!readDraft(draft)) keep(choice)
      },
      onEnd: refreshTimes,
    })
    onClose()
    onSent?.(change)
  }

  const isWide = useIsWide()
  const begin = useEffectEvent(() => {
    form.current?.querySelector<HTMLElement>('fieldset button')?.focus()
    // The focus alone leaves the week below the window's edge.
    if (!isWide) form.current?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  })
  useEffect(() => begin(), [])

  return (
    <>
      <form
        ref={form}
        className={styles.offer}
        aria-label="Offer times"
        noValidate
        onSubmit={submitTo(send)}
      >
        {children}
        <div className={styles.how}>
          <Segments
            legend="Which times"
            options={[
              [false, 'Times I pick'],
              [true, 'Any of my free hours'],
            ]}
            value={isAny}
            onChange={(next) => set({ isAny: next })}
          />
          <label>
            Length{' '}
            <select
              value={minutes}
              onChange={({ target }) => set({ minutes: Number(target.value) as typeof minutes })}
            >
              <Options values={lengths.map((length) => [length, `${length} min`])} />
            </select>
          </label>
        </div>
        {isAny ? (
          <AnyHours horizonDays={hours.horizonDays} minutes={minutes} />
        ) : (
          <>
            <WeekPicker hours={{ ...hours, minutes }} picked={picked} onToggle={toggle} />
            <OtherTime onAdd={(start) => picked.includes(start) || toggle(start)} />
            <ul className={styles.picked} aria-label="Picked times">
              {picked.map((start) => (
                <li key={start}>
                  <b>{momentIn(start, timeZone)}</b>{' '}
                  {theirs && inZone(theirs) !== inZone(timeZone) && (
                    <span>{theirTime(theirs, start, timeZone)}</span>
                  )}
                  <button
                    type="button"
                    aria-label={`Remove ${momentIn(start, timeZone)}`}
                    onClick={() => toggle(start)}
                  >
                    <Icon name="close" />
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
        <p className="secondary">
          Offered times are not reserved: the first person to take one gets it. Sending them counts
          as your answer.
        </p>
        <label className={styles.text}>
          <span>
            Message to <bdi>{record.name}</bdi>
          </span>
          <textarea
            dir="auto"
            value={text}
            maxLength={limits.staffMessage}
            onChange={({ target }) => set({ typed: target.value })}
            onKeyDown={sendByKey}
          />
        </label>
        {problem && (
          <p className="bad" role="alert">
            {problem}
          </p>
        )}
        <div className={styles.actions}>
          <Button type="submit" disabled={!isReady || picked.length > limits.offeredTimes}>
            {label}
            <Key of={`${modifierKey} ↵`} />
          </Button>
          <LinkButton disabled={!isReady} onClick={() => setPreviewed(true)}>
            Preview
          </LinkButton>
          <LinkButton onClick={onClose}>Close</LinkButton>
          {picked.length > limits.offeredTimes && (
            <span className="bad">At most {limits.offeredTimes} times.</span>
          )}
        </div>
      </form>
      {isPreviewed && (
        <MailPreviewDialog
          view={consultationsView}
          record={record}
          text={text}
          subject=""
          more={timesLines({
            slots: isAny ? null : picked,
            place: hours.place,
            link: '{link}',
            timeZone: theirs ?? 'UTC',
          })}
          onClose={() => setPreviewed(false)}
        />
      )}
    </>
  )
}

function AnyHours({ horizonDays, minutes }: Pick<Hours, 'horizonDays' | 'minutes'>) {
  const { data } = useQuery(slotsQuery({ minutes }))
  return (
    <p className={styles.framed}>
      {data ? (
        <>
          <FreeTimes slots={data} horizonDays={horizonDays} />.
        </>
      ) : (
        'Loading...'
      )}{' '}
      The sender chooses one of them. <Link to="/admin/hours">My hours</Link>
    </p>
  )
}

/** A time that the week does not show: outside the hours, too. */
function OtherTime({ onAdd }: { onAdd: (start: string) => void }) {
  const [typed, setTyped] = useState('')
  const time = typed ? new Date(typed) : null
  return (
    <div className={styles.other}>
      <label>
        Another time, {inZone(ownZone())}{' '}
        <input
          type="datetime-local"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <LinkButton
        disabled={!time || Number.isNaN(time.getTime())}
        onClick={() => {
          if (time) onAdd(time.toISOString())
          setTyped('')
        }}
      >
        Add it
      </LinkButton>
    </div>
  )
}
