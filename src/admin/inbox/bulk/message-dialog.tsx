import { useId, useState } from 'react'
import type { Account } from '#contract/accounts/auth.ts'
import { limits } from '#contract/limits.ts'
import { messageProblem } from '#contract/mail/placeholders.ts'
import { Field } from '#ui/field.tsx'
import { createStore } from '../../browser/store.ts'
import { type ManyAction, messagePatch } from '../../changes/edits.ts'
import { CheckedForm } from '../../components/checked-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormError, Options, Problem, SubmitOrCancel } from '../../components/form.tsx'
import { countOf } from '../../format/count.ts'
import { maySet } from '../../record/blind.ts'
import { TemplatePreview } from '../../record/composer/mail-preview.tsx'
import { valuesFor } from '../../record/composer/placeholder-values.ts'
import { useTemplatesFor } from '../../record/composer/templates.ts'
import { type KindView, nextStatus } from '../../record/kinds/kind-view.ts'
import type { InboxRecord } from '../../record/record.ts'
import { useProfile } from '../../session/profile.ts'
import { onSignedOut } from '../../session/session.ts'
import { countLabel } from './change-many.ts'

interface Props {
  view: KindView
  count: number
  /** The status that was chosen before. */
  outcome: string | undefined
  /** The loaded ones among the selected. */
  records: readonly InboxRecord[]
  /** The status of all the selected; undefined if they differ, or are not all loaded. */
  shared: string | undefined
  onSend: (action: ManyAction) => void
  onClose: () => void
}

/** One text to many: a template or one's own words, previewed as the first recipient will read it. */
export function MessageDialog({ view, count, outcome, records, shared, onSend, onClose }: Props) {
  const id = useId()
  const account = useProfile()
  const { data: templates = [], error } = useTemplatesFor(view.kind)
  const key = unsentKey(view, account)
  const kept = unsent.use().get(key) ?? ''
  const [typed, setText] = useState<string | null>(null)
  const text = typed ?? kept
  const next = shared === view.statuses[0]?.value ? nextStatus(view, shared ?? '') : null
  const [status, setStatus] = useState(outcome ?? next?.value ?? '')
  const first = records[0]

  return (
    <Dialog title={`Write to ${countLabel(view, count)}`} onClose={onClose}>
      <CheckedForm
        check={() => {
          const found = messageProblem(text)
          return found !== null && new FormError(found, { text: [found] })
        }}
        onSend={() => {
          setUnsent(key, '')
          onClose()
          onSend(messageToMany(view, { text: text.trim(), status: status || undefined }, account))
        }}
      >
        <Problem error={error} failed="The templates could not be loaded." />
        <div className="form-grid">
          <Field id={`${id}-template`} label="Template">
            <select
              id={`${id}-template`}
              value={templates.find((template) => template.text === text)?._id ?? ''}
              onChange={({ target }) =>
                setText(templates.find(({ _id }) => _id === target.value)?.text ?? text)
              }
            >
              <option value="">Your own words</option>
              <Options values={templates.map(({ _id, name }) => [_id, name])} />
            </select>
          </Field>
          <Field
            name="text"
            label="Text"
            hint="{name}, {service}, {position} and {link} are filled in for each person."
            long
            rows={6}
            maxLength={limits.staffMessage}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <Field id={`${id}-status`} label="Status">
            <select
              id={`${id}-status`}
              value={status}
              onChange={({ target }) => setStatus(target.value)}
            >
              <option value="">Stays as it is</option>
              <Options
                values={view.statuses
                  .filter((one) => one.action && records.every((record) => maySet(record, one)))
                  .map(({ value, label }) => [value, label] as const)}
              />
            </select>
          </Field>
        </div>
        {first && <TemplatePreview text={text} name={first.name} values={valuesFor(view, first)} />}
        <SubmitOrCancel disabled={text.trim() === ''} onCancel={onClose}>
          Send to {countLabel(view, count)}
        </SubmitOrCancel>
      </CheckedForm>
    </Dialog>
  )
}

/** Texts to many that were not sent after all, by person and kind, for another try; in this tab's memory. */
const unsent = createStore<ReadonlyMap<string, string>>(new Map())
onSignedOut(() => unsent.set(new Map()))

const unsentKey = (view: KindView, { id }: Account): string => `${id}:${view.kind}`

const setUnsent = (key: string, text: string): void =>
  unsent.set(new Map([...unsent.get(), [key, text]]))

/** Writing to many as an action of the bulk bar: one mail each, one undo for all until they leave. */
const messageToMany = (
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
