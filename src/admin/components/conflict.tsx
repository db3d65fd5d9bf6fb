import type { ReactNode } from 'react'
import { ApiError } from '#client/call.ts'
import { singleClick } from '../browser/single-click.ts'
import { Button } from './button.tsx'
import styles from './conflict.module.css'
import { Dialog } from './dialog.tsx'

/** The stored value, where a change was refused because of a newer version. */
export const storedIn = <Stored,>(error: unknown): Stored | undefined =>
  error instanceof ApiError && error.code === 'conflict'
    ? (error.data as Stored | undefined)
    : undefined

interface ConflictProps {
  name: string
  /** The author and the time, where they are known. */
  children?: ReactNode
  /** Each field's name, with its stored and its wanted value. */
  sides: readonly (readonly [name: string, stored: string, wanted: string])[]
  onKeep: () => void
  onSave: () => void
  onClose: () => void
}

/** Two people changed one thing at once: both sides, and a choice. */
export function Conflict({ name, children, sides, onKeep, onSave, onClose }: ConflictProps) {
  return (
    <Dialog
      title="Someone else was faster"
      onClose={onClose}
      alert
      foot={
        <>
          <Button onClick={singleClick(onKeep)}>Keep what is saved</Button>
          <Button look="line" onClick={singleClick(onSave)}>
            Save my change
          </Button>
        </>
      }
    >
      <p>
        <b>{name}</b> was changed{children ?? ' before your change arrived'}. Nothing of yours is
        saved yet.
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
          {sides.map(([name, stored, wanted]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{stored}</td>
              <td>{wanted === stored ? 'the same' : <b>{wanted}</b>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
