import { calendarDayOf } from '../../format/dates.ts'
import type { ApplicationDetail } from '../record.ts'

const DAY_MS = 86_400_000

/** In whole UTC days; negative for the past. */
const daysUntil = (day: string, now: number): number =>
  Math.round((Date.parse(day) - Date.parse(new Date(now).toISOString().slice(0, 10))) / DAY_MS)

const sayDays = (days: number): string => {
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days > 0) return `in ${days} days`
  return `late ${-days} d`
}

/** The day that the sender was told, while nothing is decided. */
export function AnswerBy({ record, now }: { record: ApplicationDetail; now: number }) {
  if (!record.answerBy) return null
  return (
    <>
      {' '}
      <b>Answer by {calendarDayOf(record.answerBy, new Date(now))}</b>,{' '}
      {sayDays(daysUntil(record.answerBy, now))}
    </>
  )
}
