import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Settings } from '#contract/accounts/settings.ts'
import type { Group } from '#contract/inbox.ts'
import { createStore } from '../browser/store.ts'
import { settingsQuery } from '../session/settings-query.ts'

/** This tab's look of lists: the density before the person's own settings are there. */

export type Density = Settings['density']

interface Preferences {
  density: Density
  /** The groups that somebody has collapsed or opened. */
  collapsed: Partial<Record<Group, boolean>>
}

const storageKey = 'lists'

const stored = (): Partial<Preferences> => {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
  } catch {
    return {}
  }
}

const preferences = createStore<Preferences>({ density: 'compact', collapsed: {}, ...stored() })

const keep = (changed: Partial<Preferences>): void => {
  preferences.set({ ...preferences.get(), ...changed })
  sessionStorage.setItem(storageKey, JSON.stringify(preferences.get()))
}

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
  if (density !== preferences.get().density) keep({ density })
}

export const setCollapsed = (group: Group, isCollapsed: boolean): void =>
  keep({ collapsed: { ...preferences.get().collapsed, [group]: isCollapsed } })
