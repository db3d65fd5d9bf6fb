const hourMs = 3_600_000

/** At a whole hour of the reader's day, some days from now. */
const on = (now: Date, days: number, hour: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)

/** Until when a record may be set aside with one choice; none of them has passed. */
export const snoozeTimes = (now: Date): { label: string; at: Date }[] => {
  const afternoon = on(now, 0, 14)
  const isWeekdayLeft = now.getDay() !== 0
  return [
    {
      label: 'In two hours',
      at: new Date(Math.ceil(now.getTime() / 60_000) * 60_000 + 2 * hourMs),
    },
    ...(afternoon.getTime() - now.getTime() > hourMs
      ? [{ label: 'This afternoon', at: afternoon }]
      : []),
    { label: 'Tomorrow', at: on(now, 1, 9) },
    // On a Sunday, Monday is tomorrow.
    ...(isWeekdayLeft ? [{ label: 'Monday', at: on(now, 8 - now.getDay(), 9) }] : []),
  ]
}
