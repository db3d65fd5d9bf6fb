import type { ReactNode } from 'react'
import { useFocusAt } from '../components/form.tsx'
import { BrandMark, Icon } from '../components/icon.tsx'
import { TextLink } from '../components/text-link.tsx'
import type { ScreenPath } from '../screens.ts'
import { ThemeSwitch } from '../shell/shell.tsx'
import { site } from '../site.ts'
import styles from './login.module.css'

export interface Problem {
  text: string
  advice?: string
}

interface Props {
  title: string
  say: ReactNode
  /** A new object each time, so that the same message takes focus again. */
  problem: Problem | null
  children: ReactNode
}

/** The frame of the screens before the sign-in: what they are for, what went wrong, and their form. */
export function AuthPage({ title, say, problem, children }: Props) {
  const banner = useFocusAt<HTMLDivElement>(problem)
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <a href="/" aria-label={`${site.name}, home`}>
          <BrandMark />
          {site.name}
        </a>
        <ThemeSwitch />
      </header>
      <main className={styles.main}>
        <svg className={styles.path} viewBox="0 0 320 90" aria-hidden="true">
          <path d="M2 86C70 86 96 18 170 18c58 0 76 34 132 24" />
          <path className={styles.waypoint} d="m301 33 9 15h-18Z" />
        </svg>
        <h1>{title}</h1>
        <p className={styles.say}>{say}</p>
        {problem && (
          <div className={styles.problem} role="alert" tabIndex={-1} ref={banner}>
            <Icon name="warn" />
            <p>
              <b>{problem.text}</b> {problem.advice}
            </p>
          </div>
        )}
        {children}
      </main>
    </div>
  )
}

export const OtherScreen = ({ to, children }: { to: ScreenPath; children: string }) => (
  <p className={styles.more}>
    <TextLink to={to}>{children}</TextLink>
  </p>
)
