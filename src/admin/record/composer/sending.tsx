import { useEffect } from 'react'
import { limits } from '#contract/limits.ts'
import type { ChangeMutation, SentMessage } from '../../changes/change.ts'
import { discard, isUndone, undo } from '../../changes/make-change.ts'
import { Button } from '../../components/button.tsx'
import { Key } from '../../components/key.tsx'
import { notify, secondsUntil, useSecondsUntil } from '../../shell/notices.tsx'
import styles from './answer.module.css'

/**
 * The progress of a message until it has left: on its way to the server, waiting for a connection,
 * or counting down.
 */
export function Sending({ message }: { message: SentMessage }) {
  const { change, isPending, isWaiting, leavesAt } = message
  if (isPending)
    return (
      <div className={styles.sending}>
        <p role="status">{isWaiting ? 'This message leaves when you are back.' : 'Sending…'}</p>
        {isWaiting && (
          <Button look="line" onClick={() => discard(change)}>
            Do not send
          </Button>
        )}
      </div>
    )
  return leavesAt ? <Leaving change={change} leavesAt={leavesAt} /> : null
}

function Leaving({ change, leavesAt }: { change: ChangeMutation; leavesAt: number }) {
  const left = useSecondsUntil(leavesAt)

  // The way back stays in reach of somebody who has moved on to the next record.
  useEffect(
    () => () => {
      // A notice with the stored number has already announced a message to many.
      const isSaid = change.state.data?.text !== undefined
      if (isSaid || secondsUntil(leavesAt) === 0 || isUndone(change)) return
      notify({
        text: change.state.variables.text,
        leavesAt,
        action: { label: 'Undo', key: 'z', run: () => undo(change) },
      })
    },
    [change, leavesAt],
  )

  if (left === 0) return null
  return (
    <div className={styles.sending} data-sending="">
      <p role="status">
        <span className="visually-hidden">
          The message leaves in {limits.messageDelaySeconds} seconds.
        </span>
        <b aria-hidden="true">Sending in {left} s</b>
      </p>
      <svg viewBox="0 0 300 26" preserveAspectRatio="none" aria-hidden="true">
        <path
          d="M2 20C90 2 210 2 298 13"
          pathLength={limits.messageDelaySeconds}
          strokeDasharray={`${left} 99`}
        />
      </svg>
      <Button look="line" onClick={() => undo(change)}>
        Undo
        <Key of="z" />
      </Button>
    </div>
  )
}
