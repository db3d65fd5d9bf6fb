import type { ButtonHTMLAttributes, ComponentProps } from 'react'
import { Button as SiteButton } from '#ui/button.tsx'
import styles from './button.module.css'

export const Button = (props: ComponentProps<typeof SiteButton>) => <SiteButton small {...props} />

interface CloseProps {
  /** Null while it must wait. */
  onClick: (() => void) | null
  children?: string
}

export const Close = ({ onClick, children = 'Close' }: CloseProps) => (
  <Button look="line" busy={!onClick && children} onClick={onClick ?? undefined}>
    {children}
  </Button>
)

/** The button that ends a form without its action. */
export const Cancel = ({ onClick }: CloseProps) => <Close onClick={onClick}>Cancel</Close>

interface LinkButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The rest of the button's name for screen readers. */
  on?: string
  /** True while the action runs: the button keeps the focus and ignores clicks. */
  busy?: boolean
}

export const LinkButton = ({
  on,
  busy,
  onClick,
  className,
  children,
  ...rest
}: LinkButtonProps) => (
  <button
    type="button"
    className={className ? `${styles.link} ${className}` : styles.link}
    aria-disabled={busy || undefined}
    onClick={busy ? undefined : onClick}
    {...rest}
  >
    {children}
    {on && <span className="visually-hidden"> {on}</span>}
  </button>
)
