import { limits } from '#contract/limits.ts'
import type { Hours, Slot } from '#contract/times/times.ts'
import { counted, countOf } from '../format/count.ts'

interface FreeTimesProps extends Pick<Hours, 'horizonDays'> {
  slots: readonly Slot[]
}

/** `12 free times in the next 14 days` */
export const FreeTimes = ({ slots: { length }, horizonDays }: FreeTimesProps) => (
  <>
    <b>{countOf(length)}</b> free {length === 1 ? 'time' : 'times'} in the next{' '}
    {counted(Math.min(horizonDays, limits.hours.span), 'day')}
  </>
)
