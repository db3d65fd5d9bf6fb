import buttons from '../../components/button.module.css'
import { Dialog } from '../../components/dialog.tsx'
import { When } from '../../components/when.tsx'
import { type ChangeMutation, storedOf, useConflict } from '../api/change.ts'
import { dropConflict } from '../api/make-change.ts'
import type { InboxRecord } from '../api/record.ts'
import { stampOf, statusOf } from '../kinds/kind-view.ts'
import { views } from '../kinds/views.ts'
import { boxLabels } from '../list/address.ts'
import styles from './conflict-dialog.module.css'

/** Two people changed one record at once: both sides, and a choice. */
export function ConflictDialog() {
  const conflict = useConflict()
  const stored = conflict && storedOf(conflict.state.error)
  return stored && <Open conflict={conflict} stored={stored} />
}

function Open({ conflict, stored }: { conflict: ChangeMutation; stored: InboxRecord }) {
  const { kind, edits, again } = conflict.state.variables
  const wanted = { ...stored, ...edits[0]?.patch }
  const close = () => dropConflict(conflict)
  const view = views[kind]
  const stamp = stampOf(view, stored)
  const side = (record: InboxRecord) => [
    ['Status', statusOf(view, record.status).label],
    ['Assigned to', record.assignee ?? 'Nobody'],
    ['Box', boxLabels[record.box]],
  ]
  const mine = side(wanted)
  return (
    <Dialog title="Someone else was faster" onClose={close} alert>
      <p>
        <b>{stored.name}</b> was changed{stamp ? ` by ${stamp.by}` : ''},{' '}
        <When at={stored.updatedAt} />, before your change arrived. Nothing of yours is saved yet.
      </p>
      <table className={styles.sides}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Now saved</th>
            <th scope="col">Your change</th>
          </tr>
        </thead>
        <tbody>
          {side(stored).map(([term, value], index) => {
            const yours = mine[index]?.[1]
            return (
              <tr key={term}>
                <th scope="row">{term}</th>
                <td>{value}</td>
                <td>{yours === value ? 'the same' : <b>{yours}</b>}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <div className={styles.choice}>
        <button type="button" className={buttons.solid} onClick={close}>
          Keep what is saved
        </button>
        <button
          type="button"
          className={buttons.outlined}
          onClick={() => {
            close()
            again?.(stored)
          }}
        >
          Save my change
        </button>
      </div>
    </Dialog>
  )
}
