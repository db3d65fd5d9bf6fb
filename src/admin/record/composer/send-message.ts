import type { Account } from '#contract/accounts/auth.ts'
import { anyKind } from '#contract/kinds.ts'
import type { Change } from '../../changes/change.ts'
import { messagePatch, savedMessage } from '../../changes/edits.ts'
import { makeChange } from '../../changes/make-change.ts'
import { ask } from '../../session/session.ts'
import { notify } from '../../shell/notices.tsx'
import { blindFor } from '../blind.ts'
import type { KindView } from '../kinds/kind-view.ts'
import type { InboxRecord } from '../record.ts'
import {
  draftKey,
  endStoring,
  forgetDraft,
  forgetKeyOfDraft,
  keepUsed,
  keyOfDraft,
  readDraft,
  readUsed,
  setRefusal,
  storeDraft,
  subjectKey,
  writeDraft,
} from './drafts.ts'

/**
 * Sends the text to the sender of a record and sets a status with it. Until it is stored the draft
 * stays; an undo brings the text back, before what was begun since.
 */
export const sendMessage = (
  view: KindView,
  record: InboxRecord,
  { text, status }: { text: string; status: string | undefined },
  { id: user, username }: Account,
): Change => {
  const { kind } = view
  const id = record._id
  const draft = draftKey('reply', user, id)
  const subject = readDraft(subjectKey(draft)).trim() || undefined
  const used = readUsed(draft)
  setRefusal(draft, null)
  return makeChange({
    kind,
    key: keyOfDraft(draft),
    edits: [{ record, patch: messagePatch(view, record, status, username) }],
    text: `Message to ${record.name}`,
    failure: 'The message could not be stored.',
    message: text,
    // The composer says how far it is.
    isLong: true,
    save: async ({ key }) => {
      await endStoring(draft)
      const { meta } = await ask(
        anyKind[kind].message,
        { params: { id }, query: blindFor(kind), body: { text, status, subject } },
        { idempotencyKey: key },
      )
      const saved = await savedMessage(kind, id, meta)
      // The text may have been edited after "Do not send".
      if (readDraft(draft) === text) forgetDraft(draft)
      else storeDraft(kind, id, draft)
      return saved
    },
    onRefused: (sentence) => {
      forgetKeyOfDraft(draft)
      setRefusal(draft, sentence)
      notify({ text: `The message to ${record.name} was not sent. ${sentence}`, tone: 'bad' })
    },
    onUndone: () => {
      writeDraft(draft, [text, readDraft(draft)].filter(Boolean).join('\n\n'))
      if (used) keepUsed(draft, used)
      if (!readDraft(subjectKey(draft))) writeDraft(subjectKey(draft), subject ?? '')
      storeDraft(kind, id, draft)
    },
  })
}
