import { useQuery } from '@tanstack/react-query'
import { use, useRef } from 'react'
import { limits } from '#contract/limits.ts'
import { type Hours as HoursValues, lengths } from '#contract/times/times.ts'
import { Field, FieldProblems } from '#ui/field.tsx'
import { Button, LinkButton } from '../components/button.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { FormError, Options } from '../components/form.tsx'
import { Icon } from '../components/icon.tsx'
import { LoadProblem } from '../components/load-states.tsx'
import { draftKey, readDraft, useKeptForm } from '../record/composer/drafts.ts'
import { useProfile } from '../session/profile.ts'
import { BusyCalendar, OwnCalendar, WhatThisGives } from './calendars.tsx'
import { hoursQuery, useSaveHours } from './queries.ts'
import styles from './times.module.css'
import { ownZone, zoneChoices } from './zone-time.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

interface Range {
  /** Tells the rows of a day apart while they are typed. */
  id: number
  day: number
  from: string
  to: string
}

type Typed = Omit<HoursValues, 'busyUrl' | 'weekly'> & { weekly: readonly Range[] }

const typedFrom = ({ busyUrl: _, ...hours }: HoursValues): Typed => ({
  ...hours,
  weekly: hours.weekly.map((range, id) => ({ ...range, id })),
})

const firstHours = (): HoursValues => ({
  timeZone: ownZone(),
  weekly: [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '17:00' })),
  minutes: 30,
  buffer: 10,
  noticeHours: 24,
  horizonDays: 14,
  place: '',
  busyUrl: null,
})

/** `9`, `9:00` and `0900` are the time `09:00`; anything else stays as it was typed. */
const readClock = (typed: string): string => {
  const [, hours, minutes = '00'] = /^(\d{1,2})(?:[:.h ]?(\d{2}))?$/.exec(typed.trim()) ?? []
  return hours === undefined ? typed.trim() : `${hours.padStart(2, '0')}:${minutes}`
}

const clock = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/

/** Each time that is none and each range that ends too early, by its box. */
const rangeProblems = (ranges: readonly Range[]): FormError | undefined => {
  const fields: Record<string, string[]> = {}
  for (const { id, day, ...times } of ranges) {
    const name = weekdays[day - 1]
    const [from, to] = [readClock(times.from), readClock(times.to)]
    if (!clock.test(from) || from === '24:00')
      fields[`from-${id}`] = [`${name}: ${from || 'nothing'} is not a time. Write it as 09:00.`]
    if (!clock.test(to))
      fields[`to-${id}`] = [`${name}: ${to || 'nothing'} is not a time. Write it as 17:00.`]
    else if (from >= to) fields[`to-${id}`] = [`${name}: the hours end before they begin.`]
  }
  const [first] = Object.values(fields).flat()
  return first === undefined ? undefined : new FormError(first, fields)
}

export function Hours() {
  const query = useQuery(hoursQuery)
  const { data } = query
  return (
    <>
      <h1>My hours</h1>
      <LoadProblem query={query} failed="Failed to load your hours. Please try again." />
      {data && (
        <div className={styles.hours}>
          <HoursForm saved={data.data} />
          <div className={styles.beside}>
            <BusyCalendar busy={data.meta.busy} hours={data.data} />
            {data.data && <WhatThisGives hours={data.data} />}
            <OwnCalendar isMade={data.meta.feed} />
          </div>
        </div>
      )}
    </>
  )
}

