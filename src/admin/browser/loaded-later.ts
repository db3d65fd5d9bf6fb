import type { ComponentType } from 'react'
import { createStore } from './store.ts'

/**
 * A component in a file of its own that is loaded before it is needed, so that it is drawn at once.
 * A failure is the caller's to tell, and the next call tries again.
 */
export const loadedLater = <Props>(load: () => Promise<ComponentType<Props>>) => {
  const component = createStore<ComponentType<Props> | undefined>(undefined)
  return {
    load: async (): Promise<void> => {
      if (!component.get()) component.set(await load())
    },
    isLoaded: (): boolean => component.get() !== undefined,
    /** Undefined until it is loaded. */
    use: component.use,
  }
}
