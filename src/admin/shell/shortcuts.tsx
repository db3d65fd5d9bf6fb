import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { IconName } from '#ui/all-icons.ts'
import { createStore } from '../browser/store.ts'
import { navigate, useLocation } from '../router/location.ts'
import { useProfile } from '../session/profile.ts'
import { settingsQuery } from '../session/settings-query.ts'
import { inboxAt, mayOpen, useScreens } from './navigation.ts'
import { openOverlay } from './overlay.ts'

/**
 * A screen's commands, by keys and in the palette. Single keys do what a click does; they can be
 * switched off, and never act while typing.
 */

type Shortcuts = Record<string, (() => unknown) | undefined>

/** An action on what is open, in the palette and by its key. */
export interface Command {
  label: string
  run: () => unknown
  key?: string
  icon?: IconName
}

interface Layer {
  keys: Shortcuts
  /** The subject of the commands, as the heading of their group: "With Ada Sample". */
  group?: string
  commands?: readonly Command[]
  /** Commands for the selected records, listed before those for the open one. */
  goesFirst?: boolean
}

const layers = new Set<{ current: Layer }>()

const useLayer = (wanted: Layer): void => {
  const layer = useRef(wanted)
  useLayoutEffect(() => {
    layer.current = wanted
  })
  useLayoutEffect(() => {
    layers.add(layer)
    return () => {
      layers.delete(layer)
    }
  }, [])
}

/** Gives keys a meaning for as long as the calling screen is drawn. */
export const useShortcuts = (keys: Shortcuts, goesFirst = false): void =>
  useLayer({ keys, goesFirst })

/** The same with a name, so that the palette offers it too. */
export const useCommands = (
  group: string,
  commands: readonly Command[],
  { goesFirst = false } = {},
): void => {
  const keys = Object.fromEntries(commands.flatMap(({ key, run }) => (key ? [[key, run]] : [])))
  useLayer({ keys, group, commands, goesFirst })
}

/** The latest last, and after them those that go first. */
const inOrder = (): Layer[] =>
  [...layers]
    .map(({ current }) => current)
    .toSorted((a, b) => Number(a.goesFirst ?? false) - Number(b.goesFirst ?? false))

/** Possible commands by group: first for the selected records, then for the open one. */
export const commandGroups = (): Map<string, Command[]> => {
  const groups = new Map<string, Command[]>()
  for (const current of inOrder().reverse())
    if (current.group !== undefined)
      groups.set(current.group, [...(groups.get(current.group) ?? []), ...(current.commands ?? [])])
  return groups
}

/** Does what a key does now; whether it does anything. */
export const pressKey = (key: string): boolean => {
  const command = inOrder().findLast(({ keys }) => keys[key])?.keys[key]
  command?.()
  return command !== undefined
}

const storageKey = 'shortcuts'
const areOn = createStore(localStorage.getItem(storageKey) !== 'off')

export const useShortcutsAreOn = areOn.use

export const switchShortcuts = (on: boolean): void => {
  localStorage.setItem(storageKey, on ? 'on' : 'off')
  areOn.set(on)
}

/** Keys that go on while they are held; a held key does nothing else twice. */
const repeating = new Set(['j', 'k'])

/** True if keys are text there. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))

// After `g`, the letter has to follow within this time.
const chordMs = 1_500
/** Events are counted from the page's start, so zero would be the past second. */
const never = Number.NEGATIVE_INFINITY

const general: Shortcuts = {
  '?': () => openOverlay('keys'),
  '.': () => openOverlay('palette'),
  '/': () => openOverlay('palette'),
}

/** True if the keys act: switched on on this device, and not off for the account. */
const useKeysAct = (): boolean => {
  const isInList = useLocation(({ path }) => inboxAt(path) !== undefined)
  // A list asks by itself, once it is drawn.
  const { data } = useQuery({
    ...settingsQuery,
    enabled: !isInList,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return areOn.use() && data?.shortcuts !== false
}

export function ShortcutKeys() {
  const on = useKeysAct()
  const screens = useScreens()
  const { role } = useProfile()
  const chordSince = useRef(never)

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!isPalette || event.altKey || event.shiftKey || document.querySelector('dialog[open]'))
        return
      event.preventDefault()
      openOverlay('palette')
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  useEffect(() => {
    if (!on) return
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return
      const { key } = event
      if (event.repeat && !repeating.has(key)) return
      // It closes what is open above the screen first.
      if (key === 'Escape' && document.querySelector(':popover-open')) return
      const inChord = event.timeStamp - chordSince.current < chordMs
      chordSince.current = never
      const screen = inChord && screens.find((one) => one.key === key && mayOpen(role, one))
      if (screen) {
        event.preventDefault()
        void navigate({ to: screen.path })
        return
      }
      if (key === 'g') {
        chordSince.current = event.timeStamp
        return
      }
      if (pressKey(key)) event.preventDefault()
      else if (general[key]) {
        event.preventDefault()
        general[key]()
      }
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [on, screens, role])

  return null
}
