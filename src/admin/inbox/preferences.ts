import { createStore } from '../browser/store.ts'
import { readAll, write } from './device.ts'
import type { Group } from './list/sections.ts'

/** How lists are shown on this device. */

const densities = ['compact', 'comfortable'] as const
export type Density = (typeof densities)[number]

interface Preferences {
  density: Density
  /** The groups that somebody has collapsed or opened. */
  collapsed: Partial<Record<Group, boolean>>
}

const preferences = createStore<Preferences>({ density: 'compact', collapsed: {} })

readAll('preferences', (stored) => {
  const density = densities.find((value) => value === stored.get('density')) ?? 'compact'
  const collapsed = Object.fromEntries(
    [...stored].flatMap(([key, value]) =>
      key.startsWith('collapsed:') ? [[key.slice('collapsed:'.length), value === 'yes']] : [],
    ),
  )
  preferences.set({ density, collapsed })
})

export const usePreferences = preferences.use

export const setDensity = (density: Density): void => {
  preferences.set({ ...preferences.get(), density })
  write('preferences', 'density', density)
}

export const setCollapsed = (group: Group, isCollapsed: boolean): void => {
  const before = preferences.get()
  preferences.set({ ...before, collapsed: { ...before.collapsed, [group]: isCollapsed } })
  write('preferences', `collapsed:${group}`, isCollapsed ? 'yes' : 'no')
}
