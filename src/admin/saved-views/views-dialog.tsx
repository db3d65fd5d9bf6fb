import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '#contract/limits.ts'
import { Button, Cancel, Close, LinkButton } from '../components/button.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { Choice } from '../components/choice.tsx'
import { Conflict, storedIn } from '../components/conflict.tsx'
import { Confirm, Dialog } from '../components/dialog.tsx'
import { focusFirst, NameField, Problem, textIn } from '../components/form.tsx'
import { MoveButtons } from '../components/move-buttons.tsx'
import { views } from '../record/kinds/views.ts'
import { useMay } from '../session/profile.ts'
import type { OverlayProps } from '../shell/overlay.ts'
import { shownKinds } from '../site.ts'
import { filterLabel } from './filter-label.ts'
import { type SavedView, savedViewsQuery, useChangeView, useRemoveView } from './queries.ts'
import styles from './saved-views.module.css'

/** Every saved view: rename, share, delete, and put one's own in order. */
export function ViewsDialog({ onClose }: OverlayProps) {
  const { data: saved, error } = useQuery(savedViewsQuery)
  return (
    <Dialog title="Saved views" onClose={onClose} foot={<Close onClick={onClose} />}>
      <Problem error={error} failed="The views could not be loaded." />
      {saved?.length === 0 && <p>No saved views yet. Set the list up, then press s.</p>}
      {shownKinds.map((kind) => {
        const its = saved?.filter((view) => view.kind === kind) ?? []
        const own = its.filter((view) => view.own)
        return (
          its.length > 0 && (
            <section key={kind} aria-labelledby={`views-${kind}`}>
              <h3 id={`views-${kind}`} className={`caption ${styles.kind}`}>
                {views[kind].title}
              </h3>
              <ul className={styles.list}>
                {its.map((view) => (
                  <Row key={view._id} view={view} place={own.indexOf(view)} count={own.length} />
                ))}
              </ul>
            </section>
          )
        )
      })}
    </Dialog>
  )
}

const yesOrNo = (value: boolean): string => (value ? 'Yes' : 'No')

interface Props {
  view: SavedView
  /** Among one's own of its kind; -1 for another's. */
  place: number
  count: number
}

function Row({ view, place, count }: Props) {
  const change = useChangeView()
  const remove = useRemoveView()
  /** The version that a new name is given to; null while none is. */
  const [renames, setRenames] = useState<number | null>(null)
  const [asks, setAsks] = useState(false)
  const [shared, setShared] = useState(view.shared)
  const mayShare = useMay('records.change')
  const mayChange = mayShare || !view.shared
  const wanted = change.variables
  const stored = storedIn<SavedView>(change.error)
  const isBusy = change.isPending || remove.isPending

  return (
    <li>
      <p>
        <b>{view.name}</b>{' '}
        {!view.own && (
          <span className="secondary">shared by {view.by ?? 'a former colleague'}</span>
        )}
      </p>
      <p className="secondary">{filterLabel(views[view.kind], view.filter)}</p>
      <Problem
        error={stored ? null : (change.error ?? remove.error)}
        failed="The view was not changed."
      />
      {renames !== null ? (
        <CheckedForm
          ref={focusFirst}
          className={styles.rename}
          onSend={(form) =>
            change.mutate(
              { id: view._id, name: textIn(form, 'name'), version: renames },
              { onSuccess: () => setRenames(null) },
            )
          }
        >
          <div className="form-grid">
            <NameField maxLength={limits.viewName} defaultValue={view.name} />
          </div>
          <Button type="submit" busy={change.isPending && 'Saving...'}>
            Rename
          </Button>
          <Cancel onClick={() => setRenames(null)} />
        </CheckedForm>
      ) : (
        <div className={`wrapping-row ${styles.rowActions}`}>
          {mayChange && (
            <LinkButton on={view.name} busy={isBusy} onClick={() => setRenames(view.version)}>
              Rename
            </LinkButton>
          )}
          {mayChange && (
            <LinkButton on={view.name} busy={isBusy} onClick={() => setAsks(true)}>
              Delete
            </LinkButton>
          )}
          {view.own && mayChange && (
            <MoveButtons
              name={view.name}
              index={place}
              count={count}
              busy={isBusy}
              move={(to) => change.mutate({ id: view._id, place: to })}
            />
          )}
          {view.own && mayShare && (
            <Choice
              label="Shared"
              aria-label={`Shared ${view.name}`}
              checked={shared}
              aria-disabled={isBusy}
              onChange={({ target: { checked } }) => {
                if (isBusy) return
                setShared(checked)
                change.mutate(
                  { id: view._id, shared: checked, version: view.version },
                  { onError: () => setShared(!checked) },
                )
              }}
            />
          )}
        </div>
      )}
      {wanted && stored && (
        <Conflict
          name={stored.name}
          sides={[
            ['Name', stored.name, wanted.name ?? stored.name],
            ['Shared', yesOrNo(stored.shared), yesOrNo(wanted.shared ?? stored.shared)],
          ]}
          onKeep={() => {
            change.reset()
            setRenames(null)
            setShared(stored.shared)
          }}
          onSave={() =>
            change.mutate(
              { ...wanted, version: stored.version },
              {
                onSuccess: () => {
                  setRenames(null)
                  setShared(wanted.shared ?? stored.shared)
                },
              },
            )
          }
          onClose={change.reset}
        />
      )}
      {asks && (
        <Confirm
          title="Delete view"
          question={`Delete the view “${view.name}”${view.shared ? ' for all staff' : ''}? The records stay.`}
          action="Delete"
          onConfirm={() => remove.mutate(view._id)}
          onClose={() => setAsks(false)}
        />
      )}
    </li>
  )
}
