import { createContext, use } from 'react'
import { may, type Role } from '#contract/http/access.ts'
import { type KindPath, kindPaths } from '#contract/inbox.ts'
import type { ListedScreen, Screen } from '../screens.ts'

/** The table of screens, handed down: screens that imported it would import one another. */
export const Screens = createContext<readonly ListedScreen[]>([])

export const useScreens = (): readonly ListedScreen[] => use(Screens)

export const mayOpen = (role: Role, { right }: Pick<Screen, 'right'>): boolean =>
  right === 'public' || may(role, right)

/** The screen of the bar and those under it, where a path is one of them; otherwise none. */
export const familyAt = (path: string, screens: readonly ListedScreen[]): ListedScreen[] => {
  const under = screens.find((screen) => screen.path === path)?.under ?? path
  const family = screens.filter((screen) => screen.path === under || screen.under === under)
  return family.length > 1 ? family : []
}

/** The inbox of a screen's records, where it is one. */
export const inboxAt = (path: string): KindPath | undefined =>
  kindPaths.find((kind) => path === `/admin/${kind}`)
