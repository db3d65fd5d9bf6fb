import { createStore } from './store.ts'
import { watchMedia } from './use-media.ts'

type Theme = 'light' | 'dark'

const useIsSystemDark = watchMedia('(prefers-color-scheme: dark)')

/** The chosen theme, set on the page before it is drawn; undefined follows the system. */
const chosen = createStore(
  (['light', 'dark'] as const).find((theme) => theme === document.documentElement.dataset.theme),
)

const choose = (theme: Theme): void => {
  document.documentElement.dataset.theme = theme
  localStorage.setItem('theme', theme)
  chosen.set(theme)
}

export const useTheme = (): { theme: Theme; toggle: () => void } => {
  const system = useIsSystemDark() ? 'dark' : 'light'
  const theme = chosen.use() ?? system
  return { theme, toggle: () => choose(theme === 'dark' ? 'light' : 'dark') }
}
