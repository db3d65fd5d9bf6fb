import { openingState } from '#contract/positions.ts'
import { entries, openings, withPrices } from '#site/content.ts'
import { longDate } from '#site/dates.ts'

/** The positions in order, each with its label and whether it is open on the day of the build. */
export const getPositions = () => {
  const now = new Date()
  return entries('positions').map(({ id, data }) => {
    const { [id]: opening = { open: false } } = openings()
    return {
      id,
      label: data.title,
      opening,
      state: openingState(opening, now),
      data: { ...data, pay: withPrices(data.pay) },
    }
  })
}

export type PositionEntry = ReturnType<typeof getPositions>[number]

/** A note on a position's dates; undefined for an open one without an end. */
export const openingNote = ({
  state,
  opening: { opensAt, closesAt },
}: Pick<PositionEntry, 'state' | 'opening'>): string | undefined => {
  if (state === 'closed') return 'Not taking applications at the moment'
  if (state === 'upcoming' && opensAt) return `Opens on ${longDate(new Date(opensAt))}`
  return closesAt && `Open until ${longDate(new Date(closesAt))}`
}
