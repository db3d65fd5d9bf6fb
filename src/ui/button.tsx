import '#styles/button.css'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconShape } from './icons.ts'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The orange block when left out; `danger` for what cannot be taken back. */
  look?: 'line' | 'line danger'
  small?: boolean
  icon?: IconShape
  /** What the button says, disabled, while its work is on the way; false when it is not. */
  busy?: ReactNode
}

/** A button that says what it is doing while it does it. */
export const Button = ({
  look,
  small,
  icon,
  busy = false,
  type = 'button',
  className,
  disabled,
  children,
  ...rest
}: Props) => (
  <button
    {...rest}
    type={type}
    disabled={disabled || Boolean(busy)}
    className={['btn', look, small && 'sm', className].filter(Boolean).join(' ')}
  >
    {busy || children}
    {icon && !busy && <Icon shape={icon} />}
  </button>
)
