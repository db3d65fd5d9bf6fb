import { createStore } from './store.ts'

/**
 * A component, or several, in a file of its own that is loaded before it is needed, so that it is drawn at once.
 * A failure is the caller's to tell, and the next call tries again.
 */
export const loadedLater = <Parts>(load: () => Promise<Parts>) => {
  const parts = createStore<Parts | undefined>(undefined)
  return {
    load: async (): Promise<void> => {
      if (!parts.get()) parts.set(await load())
    },
    isLoaded: (): boolean => parts.get() !== undefined,
    /** Undefined until it is loaded. */
    use: parts.use,
  }
}
