import { useEffect } from 'react'
import { createStore } from '../browser/store.ts'
import { Icon } from '../components/icon.tsx'
import { Key } from '../components/key.tsx'
import styles from './notices.module.css'

/** A line about what just happened, read out by assistive technology, perhaps with a way back. */
export interface Notice {
  text: string
  tone?: 'plain' | 'bad'
  action?: { label: string; key?: string; run: () => void }
}

const notice = createStore<Notice | null>(null)

export const notify = (next: Notice): void => notice.set(next)
export const dismissNotice = (): void => notice.set(null)

// Long enough to read and to reach by keyboard; `z` still undoes afterwards.
const lifeMs = 12_000

/** The place of notices: always in the page, so that what enters it is announced. */
export function Notices() {
  const current = notice.use()

  useEffect(() => {
    if (!current) return
    const timer = setTimeout(() => {
      // A notice that someone points at or has reached stays.
      if (!document.querySelector(`.${styles.notice}:is(:hover, :focus-within)`)) dismissNotice()
    }, lifeMs)
    return () => clearTimeout(timer)
  }, [current])

  return (
    <div className={styles.place}>
      <div role="status" aria-live="polite">
        {current && (
          <div className={`${styles.notice} ${current.tone === 'bad' ? styles.bad : ''}`}>
            <span>{current.text}</span>
            {current.action && (
              <button type="button" className={styles.action} onClick={current.action.run}>
                {current.action.label}
                {current.action.key && <Key of={current.action.key} />}
              </button>
            )}
            <button
              type="button"
              className={styles.close}
              aria-label="Dismiss"
              onClick={dismissNotice}
            >
              <Icon name="close" />
            </button>
          </div>
        )}
      </div>
    </div>
  )
}
