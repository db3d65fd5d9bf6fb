import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { KindPath } from '#contract/inbox.ts'
import { brand } from '#site/brand.ts'
import { runSearch } from './inbox/kinds/run-kinds.ts'
import { views } from './inbox/kinds/views.ts'
import { hashOf, inboxSearch, moveSearchText } from './inbox/list/inbox-url.ts'
import { Unsaved } from './inbox/unsaved.tsx'
import { Overlays } from './overlays.tsx'
import { hasSession } from './session/session.ts'
import { Loading } from './shell/guard.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'
import { titles } from './titles.ts'

/** Every screen of the admin. What few open, or only later, is loaded when it is opened. */

const root = createRootRoute({ component: Outlet })

const login = createRoute({
  getParentRoute: () => root,
  path: '/admin/login',
  validateSearch: ({ from }: Record<string, unknown>): { from?: string | undefined } =>
    typeof from === 'string' ? { from } : {},
  component: lazyRouteComponent(() => import('./auth/login.tsx'), 'Login'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/admin/invitation',
  component: lazyRouteComponent(() => import('./auth/invitation.tsx'), 'Invitation'),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: '/admin/reset',
  component: lazyRouteComponent(() => import('./auth/reset.tsx'), 'Reset'),
})

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: ({ location }) => {
    if (hasSession()) return
    const { q, ...search } = parseSearch(location.searchStr)
    throw redirect({
      to: '/admin/login',
      search: { from: `${location.pathname}${stringifySearch(search)}` },
      // An old link holds the search text in its query.
      hash: typeof q === 'string' && q ? hashOf(q) : location.hash,
      replace: true,
    })
  },
  component: () => <Shell banner={<Unsaved />} overlays={<Overlays />} />,
})

const screen = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => inside, path, component })

const inbox = <const Kind extends KindPath>(kind: Kind, component: RouteComponent) =>
  createRoute({
    getParentRoute: () => inside,
    path: `/admin/${kind}` as const,
    validateSearch: inboxSearch(views[kind]),
    beforeLoad: moveSearchText(views[kind]),
    component,
  })

const run = createRoute({
  getParentRoute: () => inside,
  path: '/admin/run',
  validateSearch: runSearch,
  component: lazyRouteComponent(() => import('./run/run-screen.tsx'), 'RunScreen'),
})

const dashboard = lazyRouteComponent(() => import('./dashboard/dashboard.tsx'), 'Dashboard')
const screens = () => import('./inbox/screens.tsx')

/** The URL holds plain text: `?assignee=2024` is a name, not a number. */
const parseSearch = (text: string): Record<string, unknown> =>
  Object.fromEntries(new URLSearchParams(text))

const stringifySearch = (search: Record<string, unknown>): string => {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search))
    if (value !== undefined && value !== '') params.set(key, String(value))
  return params.size > 0 ? `?${params}` : ''
}

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    invitation,
    reset,
    inside.addChildren([
      // With its slash the index, which goes before the screen of unknown addresses.
      screen('/admin/', dashboard),
      screen('/admin/dashboard', dashboard),
      inbox('consultations', lazyRouteComponent(screens, 'ConsultationsScreen')),
      inbox('applications', lazyRouteComponent(screens, 'ApplicationsScreen')),
      inbox('contacts', lazyRouteComponent(screens, 'ContactsScreen')),
      run,
      screen(
        '/admin/users',
        lazyRouteComponent(() => import('./users/users.tsx'), 'Users'),
      ),
      screen(
        '/admin/account',
        lazyRouteComponent(() => import('./account/account.tsx'), 'AccountScreen'),
      ),
      screen(
        '/admin/mail',
        lazyRouteComponent(() => import('./mail/mail.tsx'), 'Mail'),
      ),
      screen(
        '/admin/audit',
        lazyRouteComponent(() => import('./audit/audit.tsx'), 'Audit'),
      ),
      screen(
        '/admin/privacy',
        lazyRouteComponent(() => import('./privacy/privacy.tsx'), 'Privacy'),
      ),
      screen('/admin/$', NotFound),
    ]),
  ]),
  parseSearch,
  stringifySearch,
  trailingSlash: 'never',
  defaultPendingComponent: Loading,
  defaultPreload: 'intent',
})

router.subscribe('onResolved', ({ toLocation }) => {
  const title = titles[toLocation.pathname] ?? 'Page not found'
  document.title = `${title} | ${brand.name}`
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
