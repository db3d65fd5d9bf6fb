import { createStore } from '../browser/store.ts'
import type { ScreenPath } from '../screens.ts'

/** The parts of the URL, without the characters that separate them; no slash ends the path. */
export interface Location {
  path: string
  search: string
  hash: string
}

/** A screen of the admin with what its URL holds. */
export interface Target {
  to: ScreenPath
  /** Texts by name; what is undefined or empty is left out. */
  search?: object | undefined
  hash?: string | undefined
}

interface Navigation {
  /** Takes the present entry's place in the history. */
  replace?: boolean
  /** Leaves the window where it is scrolled to. */
  keepScroll?: boolean
}

/** The entry of the table of screens for a location. */
export interface Route {
  /** Another URL to show in its place. */
  redirect: string | undefined
  /** Loads the screen's code; undefined where it is loaded already. */
  preload(): Promise<unknown> | undefined
}

const read = (): Location => ({
  path: location.pathname.replace(/(?<=.)\/$/, ''),
  search: location.search.slice(1),
  hash: location.hash.slice(1),
})

export interface Shown extends Location {
  /** True if the window goes to the top of what is shown. */
  toTop: boolean
}

const shown = createStore<Shown | undefined>(undefined)

/** The location that is drawn, once its screen's code is loaded; undefined before the first. */
export const useShown = shown.use

/** A part of the location, in a component of a screen. */
export const useLocation = <Part>(part: (location: Location) => Part): Part => {
  const location = shown.use()
  if (!location) throw new Error('Nothing is shown yet')
  return part(location)
}

/** The parameters of a location's search, as text: `?assignee=2024` is a name, not a number. */
export const parametersOf = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search))

let routeAt: (location: Location) => Route | undefined = () => undefined
let latest = 0

const show = async (toTop: boolean): Promise<void> => {
  latest += 1
  const own = latest
  const next = read()
  const route = routeAt(next)
  if (route?.redirect !== undefined) return navigate(route.redirect, { replace: true })
  const loading = route?.preload()
  // A failure is told by the screen when it is drawn.
  if (loading) await loading.catch(() => undefined)
  // Another navigation began meanwhile.
  if (own === latest) shown.set({ ...next, toTop })
}

/** Loads the code of the current screen once more, after a failure. */
export const showAgain = (): Promise<void> => show(false)

/** Begins to follow the URL, with the table of screens. */
export const followUrl = (table: typeof routeAt): void => {
  routeAt = table
  // The browser restores the scroll position of an entry of the history.
  addEventListener('popstate', () => void show(false))
  void show(false)
}

export const urlOf = ({ to, search = {}, hash }: Target): string => {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) if (value) params.set(key, String(value))
  return `${to}${params.size > 0 ? `?${params}` : ''}${hash ? `#${hash}` : ''}`
}

/** Goes to a screen, or to a URL of the admin; resolves when it is shown. */
export const navigate = (
  target: Target | string,
  { replace = false, keepScroll = false }: Navigation = {},
): Promise<void> => {
  const url = typeof target === 'string' ? target : urlOf(target)
  const isSame = url === `${location.pathname}${location.search}${location.hash}`
  if (replace || isSame) history.replaceState(null, '', url)
  else history.pushState(null, '', url)
  return show(!keepScroll)
}

/** Loads the code of a screen that is likely to be opened next. */
export const preload = (to: ScreenPath): void => {
  void routeAt({ path: to, search: '', hash: '' })
    ?.preload()
    ?.catch(() => undefined)
}
