import { useQueryClient } from '@tanstack/react-query'
import { newKey } from '#client/idempotency-key.ts'
import type { KindPath } from '#contract/inbox.ts'
import { retryMail } from '#contract/mail/mail.ts'
import { blind } from '../../components/candidate.ts'
import { ask } from '../../session/session.ts'
import { notify } from '../../shell/notices.tsx'
import { useAction } from '../../shell/use-action.ts'
import { keys } from '../keys.ts'

/** Lets a message that failed or bounced wait for sending again, to the address that the record has now. */
export const useRetryMessage = (kind: KindPath, record: string) => {
  const client = useQueryClient()
  return useAction(async (mail: string) => {
    try {
      await ask(retryMail, { params: { id: mail }, query: blind }, { idempotencyKey: newKey() })
      notify({ text: 'The message will be sent again' })
    } finally {
      await client.invalidateQueries({ queryKey: keys.detail(kind, record) })
    }
  }, 'The message could not be sent again.')
}
