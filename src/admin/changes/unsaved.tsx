import { useEffect } from 'react'
import { loadedLater } from '../browser/loaded-later.ts'
import { LinkButton } from '../components/button.tsx'
import { useProfile } from '../session/profile.ts'
import { notify } from '../shell/notices.tsx'
import { useShortcuts } from '../shell/shortcuts.tsx'
import { useConflict, useUnsaved } from './change.ts'
import { claimChanges, discard, dropConflict, undoLatest } from './make-change.ts'
import { tryNow } from './retry-policy.ts'
import styles from './unsaved.module.css'

// Loaded right after the first screen, which needs every connection for itself.
const conflictDialog = loadedLater(
  async () => (await import('./conflict-dialog.tsx')).ConflictDialog,
)

/** On every screen: changes that are not saved yet, conflicts, and the key that undoes. */
export function Unsaved() {
  const changes = useUnsaved()
  const conflict = useConflict()
  const ConflictDialog = conflictDialog.use()
  const { id } = useProfile()
  useEffect(() => claimChanges(id), [id])
  useEffect(() => {
    // A load that failed is tried again for each conflict. Without the dialog what is stored stays.
    void conflictDialog.load().catch(() => {
      if (!conflict) return
      dropConflict(conflict)
      notify({
        text: `Someone else was faster. Not saved: ${conflict.state.variables.text}`,
        tone: 'bad',
      })
    })
  }, [conflict])
  useShortcuts({ z: undoLatest })
  return (
    <>
      {changes.length > 0 && (
        <section className={`wrapping-row ${styles.bar}`} aria-label="Not saved yet">
          <p className="bad" role="status">
            {changes.length === 1 ? '1 change is' : `${changes.length} changes are`} not saved yet.
            The server cannot be reached; trying again.
          </p>
          <LinkButton onClick={tryNow}>Try now</LinkButton>
          <ul>
            {changes.map((change) => (
              <li className="wrapping-row" key={change.mutationId}>
                {change.state.variables.text}
                <LinkButton onClick={() => discard(change)}>Discard</LinkButton>
              </li>
            ))}
          </ul>
        </section>
      )}
      {ConflictDialog && <ConflictDialog />}
    </>
  )
}
