import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { brand } from '#site/brand.ts'
import { views } from './inbox/kinds/views.ts'
import { hashOf, inboxSearch, moveSearchText } from './inbox/list/inbox-url.ts'
import { Unsaved } from './inbox/unsaved.tsx'
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
  component: () => <Shell banner={<Unsaved />} />,
})

const dashboardScreen = lazyRouteComponent(() => import('./dashboard/dashboard.tsx'), 'Dashboard')

const index = createRoute({
  getParentRoute: () => inside,
  // With its slash the index, which goes before the screen of unknown addresses.
  path: '/admin/',
  component: dashboardScreen,
})

const dashboard = createRoute({
  getParentRoute: () => inside,
  path: '/admin/dashboard',
  component: dashboardScreen,
})

const consultations = createRoute({
  getParentRoute: () => inside,
  path: '/admin/consultations',
  validateSearch: inboxSearch(views.consultations),
  beforeLoad: moveSearchText(views.consultations),
  component: lazyRouteComponent(() => import('./inbox/screens.tsx'), 'ConsultationsScreen'),
})

const applications = createRoute({
  getParentRoute: () => inside,
  path: '/admin/applications',
  validateSearch: inboxSearch(views.applications),
  beforeLoad: moveSearchText(views.applications),
  component: lazyRouteComponent(() => import('./inbox/screens.tsx'), 'ApplicationsScreen'),
})

const contacts = createRoute({
  getParentRoute: () => inside,
  path: '/admin/contacts',
  validateSearch: inboxSearch(views.contacts),
  beforeLoad: moveSearchText(views.contacts),
  component: lazyRouteComponent(() => import('./inbox/screens.tsx'), 'ContactsScreen'),
})

const users = createRoute({
  getParentRoute: () => inside,
  path: '/admin/users',
  component: lazyRouteComponent(() => import('./users/users.tsx'), 'Users'),
})

const account = createRoute({
  getParentRoute: () => inside,
  path: '/admin/account',
  component: lazyRouteComponent(() => import('./account/account.tsx'), 'AccountScreen'),
})

const mail = createRoute({
  getParentRoute: () => inside,
  path: '/admin/mail',
  component: lazyRouteComponent(() => import('./mail/mail.tsx'), 'Mail'),
})

const audit = createRoute({
  getParentRoute: () => inside,
  path: '/admin/audit',
  component: lazyRouteComponent(() => import('./audit/audit.tsx'), 'Audit'),
})

const privacy = createRoute({
  getParentRoute: () => inside,
  path: '/admin/privacy',
  component: lazyRouteComponent(() => import('./privacy/privacy.tsx'), 'Privacy'),
})

const unknown = createRoute({
  getParentRoute: () => inside,
  path: '/admin/$',
  component: NotFound,
})

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
      index,
      dashboard,
      consultations,
      applications,
      contacts,
      users,
      account,
      mail,
      audit,
      privacy,
      unknown,
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
