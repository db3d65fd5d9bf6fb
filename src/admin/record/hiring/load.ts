import { loadedLater } from '../../browser/loaded-later.ts'
import type { KindView } from '../kinds/kind-view.ts'

const parts = loadedLater(async () => (await import('./parts.tsx')).parts)

/** Loads what the pane of this kind has beside that of any record. A failure is the caller's to tell. */
export const loadHiring = async ({ kind }: KindView): Promise<void> => {
  if (kind === 'applications') await parts.load()
}

/** Null for other kinds, undefined until they are loaded. */
export const useHiring = ({ kind }: KindView) => {
  const loaded = parts.use()
  return kind === 'applications' ? loaded : null
}
