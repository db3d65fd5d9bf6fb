import { useSyncExternalStore } from 'react'

/** A value that lives outside the components, one for the page. */
export const createStore = <Value>(initial: Value) => {
  let value = initial
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    get: (): Value => value,
    set: (next: Value): void => {
      value = next
      for (const listener of listeners) listener()
    },
    /** The value, in a component that follows it. */
    use: (): Value => useSyncExternalStore(subscribe, () => value),
    /** A part of the value, in a component that follows that part alone. */
    useSome: <Part>(select: (value: Value) => Part): Part =>
      useSyncExternalStore(subscribe, () => select(value)),
  }
}
