import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { densities, type Settings } from '#contract/accounts/settings.ts'
import type { Group } from '#contract/inbox.ts'
import { createStore } from '../browser/store.ts'
import { readAll, write } from '../record/device.ts'
import { settingsQuery } from '../session/settings-query.ts'

/** How lists are shown on this device: the density before the person's own settings are there. */

export type Density = Settings['density']

interface Preferences {
  density: Density
  /** The groups that somebody has collapsed or opened. */
  collapsed: Partial<Record<Group, boolean>>
}

const preferences = createStore<Preferences>({ density: 'compact', collapsed: {} })

/** Whether the density was set since the page was loaded, by hand or by the person's settings. */
let isSet = false

readAll('preferences', (stored) => {
  const before = preferences.get()
  const density = densities.find((value) => value === stored.get('density'))
  const collapsed = Object.fromEntries(
    [...stored].flatMap(([key, value]) =>
      key.startsWith('collapsed:') ? [[key.slice('collapsed:'.length), value === 'yes']] : [],
    ),
  )
  // What was set while this device's store was opened is newer.
  preferences.set({
    density: isSet ? before.density : (density ?? before.density),
    collapsed: { ...collapsed, ...before.collapsed },
  })
})

export const usePreferences = preferences.use

/** Takes the density from the person's settings, once they may be asked for. */
export const useOwnDensity = (mayAsk: boolean): void => {
  const { data } = useQuery({
    ...settingsQuery,
    enabled: mayAsk,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const density = data?.density
  useEffect(() => {
    if (density) setDensity(density)
  }, [density])
}

export const setDensity = (density: Density): void => {
  isSet = true
  if (density === preferences.get().density) return
  preferences.set({ ...preferences.get(), density })
  write('preferences', 'density', density)
}

export const setCollapsed = (group: Group, isCollapsed: boolean): void => {
  const before = preferences.get()
  preferences.set({ ...before, collapsed: { ...before.collapsed, [group]: isCollapsed } })
  write('preferences', `collapsed:${group}`, isCollapsed ? 'yes' : 'no')
}
