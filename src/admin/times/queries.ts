import { queryOptions, useMutation } from '@tanstack/react-query'
import type { CallInput } from '#client/call.ts'
import { changeHours, listAppointments, readHours, readSlots } from '#contract/times/times.ts'
import { queryCall } from '../record/list-records.ts'
import { queryClient } from '../session/query-client.ts'
import { ask } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'

/** Answers about hours and appointments; one change may change them all. */
const times = ['times'] as const

export const hoursQuery = queryOptions({
  queryKey: [...times, 'hours'],
  queryFn: (context) => ask(readHours, {}, queryCall(context)),
})

/** One's own free times of a span, the next 31 days without one; as long as the hours say without `minutes`. */
export const slotsQuery = (query: CallInput<typeof readSlots>['query'] = {}) =>
  queryOptions({
    queryKey: [...times, 'slots', query],
    queryFn: async (context) => (await ask(readSlots, { query }, queryCall(context))).data,
  })

export const appointmentsQuery = (filter: { from?: string; to?: string; host?: string } = {}) =>
  queryOptions({
    queryKey: [...times, 'appointments', filter],
    queryFn: async (context) =>
      (await ask(listAppointments, { query: filter }, queryCall(context))).data,
    refetchInterval: 30_000,
  })

export const refreshTimes = (): Promise<void> => queryClient.invalidateQueries({ queryKey: times })

/** @param onSaved also called when the screen has been left */
export const useSaveHours = (onSaved?: () => void) =>
  useMutation({
    mutationFn: (body: Parameters<typeof ask<typeof changeHours>>[1]['body']) =>
      ask(changeHours, { body }),
    onSuccess: async (answer) => {
      queryClient.setQueryData(hoursQuery.queryKey, answer)
      onSaved?.()
      notify({ text: 'Your hours are saved.' })
      await refreshTimes()
    },
  })
