import { type ComponentType, type ReactNode, Suspense, use } from 'react'

interface LazyComponent<Props> {
  (props: Props): ReactNode
  /** Undefined when it is loaded. */
  preload(): Promise<void> | undefined
}

/** The page is loaded again: nothing more is drawn. */
const forever = new Promise<never>(() => {})

/** Kept by a reload, and by nothing else. */
const isReloaded = (): boolean => history.state?.reloaded === true

/** Loads the page again; not while the server is out of reach, where it would lead out of the admin. */
const reload = async (): Promise<void> => {
  const isThere = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isThere) return
  history.replaceState({ reloaded: true }, '')
  location.reload()
  await forever
}

/**
 * A component in a file of its own, loaded when it is drawn or before. A file that cannot be loaded may
 * belong to a release that is gone: the page is loaded again, once. `fallback` stands in its place until then.
 */
export const lazyComponent = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback?: ReactNode,
): LazyComponent<Props> => {
  let loading: Promise<void> | undefined
  let Loaded: ComponentType<Props> | undefined
  let reloading: Promise<void> | undefined
  let failure: unknown
  const preload = (): Promise<void> | undefined => {
    if (Loaded) return undefined
    loading ??= load().then(
      (component) => {
        Loaded = component
        failure = undefined
      },
      (error: unknown) => {
        loading = undefined
        reloading = undefined
        failure = error
        throw error
      },
    )
    return loading
  }
  // biome-ignore lint/correctness/noComponentHookFactories: each is made once, when its module is loaded
  function Lazy(props: Props) {
    if (!Loaded) {
      if (failure !== undefined && !isReloaded()) {
        reloading ??= reload()
        use(reloading)
      }
      if (failure !== undefined) throw failure
      const pending = preload()
      if (pending) use(pending)
    }
    return Loaded ? <Loaded {...props} /> : null
  }
  return Object.assign(
    (props: Props) => (
      <Suspense fallback={fallback}>
        <Lazy {...props} />
      </Suspense>
    ),
    { preload },
  )
}
