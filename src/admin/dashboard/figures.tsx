import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayFrom, isStoredDay } from '#contract/fields.ts'
import type { AnswerName } from '#contract/inbox.ts'
import {
  type AnswerDivision,
  type AnswerRow,
  answerDivisions,
  exportAnswers,
  readAnswers,
} from '#contract/stats.ts'
import { useNow } from '../browser/use-now.ts'
import { CsvDownload } from '../components/csv-download.tsx'
import { LoadState } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import { Segments } from '../components/segments.tsx'
import { TextLink } from '../components/text-link.tsx'
import { longDayOf } from '../format/dates.ts'
import { keys } from '../record/keys.ts'
import { views } from '../record/kinds/views.ts'
import { navigate, parametersOf, type Target, useLocation } from '../router/location.ts'
import { ask, askFile } from '../session/session.ts'
import { isOff, shownKinds } from '../site.ts'
import { Answers, type AnswersPart } from './answers.tsx'
import styles from './dashboard.module.css'

const divisionLabels: Readonly<Record<AnswerDivision, string>> = {
  kind: 'Kind',
  service: 'Service',
  position: 'Position',
  person: 'Person',
  month: 'Month',
}

const divisions = answerDivisions.filter((by) => by !== 'position' || !isOff('/applications'))

/** The URL of the screen holds all of it. */
interface Wanted {
  by: AnswerDivision
  from: string
  to: string
}

const monthName = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

const lastDayOf = (month: string): string =>
  dayFrom(new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)))

const nameOf = (by: AnswerDivision, { key, label = key }: AnswerRow): string => {
  if (by === 'kind') return views[key as 'contacts'].title
  if (by === 'service') return views.consultations.topics?.labels[key] ?? label
  if (by === 'position') return views.applications.topics?.labels[key] ?? label
  if (by === 'person') return key === 'none' ? 'Nobody' : key
  return monthName.format(new Date(key))
}

/** The list of the records that a count counts. */
const listOf = ({ by, from, to }: Wanted, key?: string): AnswersPart['to'] => {
  const all = { dueFrom: from, dueTo: to }
  if (by === 'service' || by === 'position') {
    const kind = by === 'service' ? 'consultations' : 'applications'
    return (answers) => ({ to: `/admin/${kind}`, search: { answers, ...all, [by]: key } })
  }
  if (by === 'kind' && key)
    return (answers) => ({ to: `/admin/${key as 'contacts'}`, search: { answers, ...all } })
  const month = by === 'month' && key
  const part = {
    ...(by === 'person' ? { assignee: key } : {}),
    ...(month && `${month}-01` > from ? { dueFrom: `${month}-01` } : {}),
    ...(month && lastDayOf(month) < to ? { dueTo: lastDayOf(month) } : {}),
  }
  return (answers) => ({ to: '/admin/owed', search: { answers, ...all, ...part } })
}

/** The first or last day. A year that is being typed, such as 0020, is none yet. */
function RangeEnd({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (day: string) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <label>
      {label}{' '}
      <input
        type="date"
        min="2000-01-01"
        max="9999-12-31"
        value={typed ?? value}
        onBlur={() => setTyped(null)}
        onChange={({ target }) => {
          setTyped(target.value)
          if (target.value && target.validity.valid) onChange(target.value)
        }}
      />
    </label>
  )
}

/** The promise of an answer, by kind, service, position, person or month, over a range of days. */
export function Figures() {
  const given = parametersOf(useLocation(({ search }) => search))
  const today = new Date(useNow())
  const known = (day: string | undefined, usual: string) =>
    day !== undefined && isStoredDay(day) ? day : usual
  const wanted: Wanted = {
    by: divisions.find((one) => one === given.by) ?? 'kind',
    from: known(given.from, dayFrom(today, { days: -29 })),
    to: known(given.to, dayFrom(today)),
  }
  const { by, from, to } = wanted
  const figures = useQuery({
    queryKey: [...keys.stats, 'answers', wanted],
    queryFn: ({ signal }) => ask(readAnswers, { query: wanted }, { signal }),
    placeholderData: (previous, query) =>
      (query?.queryKey.at(-1) as Wanted | undefined)?.by === by ? previous : undefined,
  })
  const { data, error } = figures
  const at = (change: Partial<Wanted>): Target => ({
    to: '/admin/figures',
    search: { ...wanted, ...change },
  })
  const change = (given: Partial<Wanted>) =>
    void navigate(at(given), { replace: true, keepScroll: true })
  const thisMonth = dayFrom(today).slice(0, 7)
  const month = dayFrom(new Date(`${thisMonth}-01`), { days: -1 }).slice(0, 7)
  const ranges: readonly (readonly [string, Partial<Wanted>])[] = [
    ['Last 30 days', { from: dayFrom(today, { days: -29 }), to: dayFrom(today) }],
    ['This month', { from: `${thisMonth}-01`, to: dayFrom(today) }],
    [monthName.format(new Date(month)), { from: `${month}-01`, to: lastDayOf(month) }],
    [
      '12 months',
      {
        by: 'month',
        from: dayFrom(new Date(lastDayOf(thisMonth)), { days: 1, years: -1 }),
        to: dayFrom(today),
      },
    ],
  ]
  const isShown = ({ key }: AnswerRow) => by !== 'kind' || shownKinds.some((kind) => kind === key)
  const end = (name: 'from' | 'to', label: string) => (
    <RangeEnd label={label} value={wanted[name]} onChange={(day) => change({ [name]: day })} />
  )
  const list = listOf(wanted) as (answers: AnswerName) => Target

  return (
    <>
      <h1>Figures</h1>
      <Segments
        legend="Divided by"
        options={divisions.map((one) => [one, divisionLabels[one]])}
        value={by}
        onChange={(one) => change({ by: one })}
      />
      <div className={`${panel.actions} ${styles.range}`}>
        {end('from', 'From')}
        {end('to', 'to')}
        {ranges.map(([label, range]) => (
          <TextLink key={label} {...at(range)} replace>
            {label}
          </TextLink>
        ))}
      </div>
      <div className={panel.state}>
        <LoadState query={figures} failed="Failed to load the figures. Please try again." />
      </div>
      {data && !error && (
        <>
          <Answers
            total={data.meta.total}
            division={by === 'person' ? 'Assigned to' : divisionLabels[by]}
            parts={data.data.filter(isShown).map((row) => ({
              id: row.key,
              label: nameOf(by, row),
              counts: row,
              to: listOf(wanted, row.key),
            }))}
            period={`from ${longDayOf(from)} to ${longDayOf(to)}`}
            to={list}
            isWhole
            isInOrder={by === 'month'}
          />
          <p className={panel.say}>
            Days are UTC. A record counts on the day for which an answer was promised, in the inbox
            alone; what was erased is no longer counted.
          </p>
          <CsvDownload
            load={() => askFile(exportAnswers, { query: wanted })}
            name={`answers-by-${by}-${from}-${to}.csv`}
          />
        </>
      )}
    </>
  )
}
