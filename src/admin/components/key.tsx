import type { ComponentProps } from 'react'

/** The key that does the same as the control it stands in: for eyes, not for screen readers. */
export function Key({ of }: { of: string }) {
  return (
    <span aria-hidden="true">
      <kbd>{of}</kbd>
    </span>
  )
}

interface KeyButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  label: string
  /** The key that does the same. */
  of?: string | undefined
}

/** A bare button: its label, and its key where it has one. */
export const KeyButton = ({ label, of, ...button }: KeyButtonProps) => (
  <button type="button" {...button}>
    {label}
    {of && <Key of={of} />}
  </button>
)
