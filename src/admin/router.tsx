import { Component, type ReactNode, Suspense, useLayoutEffect } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { Button } from './components/button.tsx'
import { ProblemPage } from './components/problem-page.tsx'
import { movedSearchText } from './inbox/list/inbox-url.ts'
import { Unsaved } from './inbox/unsaved.tsx'
import { Overlays } from './overlays.tsx'
import { type LazyComponent, lazyComponent } from './router/lazy-component.tsx'
import {
  followUrl,
  type Location,
  type Route,
  type Shown,
  showAgain,
  useShown,
} from './router/location.ts'
import { hasSession } from './session/session.ts'
import { Loading, signInUrl } from './shell/guard.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'
import { site } from './site.ts'
import { type ScreenPath, titles } from './titles.ts'

/** Every screen of the admin. What few open, or only later, is loaded when it is opened. */

type Screen = LazyComponent<object>

const dashboard = lazyComponent(() => import('./dashboard/dashboard.tsx').then((m) => m.Dashboard))
const inbox = (
  kind: KindPath,
  name: 'ConsultationsScreen' | 'ApplicationsScreen' | 'ContactsScreen',
): LazyComponent<object> =>
  lazyComponent(async () => {
    const screens = await import('./inbox/screens.tsx')
    screens.takeEarlyPage(kind)
    return screens[name]
  })

/** Open to those who are not signed in. */
const outside: Partial<Record<ScreenPath, Screen>> = {
  '/admin/login': lazyComponent(() => import('./auth/login.tsx').then((m) => m.Login)),
  '/admin/invitation': lazyComponent(() =>
    import('./auth/invitation.tsx').then((m) => m.Invitation),
  ),
  '/admin/reset': lazyComponent(() => import('./auth/reset.tsx').then((m) => m.Reset)),
}

const inside: Partial<Record<ScreenPath, Screen>> = {
  '/admin': dashboard,
  '/admin/dashboard': dashboard,
  '/admin/consultations': inbox('consultations', 'ConsultationsScreen'),
  '/admin/applications': inbox('applications', 'ApplicationsScreen'),
  '/admin/contacts': inbox('contacts', 'ContactsScreen'),
  '/admin/run': lazyComponent(() => import('./run/run-screen.tsx').then((m) => m.RunScreen)),
  '/admin/users': lazyComponent(() => import('./users/users.tsx').then((m) => m.Users)),
  '/admin/account': lazyComponent(() =>
    import('./account/account.tsx').then((m) => m.AccountScreen),
  ),
  '/admin/mail': lazyComponent(() => import('./mail/mail.tsx').then((m) => m.Mail)),
  '/admin/audit': lazyComponent(() => import('./audit/audit.tsx').then((m) => m.Audit)),
  '/admin/privacy': lazyComponent(() => import('./privacy/privacy.tsx').then((m) => m.Privacy)),
}

const screenAt = (
  screens: Partial<Record<ScreenPath, Screen>>,
  path: string,
): Screen | undefined => (Object.hasOwn(screens, path) ? screens[path as ScreenPath] : undefined)

const routeAt = (location: Location): Route => {
  const screen = screenAt(outside, location.path)
  if (screen) return { redirect: undefined, preload: screen.preload }
  return {
    redirect: movedSearchText(location) ?? (hasSession() ? undefined : signInUrl(location)),
    preload: () => screenAt(inside, location.path)?.preload(),
  }
}

followUrl(routeAt)

/** What the URL names. */
export function Screens() {
  const location = useShown()
  return location ? <ScreenAt location={location} /> : <Loading />
}

function ScreenAt({ location }: { location: Shown }) {
  const { path } = location
  useLayoutEffect(() => {
    document.title = `${titles[path as ScreenPath] ?? 'Page not found'} | ${site.name}`
  }, [path])
  useLayoutEffect(() => {
    if (location.toTop) scrollTo({ top: 0, behavior: 'instant' })
  }, [location])

  const Outside = screenAt(outside, path)
  const Inside = screenAt(inside, path) ?? NotFound
  if (Outside) return <Loaded key={path} screen={<Outside />} />
  return (
    <Shell banner={<Unsaved />} overlays={<Overlays />}>
      <Loaded key={path} screen={<Inside />} />
    </Shell>
  )
}

const Loaded = ({ screen }: { screen: ReactNode }) => (
  <Failed>
    <Suspense fallback={<Loading />}>{screen}</Suspense>
  </Failed>
)

/** In the place of a screen whose code cannot be loaded. */
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
