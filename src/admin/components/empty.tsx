import type { ReactNode } from 'react'
import styles from './empty.module.css'

/** A list that holds nothing: says so, and what can be done next. */
export function Empty({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{text}</p>
      {children && <p className={styles.next}>{children}</p>}
    </div>
  )
}
