import '#styles/button.css'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconShape } from './icons.ts'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The orange block by default; `danger` for actions that cannot be undone. */
  look?: 'line' | 'line danger'
  small?: boolean
  icon?: IconShape
  /** The label of the disabled button while its action runs; false when none runs. */
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
  disabled,
  children,
  ...rest
}: Props) => (
  <button
    {...rest}
    type={type}
    disabled={disabled || Boolean(busy)}
    className={['btn', look, small && 'small', className].filter(Boolean).join(' ')}
  >
    {busy || children}
    {icon && !busy && <Icon shape={icon} />}
  </button>
)
