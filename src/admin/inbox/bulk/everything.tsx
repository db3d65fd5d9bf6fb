import { useState } from 'react'
import buttons from '../../components/button.module.css'
import { Dialog } from '../../components/dialog.tsx'
import type { Filter } from '../api/record.ts'
import { type Change, giveBack, tryNow, useUnsaved } from '../changes.ts'
import type { KindView } from '../kinds/kind-view.ts'
import styles from './bulk.module.css'
import { type BulkAct, changeMatching, countOf } from './bulk-mutations.ts'

/** Asks before all that a filter selects is changed, then shows how far it is. */
export function Everything({
  view,
  filter,
  act,
  matching,
  onEnd,
}: {
  view: KindView
  filter: Filter
  act: BulkAct
  matching: number
  onEnd: () => void
}) {
  const [change, setChange] = useState<Change | null>(null)
  const [done, setDone] = useState(0)
  const [stop] = useState(() => new AbortController())
  const isWaiting = useUnsaved().some((unsaved) => unsaved === change)

  const run = () =>
    setChange(
      changeMatching(view, filter, act, matching, { stop: stop.signal, onDone: setDone, onEnd }),
    )
  const end = () => {
    stop.abort()
    if (change) giveBack(change)
  }

  return (
    <Dialog title={`Change all ${countOf(view, matching)}`} onClose={change ? end : onEnd}>
      {change ? (
        <>
          <p role="status">
            {done.toLocaleString('en')} of {matching.toLocaleString('en')} done
            {isWaiting &&
              '. The rest is not saved yet: the server cannot be reached; trying again.'}
          </p>
          <progress className={styles.progress} value={done} max={matching} aria-label="Progress" />
          <div className={styles.choice}>
            {isWaiting && (
              <button type="button" className={buttons.solid} onClick={tryNow}>
                Try now
              </button>
            )}
            <button type="button" className={buttons.outlined} onClick={end}>
              Stop here
            </button>
          </div>
        </>
      ) : (
        <>
          <p>
            This changes every {view.noun} that the present filter selects, also those further down
            the list. It can be undone.
          </p>
          <div className={styles.choice}>
            <button type="button" className={buttons.solid} onClick={run}>
              Change {countOf(view, matching)}
            </button>
            <button type="button" className={buttons.outlined} onClick={onEnd}>
              Cancel
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}
