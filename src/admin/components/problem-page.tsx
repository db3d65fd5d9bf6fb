import type { ReactNode } from 'react'
import styles from './problem-page.module.css'

/** Full-screen error: the problem, and the next step. */
export function ProblemPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.page}>
      <svg viewBox="0 0 240 64" aria-hidden="true">
        <path className={styles.path} d="M4 56C50 10 96 8 128 30" />
        <path className={styles.gap} d="m150 20 16 16m0-16-16 16" />
        <path className={styles.path} d="M186 44c18 10 34 12 50 6" />
      </svg>
      <h1>{title}</h1>
      {children}
    </section>
  )
}
