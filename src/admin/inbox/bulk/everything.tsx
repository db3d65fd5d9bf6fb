import { useState } from 'react'
import { type Change, useUnsaved } from '../../changes/change.ts'
import type { ManyAction } from '../../changes/edits.ts'
import { tryNow } from '../../changes/retry-policy.ts'
import { Button, Cancel } from '../../components/button.tsx'
import dialog from '../../components/dialog.module.css'
import { Dialog } from '../../components/dialog.tsx'
import { countOf } from '../../format/count.ts'
import styles from './bulk.module.css'
import type { BulkProps } from './bulk.tsx'
import { changeMatching, countLabel } from './change-many.ts'

interface Props extends Pick<BulkProps, 'view' | 'filter' | 'matching'> {
  act: ManyAction
  onEnd: () => void
}

/** Asks before all that a filter selects is changed, then shows how far it is. */
export function Everything({ view, filter, act, matching, onEnd }: Props) {
  const [change, setChange] = useState<Change | null>(null)
  const [done, setDone] = useState(0)
  const [stop] = useState(() => new AbortController())
  const isWaiting = useUnsaved().some(({ state }) => state.variables.key === change?.key)

  const run = () =>
    setChange(
      changeMatching(view, filter, act, matching, { stop: stop.signal, onDone: setDone, onEnd }),
    )
  const cancel = () => {
    act.many?.onTakenBack()
    onEnd()
  }
  const end = () => {
    stop.abort()
    tryNow()
  }

  return (
    <Dialog
      title={act.many?.title(matching) ?? `Change all ${countLabel(view, matching)}`}
      onClose={change ? end : cancel}
    >
      {change ? (
        <>
          <p role="status">
            {countOf(done)} of {countOf(matching)} done
            {isWaiting &&
              '. The rest is not saved yet: the server cannot be reached; trying again.'}
          </p>
          <progress className={styles.progress} value={done} max={matching} aria-label="Progress" />
          <div className={dialog.actions}>
            {isWaiting && <Button onClick={tryNow}>Try now</Button>}
            <Button look="line" onClick={end}>
              Stop here
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>
            {act.many?.question ??
              `This changes every ${view.noun} that the current filter selects, including those further down the list. It can be undone.`}
          </p>
          <div className={dialog.actions}>
            <Button onClick={run}>
              {act.many ? 'Write to' : 'Change'} {countLabel(view, matching)}
            </Button>
            <Cancel onClick={cancel} />
          </div>
        </>
      )}
    </Dialog>
  )
}
