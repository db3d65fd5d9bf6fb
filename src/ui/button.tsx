import '#styles/button.css'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconShape } from './icons.ts'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The orange block by default; `danger` for actions that cannot be undone. */
  look?: 'line' | 'line danger'
  small?: boolean
  icon?: IconShape
  /** The label while the action runs: the button keeps the focus and ignores clicks. False when none runs. */
  busy?: ReactNode
}

/** A button that names its action while it runs. */
export const Button = ({
  look,
  small,
  icon,
  busy = false,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: Props) => (
  <button
    {...rest}
    type={type}
    aria-disabled={Boolean(busy) || undefined}
    onClick={busy ? (event) => event.preventDefault() : onClick}
    className={['btn', look, small && 'small', className].filter(Boolean).join(' ')}
  >
    {busy || children}
    {icon && !busy && <Icon shape={icon} />}
  </button>
)
