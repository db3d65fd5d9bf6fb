import { Component, type ReactNode, useLayoutEffect } from 'react'
import { Unsaved } from './changes/unsaved.tsx'
import { Button } from './components/button.tsx'
import { ProblemPage } from './components/problem-page.tsx'
import { movedSearchText } from './inbox/list/inbox-url.ts'
import { Overlays } from './overlays.tsx'
import { lazyComponent } from './router/lazy-component.tsx'
import { Link } from './router/link.tsx'
import {
  followUrl,
  type Location,
  type Route,
  type Shown,
  showAgain,
  useShown,
} from './router/location.ts'
import { type Screen, type ScreenPath, screenList, screens } from './screens.ts'
import { hasSession } from './session/session.ts'
import { Guard, Loading, signInUrl } from './shell/guard.tsx'
import { Screens as ScreensContext } from './shell/navigation.ts'
import { Shell } from './shell/shell.tsx'
import { site } from './site.ts'

const components = new Map(
  screenList.map(({ path, load }) => [path as string, lazyComponent(load, <Loading />)]),
)

const screenAt = (path: string): Screen | undefined =>
  components.has(path) ? screens[path as ScreenPath] : undefined

const routeAt = (location: Location): Route => {
  const isOpen = screenAt(location.path)?.right === 'public' || hasSession()
  return {
    redirect: movedSearchText(location) ?? (isOpen ? undefined : signInUrl(location)),
    preload: () => components.get(location.path)?.preload(),
  }
}

followUrl(routeAt)

export function Screens() {
  const location = useShown()
  return (
    <ScreensContext value={screenList}>
      {location ? <ScreenAt location={location} /> : <Loading />}
    </ScreensContext>
  )
}

function ScreenAt({ location }: { location: Shown }) {
  const { path } = location
  const screen = screenAt(path)
  const title = screen?.title ?? 'Page not found'
  useLayoutEffect(() => {
    document.title = `${title} | ${site.name}`
  }, [title])
  useLayoutEffect(() => {
    if (location.toTop) scrollTo({ top: 0, behavior: 'instant' })
  }, [location])

  const Component = components.get(path) ?? NotFound
  const loaded = (
    <Failed key={path}>
      <Component />
    </Failed>
  )
  if (screen?.right === 'public') return loaded
  return (
    <Guard>
      <Shell screen={screen} banner={<Unsaved />} overlays={<Overlays />}>
        {loaded}
      </Shell>
    </Guard>
  )
}

/** Shown when a screen's code cannot be loaded. */
class Failed extends Component<{ children: ReactNode }> {
  override state = { isFailed: false }

  static getDerivedStateFromError() {
    return { isFailed: true }
  }

  private readonly retry = async (): Promise<void> => {
    await showAgain()
    this.setState({ isFailed: false })
  }

  override render() {
    if (!this.state.isFailed) return this.props.children
    return (
      <ProblemPage title="This screen cannot be loaded">
        <p role="alert">It could not be loaded. Check your connection, then try again.</p>
        <Button onClick={this.retry}>Try again</Button>
      </ProblemPage>
    )
  }
}

/** A URL below /admin without a screen. */
function NotFound() {
  return (
    <ProblemPage title="There is no such page">
      <p>Nothing in the administration has this address. It may have been mistyped, or moved.</p>
      <Link to="/admin/dashboard" className="btn small">
        Go to the dashboard
      </Link>
    </ProblemPage>
  )
}
