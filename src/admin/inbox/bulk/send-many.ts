import type { Account } from '#contract/accounts/auth.ts'
import { limits } from '#contract/limits.ts'
import { createStore } from '../../browser/store.ts'
import { type ManyAction, messagePatch } from '../../changes/edits.ts'
import { countOf } from '../../format/count.ts'
import type { KindView } from '../../record/kinds/kind-view.ts'
import { onSignedOut } from '../../session/session.ts'
import { countLabel } from './change-many.ts'

/** Texts to many that were not sent after all, by person and kind, for another try; in this tab's memory. */
const unsent = createStore<ReadonlyMap<string, string>>(new Map())
onSignedOut(() => unsent.set(new Map()))

const unsentKey = (view: KindView, { id }: Account): string => `${id}:${view.kind}`

const setUnsent = (key: string, text: string): void =>
  unsent.set(new Map([...unsent.get(), [key, text]]))

export const useUnsentText = (view: KindView, account: Account): string =>
  unsent.use().get(unsentKey(view, account)) ?? ''

export const forgetUnsent = (view: KindView, account: Account): void =>
  setUnsent(unsentKey(view, account), '')

/** Writing to many as an action of the bulk bar: one mail each, one undo for all until they leave. */
export const messageToMany = (
  view: KindView,
  { text, status }: { text: string; status: string | undefined },
  account: Account,
): ManyAction => ({
  phrase: 'written to',
  patch: (record) =>
    record.box === 'inbox' ? messagePatch(view, record, status, account.username) : {},
  bulk: { action: 'message', value: { text, ...(status ? { status } : {}) } },
  many: {
    message: text,
    failure: 'The messages could not be stored.',
    title: (count) => `Write to all ${countLabel(view, count)}`,
    question: `Everybody whom the current filter selects gets this message, including those further down the list. Until it leaves, ${limits.messageDelaySeconds} seconds after it is stored, it can be undone.`,
    said: (sent, missing) =>
      (sent > 0
        ? `Message to ${countLabel(view, sent)} leaves in ${limits.messageDelaySeconds} s`
        : 'No message was sent') +
      (missing > 0 ? `. ${countOf(missing)} left out: in spam, in the trash or erased` : ''),
    onTakenBack: () => setUnsent(unsentKey(view, account), text),
  },
})
