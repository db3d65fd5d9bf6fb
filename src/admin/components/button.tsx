import type { ButtonHTMLAttributes, ComponentProps } from 'react'
import { Button as SiteButton } from '#ui/button.tsx'
import styles from './button.module.css'

/** A button at the admin's size. */
export const Button = (props: ComponentProps<typeof SiteButton>) => <SiteButton small {...props} />

/** The button that ends a form or dialog without its action. */
export const Cancel = ({ onClick }: { onClick: () => void }) => (
  <Button look="line" onClick={onClick}>
    Cancel
  </Button>
)

interface LinkButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The rest of the button's name for screen readers. */
  on?: string
}

/** A button that looks like a link. */
export const LinkButton = ({ on, className, children, ...rest }: LinkButtonProps) => (
  <button
    type="button"
    className={className ? `${styles.link} ${className}` : styles.link}
    {...rest}
  >
    {children}
    {on && <span className="visually-hidden"> {on}</span>}
  </button>
)
