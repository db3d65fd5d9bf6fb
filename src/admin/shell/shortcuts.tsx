import { useNavigate } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createStore } from '../browser/store.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import styles from './shortcuts.module.css'

/** Single keys that do what a click does. They can be switched off, and never act while typing. */

type Commands = Record<string, (() => unknown) | undefined>

const layers = new Set<{ current: Commands }>()

/** Gives keys a meaning for as long as the calling screen is drawn. */
export const useShortcuts = (commands: Commands): void => {
  const layer = useRef(commands)
  useLayoutEffect(() => {
    layer.current = commands
  })
  useLayoutEffect(() => {
    layers.add(layer)
    return () => {
      layers.delete(layer)
    }
  }, [])
}

const storageKey = 'shortcuts'
const areOn = createStore(localStorage.getItem(storageKey) !== 'off')

const turn = (on: boolean): void => {
  localStorage.setItem(storageKey, on ? 'on' : 'off')
  areOn.set(on)
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))

// After `g`, the letter has to follow within this time.
const chordMs = 1_500
/** Events are counted from the page's start, so zero would be the past second. */
const never = Number.NEGATIVE_INFINITY

const screens = {
  d: '/admin/dashboard',
  c: '/admin/consultations',
  a: '/admin/applications',
  m: '/admin/contacts',
  u: '/admin/users',
} as const

const isScreen = (key: string): key is keyof typeof screens => key in screens

const list: [keys: string, meaning: string][] = [
  ['j / k', 'next / previous record'],
  ['Enter', 'open the record'],
  ['Esc', 'close the record, or clear the selection'],
  ['x', 'select the record'],
  ['e', 'next status'],
  ['a', 'assign'],
  ['r', 'reply to the sender'],
  ['t', 'saved answers'],
  ['n', 'write a note'],
  ['h', 'set aside until later'],
  ['Ctrl/⌘ Enter', 'send, or save the note'],
  ['#', 'delete'],
  ['z', 'undo'],
  ['/', 'search'],
  ['g d', 'go to the dashboard'],
  ['g c', 'go to consultations'],
  ['g a', 'go to applications'],
  ['g m', 'go to contacts'],
  ['g u', 'go to users'],
  ['?', 'this list'],
]

const isListOpen = createStore(false)

export const showShortcuts = (): void => isListOpen.set(true)

const hideShortcuts = (): void => isListOpen.set(false)

/** Listens for the keys, and draws their list when asked. */
export function Shortcuts() {
  const on = areOn.use()
  const open = isListOpen.use()
  const navigate = useNavigate()
  const chordSince = useRef(never)

  useEffect(() => {
    if (!on) return
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return
      const { key } = event
      // It closes what is open above the screen first.
      if (key === 'Escape' && document.querySelector(':popover-open')) return
      const inChord = event.timeStamp - chordSince.current < chordMs
      chordSince.current = never
      if (inChord && isScreen(key)) {
        event.preventDefault()
        void navigate({ to: screens[key] })
        return
      }
      if (key === 'g') {
        chordSince.current = event.timeStamp
        return
      }
      if (key === '?') {
        event.preventDefault()
        showShortcuts()
        return
      }
      const command = [...layers].reverse().find((layer) => layer.current[key])?.current[key]
      if (!command) return
      event.preventDefault()
      command()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [on, navigate])

  if (!open) return null
  return (
    <Dialog title="Keyboard" onClose={hideShortcuts}>
      <label className={styles.switch}>
        <input type="checkbox" checked={on} onChange={(event) => turn(event.target.checked)} />
        Use single-key shortcuts on this device
      </label>
      <dl className={styles.keys}>
        {list.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys
                .split(' ')
                .map((part) =>
                  part === '/' && keys !== '/' ? ' / ' : <kbd key={part}>{part}</kbd>,
                )}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Button look="line" onClick={hideShortcuts}>
        Close
      </Button>
    </Dialog>
  )
}
