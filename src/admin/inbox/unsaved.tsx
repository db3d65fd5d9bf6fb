import { useEffect } from 'react'
import buttons from '../components/button.module.css'
import { useProfile } from '../session/profile.ts'
import { useShortcuts } from '../shell/shortcuts.tsx'
import { useUnsaved } from './api/change.ts'
import { claimChanges, discard, undoLatest } from './api/make-change.ts'
import { tryNow } from './api/retry-policy.ts'
import { ConflictDialog } from './detail/conflict-dialog.tsx'
import styles from './unsaved.module.css'

/** On every screen: changes that are not saved yet, conflicts, and the key that undoes. */
export function Unsaved() {
  const changes = useUnsaved()
  const { id } = useProfile()
  useEffect(() => claimChanges(id), [id])
  useShortcuts({ z: undoLatest })
  return (
    <>
      {changes.length > 0 && (
        <section className={styles.bar} aria-label="Not saved yet">
          <p role="status">
            {changes.length === 1 ? '1 change is' : `${changes.length} changes are`} not saved yet.
            The server cannot be reached; trying again.
          </p>
          <button type="button" className={buttons.link} onClick={tryNow}>
            Try now
          </button>
          <ul>
            {changes.map((change) => (
              <li key={change.mutationId}>
                {change.state.variables.text}
                <button type="button" className={buttons.link} onClick={() => discard(change)}>
                  Discard
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ConflictDialog />
    </>
  )
}
