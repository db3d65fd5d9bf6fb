import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Hours } from '#contract/times/times.ts'
import { useIsWide } from '../browser/use-media.ts'
import { Icon } from '../components/icon.tsx'
import { calendarDayOf } from '../format/dates.ts'
import { useProfile } from '../session/profile.ts'
import { appointmentsQuery, slotsQuery } from './queries.ts'
import styles from './times.module.css'
import { type Cell, type Day, mondayOf, spanOf, weekOf, weeksUntil } from './week.ts'
import { inZone, longMomentIn } from './zone-time.ts'

interface Props {
  /** With the length of the talk. */
  hours: Hours
  picked: readonly string[]
  onToggle: (start: string) => void
}

/** One's own week: free times are checkboxes. */
export function WeekPicker({ hours, picked, onToggle }: Props) {
  const { username } = useProfile()
  const { minutes } = hours
  const isWide = useIsWide()
  const [turned, setOffset] = useState<number | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [now] = useState(() => Date.now())
  const free = useQuery(slotsQuery({ minutes }))
  const first = free.data?.[0]
  const offset = turned ?? (first ? weeksUntil(hours.timeZone, now, first.start) : 0)
  const monday = mondayOf(hours.timeZone, now, offset)
  const span = spanOf(monday)
  const slots = useQuery(slotsQuery({ ...span, minutes }))
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
      <p className="secondary">
        Your times, {inZone(hours.timeZone)}. Hatched times are past, too soon, too far ahead or
        busy in your calendar; dark ones are booked here.
      </p>
    </>
  )
}

const hasPicked = (cells: Day['cells'], picked: readonly string[]): boolean =>
  [...cells.values()].some((cell) => cell.state === 'free' && picked.includes(cell.start))

const stateTexts = { past: 'past', soon: 'too soon', far: 'too far', busy: 'busy' } as const

function WeekCell({
  time,
  cell,
  zone,
  picked,
  onToggle,
}: Pick<Props, 'picked' | 'onToggle'> & { time: string; cell: Cell | undefined; zone: string }) {
  if (!cell) return <td data-state="outside" />
  if (cell.state !== 'free')
    return (
      <td data-state={cell.state}>
        {cell.state === 'booked' ? <bdi>{cell.name}</bdi> : <span>{stateTexts[cell.state]}</span>}
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
