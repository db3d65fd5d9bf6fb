import type { Mutation } from '@tanstack/react-query'
import { keys } from '../record/keys.ts'
import { queryClient } from '../session/query-client.ts'
import type { Change } from './change.ts'

const isChange = (mutation: Mutation<unknown, Error, unknown>): boolean =>
  mutation.options.mutationKey?.[0] === keys.change[0] && mutation.state.variables !== undefined

/** Subscribes to changes that are undone, discarded or refused, by their keys. */
export const onTakenBack = (listener: (key: string) => void): (() => void) =>
  queryClient.getMutationCache().subscribe((event) => {
    if (!event.mutation || !isChange(event.mutation)) return
    const { status, variables } = event.mutation.state
    const { key, undoes } = variables as Change
    if (undoes !== undefined && event.type === 'updated' && status === 'pending') listener(undoes)
    const isDiscarded = event.type === 'removed' && status === 'pending'
    if (isDiscarded || (event.type === 'updated' && status === 'error')) listener(key)
  })
