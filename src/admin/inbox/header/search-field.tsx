import { type FormEvent, useEffect, useRef, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { focusMain } from '../../browser/focus-main.ts'
import { Icon } from '../../components/icon.tsx'
import { Key } from '../../components/key.tsx'
import styles from './header.module.css'
import type { HeaderProps } from './header.tsx'

const searchDelayMs = 250

export function SearchField({ view, search, onChange, field }: HeaderProps) {
  const [text, setText] = useState(search.q ?? '')
  const timer = useRef(0)

  // The URL decides: Back and links set the field too.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(search.q ?? '')
  }, [search.q, field])

  // A search that still waits would lead back here from another screen.
  useEffect(() => () => clearTimeout(timer.current), [])

  const look = (next: string) => {
    clearTimeout(timer.current)
    const q = next.trim() || undefined
    if (q !== search.q) onChange({ q, id: undefined }, { q: true, replace: search.q !== undefined })
  }

  return (
    <search className={styles.find}>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          look(text)
        }}
      >
        <Icon name="find" />
        <input
          ref={field}
          type="search"
          aria-label={view.texts.search}
          placeholder="Name, email or message"
          maxLength={limits.search}
          value={text}
          onChange={(event) => {
            const next = event.target.value
            setText(next)
            clearTimeout(timer.current)
            timer.current = window.setTimeout(() => look(next), searchDelayMs)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') focusMain()
          }}
        />
        <Key of="/" />
      </form>
    </search>
  )
}
