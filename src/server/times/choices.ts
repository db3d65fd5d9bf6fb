import type { Slot } from '#contract/times/times.ts'
import type { Core } from '#server/deps.ts'
import { busyTimes } from './busy.ts'
import { DAY } from './clock.ts'
import { type Busy, freeSlots, isFree, slotAt } from './slots.ts'
import { heldTimes, type OfferedTimes, offeredTimes } from './store/appointments.ts'
import { type Host, hostById } from './store/hours.ts'

/** The busy times of a host: those of their own calendar, and appointments with others than one record. */
export const takenTimes = async (
  deps: Core,
  host: Host,
  { exceptRecord, isTaking = false }: { exceptRecord?: string; isTaking?: boolean } = {},
): Promise<Busy[]> => [
  ...(await busyTimes(deps, host, { isTaking })),
  ...(await heldTimes(deps.db, host.userId, exceptRecord ?? null)),
]

/** True if a time is one of those that were offered, taken or not. */
const offeredSlots = ({ slots, minutes }: OfferedTimes, host: Host, busy: readonly Busy[]) => {
  const now = Date.now()
  if (slots === null)
    return freeSlots({ ...host, minutes }, { from: now, to: now + 61 * DAY, now, busy })
  return slots
    .map((start) => slotAt(start, minutes))
    .filter(({ start, end }) => {
      const at = Date.parse(start)
      return at > now && isFree([at, Date.parse(end)], busy, host)
    })
    .toSorted((a, b) => (a.start < b.start ? -1 : 1))
}

/**
 * The free times that a record's sender may choose from; none where nothing is offered. A time that the
 * record holds itself is no choice, except with another host.
 */
export const choicesOf = async (
  deps: Core,
  record: { id: string; withdrawnAt: string | null },
  { isTaking = false } = {},
) => {
  const { offered, upcoming, isChangedSince } = await offeredTimes(deps.db, record.id)
  // The host whom staff gave the talk to keeps it until times are offered anew.
  const hostId = (isChangedSince ? upcoming?.hostId : null) ?? offered?.host
  const host = offered && hostId ? await hostById(deps.db, hostId) : undefined
  const none = { offered, host, upcoming, slots: [] as Slot[] }
  if (!offered || !host || record.withdrawnAt !== null) return none
  const busy = await takenTimes(deps, host, { exceptRecord: record.id, isTaking })
  const slots = offeredSlots(offered, host, busy).filter(
    ({ start, end }) =>
      upcoming?.hostId !== host.userId ||
      Date.parse(start) !== Date.parse(upcoming.start) ||
      Date.parse(end) !== Date.parse(upcoming.end),
  )
  return { ...none, slots }
}
export type Choices = Awaited<ReturnType<typeof choicesOf>>