function HoursForm({ saved }: { saved: HoursValues | null }) {
  const draft = draftKey('form', useProfile().id, 'hours')
  const [kept, keep] = useKeptForm<Typed>(draft)
  const values = kept ?? typedFrom(saved ?? firstHours())
  const { weekly } = values
  const sent = useRef('')
  const save = useSaveHours(() => {
    // Keep text that was typed during the call.
    if (readDraft(draft) === sent.current) keep(null)
  })
  const set = (change: Partial<Typed>) => keep({ ...values, ...change })
  const change = (id: number, given: Partial<Range>) =>
    set({ weekly: weekly.map((range) => (range.id === id ? { ...range, ...given } : range)) })
  const add = (range: Omit<Range, 'id'>) =>
    set({ weekly: [...weekly, { ...range, id: 1 + Math.max(-1, ...weekly.map(({ id }) => id)) }] })
  const number = (name: 'buffer' | 'noticeHours' | 'horizonDays', label: string, hint: string) => (
    <Field
      id={name}
      label={label}
      hint={hint}
      third
      type="number"
      inputMode="numeric"
      value={String(values[name])}
      onChange={({ target }) => set({ [name]: Number(target.value) })}
    />
  )

  return (
    <CheckedForm
      aria-label="My hours"
      error={save.error}
      failed="Your hours were not saved. Please try again."
      check={() => rangeProblems(weekly)}
      onSend={() => {
        sent.current = readDraft(draft)
        save.mutate({
          ...values,
          weekly: weekly.map(({ day, from, to }) => ({
            day,
            from: readClock(from),
            to: readClock(to),
          })),
        })
      }}
    >
      <h2>When people can talk to you</h2>
      {!saved && (
        <p className={styles.proposal}>
          A proposal, not saved yet: nobody can book before you save it.
        </p>
      )}
      <ul className={styles.week}>
        {weekdays.map((name, index) => (
          <Weekday
            key={name}
            name={name}
            ranges={weekly.filter(({ day }) => day === index + 1)}
            onAdd={(from, to) => add({ day: index + 1, from, to })}
            onChange={change}
            onRemove={(id) => set({ weekly: weekly.filter((range) => range.id !== id) })}
          />
        ))}
      </ul>
      <div className="form-grid">
        <Field id="timeZone" label="Time zone" half>
          <select
            id="timeZone"
            value={values.timeZone}
            onChange={({ target }) => set({ timeZone: target.value })}
          >
            <Options values={zoneChoices(values.timeZone)} />
          </select>
        </Field>
        <Field id="minutes" label="A talk lasts" half>
          <select
            id="minutes"
            value={values.minutes}
            onChange={({ target }) =>
              set({ minutes: Number(target.value) as HoursValues['minutes'] })
            }
          >
            <Options values={lengths.map((minutes) => [minutes, `${minutes} minutes`])} />
          </select>
        </Field>
        {number('buffer', 'Break between talks', 'Minutes, 0 to 60.')}
        {number('noticeHours', 'Notice you need', 'Hours, 1 to 168.')}
        {number('horizonDays', 'Bookable ahead', 'Days, 1 to 60.')}
        <Field
          id="place"
          label="Where you talk"
          hint="Required: a link or an address for the invitation."
          value={values.place}
          maxLength={limits.hours.place}
          onChange={({ target }) => set({ place: target.value })}
        />
      </div>
      <div className={styles.actions}>
        <Button type="submit" busy={save.isPending && 'Saving...'}>
          Save my hours
        </Button>
        {kept && (
          <>
            <span className="secondary">Your changes are not saved yet.</span>
            <LinkButton
              onClick={({ currentTarget }) => {
                currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.focus()
                keep(null)
              }}
            >
              Discard them
            </LinkButton>
          </>
        )}
      </div>
    </CheckedForm>
  )
}

interface WeekdayProps {
  name: string
  ranges: readonly Range[]
  onAdd: (from: string, to: string) => void
  onChange: (id: number, given: Partial<Range>) => void
  onRemove: (id: number) => void
}

function Weekday({ name, ranges, onAdd, onChange, onRemove }: WeekdayProps) {
  const problems = use(FieldProblems)
  const box = (range: Range, which: 'from' | 'to', label: string) => (
    <input
      type="text"
      inputMode="numeric"
      size={5}
      id={`${which}-${range.id}`}
      name="weekly"
      required
      aria-label={label}
      aria-invalid={Boolean(problems[`${which}-${range.id}`]) || undefined}
      value={range[which]}
      onChange={({ target }) => onChange(range.id, { [which]: target.value })}
      onBlur={({ target }) => {
        const read = readClock(target.value)
        if (read !== target.value) onChange(range.id, { [which]: read })
      }}
    />
  )
  return (
    <li>
      <b>{name}</b>
      <div className={styles.ranges}>
        {ranges.length === 0 && <span className="secondary">Not available</span>}
        {ranges.map((range, n) => (
          <span key={range.id} className={styles.range}>
            {box(range, 'from', `${name}, range ${n + 1}, from`)} to{' '}
            {box(range, 'to', `${name}, range ${n + 1}, to`)}
            <button
              type="button"
              aria-label={`Remove ${name}, range ${n + 1}`}
              onClick={() => onRemove(range.id)}
            >
              <Icon name="close" />
            </button>
          </span>
        ))}
        {ranges.length < 2 && (
          <LinkButton
            on={`on ${name}`}
            onClick={() =>
              onAdd(...(ranges[0] ? afterRange(ranges[0]) : (['09:00', '17:00'] as const)))
            }
          >
            Add hours
          </LinkButton>
        )}
      </div>
    </li>
  )
}

const afterRange = ({ to }: Range): readonly [from: string, to: string] => {
  const hour = Math.min(22, (Number.parseInt(to, 10) || 12) + 1)
  return [`${hour}:00`.padStart(5, '0'), `${Math.min(24, hour + 3)}:00`.padStart(5, '0')]
}
