import { exactlyOf, whenOf } from '../format/dates.ts'

/** A moment in short, with the exact one on hover. */
export function When({ at, as = whenOf }: { at: string; as?: (iso: string, now: Date) => string }) {
  return (
    <time dateTime={at} title={exactlyOf(at)}>
      {as(at, new Date())}
    </time>
  )
}
