import { type KeyboardEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import styles from './menu.module.css'

const step: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

interface Props {
  label: ReactNode
  /** The accessible name of the button, if the label does not say it. */
  name?: string
  className?: string | undefined
  button?: Ref<HTMLButtonElement>
  /** Drawn while it is open. */
  children: () => ReactNode
}

/**
 * A button and the choices that it opens: a native popover, which the browser closes on Escape, on a click
 * elsewhere, and after a choice; a form in it closes it by itself. Arrow keys move between the choices.
 */
export function Menu({ label, name, className, button, children }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)

  const move = (event: KeyboardEvent) => {
    const by = step[event.key]
    if (!by || (event.target instanceof HTMLElement && event.target.matches('input'))) return
    event.preventDefault()
    const choices = [...(list.current?.querySelectorAll<HTMLElement>('button, a, input') ?? [])]
    const at = choices.findIndex((choice) => choice.matches(':focus'))
    choices.at((at + by) % choices.length)?.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        popoverTarget={id}
        aria-label={name}
        aria-expanded={open}
      >
        {label}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only moves the focus between its choices */}
      <div
        id={id}
        ref={list}
        popover="auto"
        className={styles.menu}
        onToggle={(event) => {
          flushSync(() => setOpen(event.newState === 'open'))
          if (event.newState === 'open')
            list.current?.querySelector<HTMLElement>('button, a')?.focus()
        }}
        onKeyDown={move}
        onClick={(event) => {
          if (
            event.target instanceof Element &&
            event.target.closest('button:not([type="submit"]), a')
          )
            list.current?.hidePopover()
        }}
      >
        {open && children()}
      </div>
    </>
  )
}
