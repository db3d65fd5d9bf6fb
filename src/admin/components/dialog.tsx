import { type ReactNode, useEffect, useId, useRef } from 'react'
import { focusMain } from '../browser/focus-main.ts'
import { Button, Cancel } from './button.tsx'
import styles from './dialog.module.css'

/** Opens a dialog for as long as it is rendered; focus goes back to where it was, or to the screen. */
export const useModal = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    if (element && !element.open) element.showModal()
    return () => {
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
      if (document.activeElement === document.body) focusMain()
    }
  }, [])
  return dialog
}

interface Props {
  title: string
  children: ReactNode
  /** The buttons below a list: they stay in sight while it scrolls. */
  foot?: ReactNode
  /** Null while Escape would lose what is shown, or what is under way. */
  onClose: (() => void) | null
  alert?: boolean
}

/**
 * A native modal dialog that is open for as long as it is rendered. The platform keeps focus inside
 * and gives it back to where it was.
 */
export function Dialog({ title, children, foot, onClose, alert = false }: Props) {
  const dialog = useModal()
  const heading = useId()

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      tabIndex={-1}
      // Without it, Chromium closes the dialog at a second Escape.
      closedby={onClose ? undefined : 'none'}
      aria-labelledby={heading}
      role={alert ? 'alertdialog' : undefined}
      onCancel={(event) => {
        event.preventDefault()
        // In React this event bubbles: Escape in an inner dialog must not close the outer one.
        event.stopPropagation()
        onClose?.()
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
      {foot && <div className={`${styles.actions} ${styles.foot}`}>{foot}</div>}
    </dialog>
  )
}

export interface Question {
  title: string
  question: string
  note?: string | undefined
  action: string
  onConfirm: () => void
}

export function Confirm({
  title,
  question,
  note,
  action,
  onConfirm,
  onClose,
}: Question & { onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose} alert>
      <p>{question}</p>
      {note && <p>{note}</p>}
      <div className={styles.actions}>
        <Button
          look="line danger"
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {action}
        </Button>
        <Cancel onClick={onClose} />
      </div>
    </Dialog>
  )
}
