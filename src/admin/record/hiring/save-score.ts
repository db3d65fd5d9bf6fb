import { useMutation } from '@tanstack/react-query'
import { revealApplication, scoreApplication } from '#contract/applications.ts'
import type { BodyInput } from '#contract/http/endpoint.ts'
import { useKeyFor } from '../../browser/use-key-for.ts'
import { queryClient } from '../../session/query-client.ts'
import { ask } from '../../session/session.ts'
import { shownDetail } from '../blind.ts'
import { keys } from '../keys.ts'
import type { RecordDetail } from '../record.ts'

/** Makes a call that answers the whole application, blind while a criterion is new, and shows it. */
const useWhole = <Input>(id: string, call: (input: Input) => Promise<{ data: RecordDetail }>) =>
  useMutation({
    mutationFn: call,
    onSuccess: ({ data }) => {
      const queryKey = keys.detail('applications', id)
      void queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<RecordDetail>(queryKey, shownDetail(data))
      void queryClient.invalidateQueries({ queryKey: keys.lists('applications') })
    },
  })

export const useSaveScore = (id: string) => {
  const { keyFor, forgetKey } = useKeyFor()
  return useWhole(id, async (body: BodyInput<typeof scoreApplication>) => {
    const options = { idempotencyKey: keyFor({ id, body }) }
    const answer = await ask(scoreApplication, { params: { id }, body }, options)
    forgetKey()
    return answer
  })
}

/** Reveals an applicant before one's own score is in. The server logs it once, even if its answer was lost. */
export const useReveal = (id: string) => {
  const { keyFor } = useKeyFor()
  return useWhole<void>(id, () =>
    ask(revealApplication, { params: { id } }, { idempotencyKey: keyFor(id) }),
  )
}
