import { useMutation } from '@tanstack/react-query'
import { ApiError } from '#client/call.ts'
import type { KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { afterChangesOf } from '../../changes/order.ts'
import { queryClient } from '../../session/query-client.ts'
import { ask, isOutage } from '../../session/session.ts'
import { keys } from '../keys.ts'
import type { RecordDetail } from '../record.ts'
import { forgetKeyOfDraft, keyOfDraft, readDraft } from './drafts.ts'

/** The text was changed or discarded while it waited. */
class Withdrawn extends Error {}

/** Stores the note that is the text of `draft`. Without a connection it waits for one, on any screen. */
export const useWriteNote = (
  kind: KindPath,
  id: string,
  draft: string,
  onSaved: (text: string) => void,
) =>
  useMutation({
    networkMode: 'offlineFirst',
    retry: (_failures, error) => isOutage(error) && !navigator.onLine,
    retryDelay: 0,
    mutationFn: async (text: string) => {
      await afterChangesOf(id)
      if (readDraft(draft) !== text) throw new Withdrawn()
      return ask(
        anyKind[kind].note,
        { params: { id }, body: { text } },
        { idempotencyKey: keyOfDraft(draft) },
      )
    },
    onSuccess: ({ data: entry }, text) => {
      queryClient.setQueryData<RecordDetail>(keys.detail(kind, id), (detail) =>
        detail && !detail.activity.some(({ _id }) => _id === entry._id)
          ? { ...detail, activity: [...detail.activity, entry] }
          : detail,
      )
      onSaved(text)
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409) forgetKeyOfDraft(draft)
    },
  })
