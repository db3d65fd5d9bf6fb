import { queryClient } from '../session/query-client.ts'
import { type Change, type ChangeMutation, changesIn, idsOf } from './change.ts'

const cache = queryClient.getMutationCache()

/**
 * Changes of one record reach the server in the order they were made. The scope sees to that for
 * changes of one record; it names no more than one, so changes of several wait here.
 */
export const afterEarlier = (mine: ChangeMutation): Promise<void> => {
  const ids = new Set(idsOf(mine))
  return untilNone(
    (other) => other.mutationId < mine.mutationId && idsOf(other).some((id) => ids.has(id)),
  )
}

/**
 * Waits for the changes of a record that are on their way, so that what builds on them (a note on a
 * record that was just taken out of the trash) finds them stored. A change that failed once and is
 * tried again is not waited for.
 */
export const afterChangesOf = (id: string): Promise<void> =>
  untilNone((change) => change.state.failureCount === 0 && idsOf(change).includes(id))

const untilNone = (matches: (pending: ChangeMutation) => boolean): Promise<void> => {
  const isFree = () =>
    !changesIn(cache).some((change) => change.state.status === 'pending' && matches(change))
  return new Promise((resolve) => {
    if (isFree()) return resolve()
    const stop = cache.subscribe(() => {
      if (!isFree()) return
      stop()
      resolve()
    })
  })
}

/** The version that this person last saw or made, for a change of one record. */
export const versionFor = ({ edits: [only, ...others] }: Change): number | undefined => {
  if (!only || others.length > 0) return undefined
  const { _id, version } = only.record
  const made = changesIn(cache).map(({ state: { data } }) =>
    data?.record?._id === _id ? data.record.version : 0,
  )
  return Math.max(version, ...made)
}
