import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#client/call.ts'
import { newKey } from '#client/idempotency-key.ts'
import type { KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { ask } from '../../session/session.ts'
import { keys } from './keys.ts'
import { afterChangesOf } from './make-change.ts'
import type { RecordDetail } from './record.ts'

/** Drafts live in the tab, by ids alone, so that a lapsed sign-in or a reload loses no text. */
const draftKey = (user: string, record: string) => `note:${user}:${record}`
/** The `Idempotency-Key` of a draft that was sent: sent again unchanged, it makes no second note. */
const sentKey = (user: string, record: string) => `note:key:${user}:${record}`

export const readDraft = (user: string, record: string): string =>
  sessionStorage.getItem(draftKey(user, record)) ?? ''

export const writeDraft = (user: string, record: string, text: string): void => {
  sessionStorage.removeItem(sentKey(user, record))
  if (text) sessionStorage.setItem(draftKey(user, record), text)
  else sessionStorage.removeItem(draftKey(user, record))
}

const keyOfDraft = (user: string, record: string): string => {
  const key = sessionStorage.getItem(sentKey(user, record)) ?? newKey()
  sessionStorage.setItem(sentKey(user, record), key)
  return key
}

export const useWriteNote = (kind: KindPath, id: string, user: string, onSaved: () => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (text: string) => {
      await afterChangesOf(id)
      return ask(
        anyKind[kind].note,
        { params: { id }, body: { text } },
        { idempotencyKey: keyOfDraft(user, id) },
      )
    },
    onSuccess: ({ data: entry }) => {
      client.setQueryData<RecordDetail>(keys.detail(kind, id), (detail) =>
        detail && !detail.activity.some(({ _id }) => _id === entry._id)
          ? { ...detail, activity: [...detail.activity, entry] }
          : detail,
      )
      onSaved()
    },
    onError: (error) => {
      // Refused for good: another try is another note.
      if (error instanceof ApiError && error.status === 409)
        sessionStorage.removeItem(sentKey(user, id))
    },
  })
}
