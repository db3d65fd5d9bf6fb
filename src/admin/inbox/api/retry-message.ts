import { useMutation, useQueryClient } from '@tanstack/react-query'
import { newKey } from '#client/idempotency-key.ts'
import type { KindPath } from '#contract/inbox.ts'
import { retryMail } from '#contract/mail/mail.ts'
import { blind } from '../../components/candidate.ts'
import { ask, sentenceOf } from '../../session/session.ts'
import { notify } from '../../shell/notices.tsx'
import { keys } from './keys.ts'

/** Lets a message that failed or bounced wait for sending again, to the address that the record has now. */
export const useRetryMessage = (kind: KindPath, record: string) => {
  const client = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: (mail: string) =>
      ask(retryMail, { params: { id: mail }, query: blind }, { idempotencyKey: newKey() }),
    onSuccess: () => notify({ text: 'The message will be sent again' }),
    onError: (error) =>
      notify({ text: sentenceOf(error, 'The message could not be sent again.'), tone: 'bad' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.detail(kind, record) }),
  })
}
