import { useMutation } from '@tanstack/react-query'
import type { PropsWithChildren } from 'react'
import { ApiError } from '#client/call.ts'
import { anyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { afterChangesOf } from '../../changes/order.ts'
import { refusalOf } from '../../changes/retry-policy.ts'
import { Button } from '../../components/button.tsx'
import { submitTo } from '../../components/form.tsx'
import { useProfile } from '../../session/profile.ts'
import { queryClient } from '../../session/query-client.ts'
import { ask, isOutage, outageOf } from '../../session/session.ts'
import { notify } from '../../shell/notices.tsx'
import { keys } from '../keys.ts'
import type { RecordDetail } from '../record.ts'
import styles from './composer.module.css'
import type { ComposerProps } from './composer.tsx'
import { ComposerField } from './composer-field.tsx'
import {
  draftKey,
  forgetKeyOfDraft,
  keyOfDraft,
  readDraft,
  useDraft,
  writeDraft,
} from './drafts.ts'

/** The text was changed or discarded while it waited. */
class Withdrawn extends Error {}

/** A note for colleagues; `children`: the composer's tabs. */
export function NoteForm(props: PropsWithChildren<ComposerProps>) {
  const { view, record, field, onClose, children } = props
  const draft = draftKey('note', useProfile().id, record._id)
  const text = useDraft(draft)
  const save = useMutation({
    // It waits for a connection, on any screen.
    networkMode: 'offlineFirst',
    retry: (_failures, error) => isOutage(error) && !navigator.onLine,
    retryDelay: 0,
    mutationFn: async (text: string) => {
      await afterChangesOf(record._id)
      if (readDraft(draft) !== text) throw new Withdrawn()
      return ask(
        anyKind[view.kind].note,
        { params: { id: record._id }, body: { text } },
        { idempotencyKey: keyOfDraft(draft) },
      )
    },
    onSuccess: ({ data: entry }, saved) => {
      queryClient.setQueryData<RecordDetail>(keys.detail(view.kind, record._id), (detail) =>
        detail && !detail.activity.some(({ _id }) => _id === entry._id)
          ? { ...detail, activity: [...detail.activity, entry] }
          : detail,
      )
      // Text that was typed after the save was sent begins the next note.
      const now = readDraft(draft)
      writeDraft(draft, now.startsWith(saved) ? now.slice(saved.length).trimStart() : now)
      notify({ text: 'Note saved' })
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409) forgetKeyOfDraft(draft)
    },
  })
  const send = () =>
    save.mutate(text, {
      // Runs only while this form is mounted: the tab may show a reply by now.
      onSuccess: () => {
        if (!readDraft(draft)) onClose()
      },
    })

  return (
    <form
      className={styles.note}
      onSubmit={submitTo(() => {
        if (text.trim() && !save.isPending) send()
      })}
    >
      <div className={`wrapping-row ${styles.head}`}>{children}</div>
      <ComposerField
        id="note"
        label="Note"
        field={field}
        text={text}
        max={limits.note}
        onText={(next) => writeDraft(draft, next)}
      />
      {save.isPaused && (
        <p className="secondary" role="status">
          No connection. The note is saved when you are back.
        </p>
      )}
      {save.error && (
        <p className="bad" role="alert">
          {isOutage(save.error)
            ? `Not saved: the server ${outageOf(save.error).cause}. Your text is kept here.`
            : refusalOf(
                save.error,
                'The record',
                'The note was not saved. Your text is kept here.',
              )}
        </p>
      )}
      <div className={`wrapping-row ${styles.foot}`}>
        <Button
          type="submit"
          look="line"
          disabled={text.trim() === ''}
          busy={save.isPending && (save.isPaused ? 'Waiting...' : 'Saving...')}
        >
          Save note
        </Button>
        <Button
          look="line"
          onClick={() => {
            writeDraft(draft, '')
            onClose()
          }}
        >
          Discard
        </Button>
        <span className="secondary">Only staff see this. No mail is sent.</span>
      </div>
    </form>
  )
}
