import type { ComponentProps } from 'react'
import styles from './choice.module.css'

interface Props extends ComponentProps<'input'> {
  label: string
  /** Below the label. */
  says?: string | undefined
}

/** A checkbox with its label; or a radio button, by `type`. */
export const Choice = ({ label, says, ...input }: Props) => (
  <label className={styles.choice}>
    <input type="checkbox" {...input} />
    <span>
      {label}
      {says && <small>{says}</small>}
    </span>
  </label>
)
