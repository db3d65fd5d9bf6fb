import { useEffect } from 'react'
import { LinkButton } from '../components/button.tsx'
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
          <LinkButton onClick={tryNow}>Try now</LinkButton>
          <ul>
            {changes.map((change) => (
              <li key={change.mutationId}>
                {change.state.variables.text}
                <LinkButton onClick={() => discard(change)}>Discard</LinkButton>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ConflictDialog />
    </>
  )
}
