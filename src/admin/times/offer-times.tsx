import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
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
import { calendarDayOf } from '../format/dates.ts'
import { draftKey, useKeptForm } from '../record/composer/drafts.ts'
import { MailPreviewDialog } from '../record/composer/mail-preview.tsx'
import { consultationsView } from '../record/kinds/consultations.ts'
import { type ConsultationDetail, zoneOf } from '../record/record.ts'
import { Link } from '../router/link.tsx'
import { useProfile } from '../session/profile.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { useShortcuts } from '../shell/shortcuts.tsx'
import { appointmentsQuery, hoursQuery, refreshTimes, slotsQuery } from './queries.ts'
import styles from './times.module.css'
import { type Cell, type Day, mondayOf, spanOf, weekOf, weeksUntil } from './week.ts'
import { inZone, longMomentIn, momentIn, ownZone, theirTime } from './zone-time.ts'

interface Props {
  record: ConsultationDetail
  onClose: () => void
  /** The times are on their way, and the next record follows. */
  onSent: ((change: Change) => void) | undefined
  children: ReactNode
}

/** Times for a talk, offered to the sender of a consultation. */
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
        <p role="alert" className={styles.bad}>
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
  const [kept, keep] = useKeptForm<Choice>(draftKey('form', user, record._id))
  const choice = kept ?? { isAny: false, minutes: hours.minutes, picked: [], typed: null }
  const { isAny, minutes, picked, typed } = choice
  const set = (change: Partial<Choice>) => keep({ ...choice, ...change })
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
  const label = isAny
    ? 'Send my free hours'
    : `Send ${picked.length} ${picked.length === 1 ? 'time' : 'times'}`

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
        keep(null)
        return savedMessage('consultations', record._id, meta)
      },
      onEnd: refreshTimes,
    })
    onClose()
    onSent?.(change)
  }

  useEffect(() => form.current?.querySelector<HTMLElement>('fieldset button')?.focus(), [])

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
          <AnyHours horizonDays={hours.horizonDays} />
        ) : (
          <>
            <Week hours={hours} picked={picked} onToggle={toggle} />
            <OtherTime onAdd={(start) => picked.includes(start) || toggle(start)} />
            <ul className={styles.picked} aria-label="Picked times">
              {picked.map((start) => (
                <li key={start}>
                  <b>{momentIn(start, timeZone)}</b>{' '}
                  {theirs && inZone(theirs) !== inZone(timeZone) && (
                    <span>{theirTime(theirs, start)}</span>
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
        <p className={styles.soft}>
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
          <p className={styles.bad} role="alert">
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
            <span className={styles.bad}>At most {limits.offeredTimes} times.</span>
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

function AnyHours({ horizonDays }: Pick<Hours, 'horizonDays'>) {
  const { data } = useQuery(slotsQuery())
  return (
    <p className={styles.framed}>
      {data ? (
        <b>
          {data.length.toLocaleString('en')} free times in the next{' '}
          {Math.min(horizonDays, limits.hours.span)} days.
        </b>
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

/** One's own week: free times are checkboxes. */
function Week({
  hours,
  picked,
  onToggle,
}: {
  hours: Hours
  picked: readonly string[]
  onToggle: (start: string) => void
}) {
  const { username } = useProfile()
  const isWide = useIsWide()
  const [turned, setOffset] = useState<number | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [now] = useState(() => Date.now())
  const free = useQuery(slotsQuery())
  const first = free.data?.[0]
  const offset = turned ?? (first ? weeksUntil(hours.timeZone, now, first.start) : 0)
  const monday = mondayOf(hours.timeZone, now, offset)
  const span = spanOf(monday)
  const slots = useQuery(slotsQuery(span))
  const talks = useQuery(appointmentsQuery({ ...span, host: username }))
  const booked = (talks.data ?? []).filter(({ state }) => state === 'booked')
  const days = weekOf(hours, monday, now, slots.data ?? [], booked)
  const isFreeDay = ({ cells }: Day) => [...cells.values()].some(({ state }) => state === 'free')
  const open = days.find(({ day }) => day === chosen) ?? days.find(isFreeDay) ?? days[0]
  const shown = isWide ? days : open ? [open] : []
  const times = [...new Set(shown.flatMap(({ cells }) => [...cells.keys()]))].sort()
  const [firstDay, lastDay] = [days[0], days.at(-1)]
  const name = (day: string) => calendarDayOf(day, new Date(now))
  /** `Mon 30` */
  const shortName = (day: string) => `${name(day).slice(0, 3)} ${Number(day.slice(8))}`

  return (
    <>
      <div className={styles.weeks}>
        <button
          type="button"
          aria-label="The week before"
          disabled={offset === 0}
          onClick={() => setOffset(offset - 1)}
        >
          <Icon name="back" />
        </button>
        <b>{firstDay && lastDay ? `${name(firstDay.day)} to ${name(lastDay.day)}` : 'No hours'}</b>
        <button type="button" aria-label="The week after" onClick={() => setOffset(offset + 1)}>
          <Icon name="back" />
        </button>
      </div>
      {!isWide && (
        <div className={styles.days}>
          {days.map(({ day, cells }) => (
            <button
              key={day}
              type="button"
              aria-pressed={day === open?.day}
              data-picked={hasPicked(cells, picked) ? '' : undefined}
              onClick={() => setChosen(day)}
            >
              {shortName(day)}
            </button>
          ))}
        </div>
      )}
      {free.isPending || slots.isPending || talks.isPending ? (
        <p role="status">Loading...</p>
      ) : (
        <table className={styles.grid} aria-label="Your times">
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Time</span>
              </th>
              {shown.map(({ day }) => (
                <th key={day} scope="col" aria-label={name(day)}>
                  {shown.length > 5 ? shortName(day) : name(day)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((time) => (
              <tr key={time}>
                <th scope="row">{time}</th>
                {shown.map(({ day, cells }) => (
                  <WeekCell
                    key={day}
                    time={time}
                    cell={cells.get(time)}
                    zone={hours.timeZone}
                    picked={picked}
                    onToggle={onToggle}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className={styles.soft}>
        Your times, {inZone(hours.timeZone)}. Hatched times are past, too soon or busy in your
        calendar; dark ones are booked here.
      </p>
    </>
  )
}

const hasPicked = (cells: Day['cells'], picked: readonly string[]): boolean =>
  [...cells.values()].some((cell) => cell.state === 'free' && picked.includes(cell.start))

function WeekCell({
  time,
  cell,
  zone,
  picked,
  onToggle,
}: {
  time: string
  cell: Cell | undefined
  zone: string
  picked: readonly string[]
  onToggle: (start: string) => void
}) {
  if (!cell) return <td data-state="outside" />
  if (cell.state !== 'free')
    return (
      <td data-state={cell.state}>
        {cell.state === 'booked' ? (
          <bdi>{cell.name}</bdi>
        ) : (
          <span>{cell.state === 'soon' ? 'too soon' : cell.state}</span>
        )}
      </td>
    )
  return (
    <td data-state="free">
      <label>
        <input
          type="checkbox"
          aria-label={longMomentIn(cell.start, zone)}
          checked={picked.includes(cell.start)}
          onChange={() => onToggle(cell.start)}
        />
        {time}
      </label>
    </td>
  )
}
