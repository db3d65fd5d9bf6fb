import { useMutation } from '@tanstack/react-query'
import { changeHours } from '#contract/times/times.ts'
import { queryClient } from '../session/query-client.ts'
import { ask } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'
import { hoursQuery, refreshTimes } from './queries.ts'

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
