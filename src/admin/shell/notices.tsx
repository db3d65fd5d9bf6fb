import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { createStore } from '../browser/store.ts'
import { Icon } from '../components/icon.tsx'
import { Key } from '../components/key.tsx'
import { sentenceOf } from '../session/session.ts'
import styles from './notices.module.css'

/** A line about what just happened, read out by assistive technology, perhaps with a way back. */
export interface Notice {
  text: string
  /** Counts down to it, after the text. */
  leavesAt?: number
  tone?: 'bad'
  action?: { label: string; key?: string; run: () => void }
}

const notice = createStore<Notice | null>(null)

export const notify = (next: Notice): void => notice.set(next)
export const dismissNotice = (): void => notice.set(null)

const say = (failed: string) => (error: unknown) =>
  notify({ text: sentenceOf(error, failed), tone: 'bad' })

/** Does it; what went wrong is shown as a notice. */
export const attempt = (work: () => Promise<void>, failed: string): Promise<void> =>
  work().catch(say(failed))

/** The same as a mutation, for a button that follows it. */
export const useAction = <Input = void>(work: (input: Input) => Promise<unknown>, failed: string) =>
  useMutation({ mutationFn: work, onError: say(failed) })

// Long enough to read and to reach by keyboard; `z` still undoes afterwards.
const lifeMs = 12_000

export const secondsUntil = (at: number): number =>
  Math.max(0, Math.ceil((at - Date.now()) / 1_000))

export const useSecondsUntil = (at: number): number => {
  const [left, setLeft] = useState(() => secondsUntil(at))
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(at)), 500)
    return () => clearInterval(timer)
  }, [at])
  return left
}

function Leaves({ at }: { at: number }) {
  const [first] = useState(() => secondsUntil(at))
  const left = useSecondsUntil(at)
  return (
    <>
      <span className="visually-hidden"> leaves in {first} s</span>
      <span aria-hidden="true">{left > 0 ? ` leaves in ${left} s` : ' has left'}</span>
    </>
  )
}

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

  // A notice must not cover the field or button that has focus.
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!current) return
    const keepClear = () => {
      const element = place.current
      const shown = element?.querySelector(`.${styles.notice}`)
      const focused = document.activeElement
      if (!element || !shown || !focused || element.contains(focused)) return
      element.removeAttribute('data-top')
      const a = shown.getBoundingClientRect()
      const b = focused.getBoundingClientRect()
      const isOver = a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
      // A scrolling region that has focus is larger than any field.
      element.toggleAttribute('data-top', isOver && b.height < innerHeight / 2)
    }
    keepClear()
    document.addEventListener('focusin', keepClear)
    return () => document.removeEventListener('focusin', keepClear)
  }, [current])

  return (
    <div ref={place} className={styles.place}>
      <div role="status" aria-live="polite">
        {current && (
          <div className={`${styles.notice} ${current.tone === 'bad' ? styles.bad : ''}`}>
            <span>
              {current.text}
              {current.leavesAt && <Leaves at={current.leavesAt} />}
            </span>
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
