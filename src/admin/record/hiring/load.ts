import { createStore } from '../../browser/store.ts'
import type { KindView } from '../kinds/kind-view.ts'

type Parts = typeof import('./parts.tsx')['parts']

const loaded = createStore<Parts | null>(null)

/** Loads what the pane of this kind has beside that of any record. A failure is the caller's to tell. */
export const loadHiring = async ({ kind }: KindView): Promise<void> => {
  if (kind === 'applications' && !loaded.get()) loaded.set((await import('./parts.tsx')).parts)
}

/** Null for other kinds, undefined until they are loaded. */
export const useHiring = ({ kind }: KindView): Parts | null | undefined => {
  const parts = loaded.use()
  return kind === 'applications' ? (parts ?? undefined) : null
}
