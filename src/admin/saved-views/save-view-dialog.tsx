import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { Choice } from '../components/choice.tsx'
import { Conflict, storedIn } from '../components/conflict.tsx'
import { Dialog } from '../components/dialog.tsx'
import { NameField, Options, SubmitOrCancel, textIn } from '../components/form.tsx'
import { filterOf, useInboxSearch } from '../inbox/list/inbox-url.ts'
import { views } from '../record/kinds/views.ts'
import { useLocation } from '../router/location.ts'
import { useMay } from '../session/profile.ts'
import { inboxAt } from '../shell/navigation.ts'
import { notify } from '../shell/notices.tsx'
import type { OverlayProps } from '../shell/overlay.ts'
import { filterLabel } from './filter-label.ts'
import { type SavedView, savedViewsQuery, useAddView, useChangeView } from './queries.ts'
import styles from './saved-views.module.css'

/** Saves what the list shows now, as a new view or in the place of another. */
export function SaveViewDialog({ onClose }: OverlayProps) {
  const path = useLocation((location) => location.path)
  const kind = inboxAt(path)
  const mayShare = useMay('records.change')
  const { data: saved = [] } = useQuery(savedViewsQuery)
  const filter = filterOf(useInboxSearch(views[kind ?? 'contacts']))
  const [target, setTarget] = useState<SavedView | null>(null)
  const add = useAddView()
  const change = useChangeView()
  const id = useId()
  if (!kind) return null
  const replaceable = saved.filter(
    (view) => view.kind === kind && (mayShare || (view.own && !view.shared)),
  )

  const save = (form: HTMLFormElement) => {
    const name = textIn(form, 'name')
    const shared = new FormData(form).has('shared')
    const onSuccess = () => {
      onClose()
      notify({ text: `View saved: ${name}` })
    }
    if (target)
      change.mutate({ id: target._id, name, filter, version: target.version }, { onSuccess })
    else add.mutate({ name, kind, filter, shared }, { onSuccess })
  }

  const wanted = change.variables
  const stored = storedIn<SavedView>(change.error)
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <CheckedForm
        error={stored ? null : (add.error ?? change.error)}
        failed="The view was not saved. Please try again."
        onSend={save}
      >
        <p className={`soft ${styles.what}`}>
          {views[kind].title}: {filterLabel(views[kind], filter)}
        </p>
        <div className="form-grid">
          {replaceable.length > 0 && (
            <Field id={`${id}-target`} label="Save as">
              <select
                id={`${id}-target`}
                value={target?._id ?? ''}
                onChange={(event) =>
                  setTarget(replaceable.find(({ _id }) => _id === event.target.value) ?? null)
                }
              >
                <option value="">A new view</option>
                <Options values={replaceable.map((view) => [view._id, `Replace ${view.name}`])} />
              </select>
            </Field>
          )}
          <NameField
            key={target?._id}
            maxLength={limits.viewName}
            defaultValue={target?.name ?? ''}
          />
        </div>
        {mayShare && !target && <Choice name="shared" label="Share with all staff" />}
        <SubmitOrCancel
          busy={(add.isPending || change.isPending) && 'Saving...'}
          onCancel={onClose}
        >
          Save view
        </SubmitOrCancel>
      </CheckedForm>
      {wanted && stored && (
        <Conflict
          name={stored.name}
          sides={[
            ['Name', stored.name, wanted.name ?? stored.name],
            [
              'Shows',
              filterLabel(views[kind], stored.filter),
              filterLabel(views[kind], wanted.filter ?? stored.filter),
            ],
          ]}
          onKeep={onClose}
          onSave={() =>
            change.mutate({ ...wanted, version: stored.version }, { onSuccess: onClose })
          }
          onClose={change.reset}
        />
      )}
    </Dialog>
  )
}
