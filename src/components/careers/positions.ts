import { getCollection, getEntry } from 'astro:content'
import { openingState, positionLabel } from '#contract/positions.ts'
import { longDate } from '#site/dates.ts'
import { inOrder } from '#site/in-order.ts'

/** The positions in order, each with its label and whether it is open on the day of the build. */
export const getPositions = async () => {
  const now = new Date()
  return Promise.all(
    inOrder(await getCollection('positions')).map(async ({ id, data }) => {
      const opening = (await getEntry('openings', id))?.data
      if (!opening) throw new Error(`src/content/openings.json has no ${id}`)
      return { id, label: positionLabel(id), opening, state: openingState(opening, now), data }
    }),
  )
}

export type PositionEntry = Awaited<ReturnType<typeof getPositions>>[number]

/** What a visitor should know of a position's dates; undefined for an open one without an end. */
export const openingNote = ({
  state,
  opening: { opensAt, closesAt },
}: Pick<PositionEntry, 'state' | 'opening'>): string | undefined => {
  if (state === 'closed') return 'Not taking applications at the moment'
  if (state === 'upcoming' && opensAt) return `Opens on ${longDate(new Date(opensAt))}`
  return closesAt && `Open until ${longDate(new Date(closesAt))}`
}
