import type { ComponentType } from 'react'
import type { Access } from '#contract/http/access.ts'
import type { KindPath } from '#contract/inbox.ts'
import type { IconName } from '#ui/all-icons.ts'
import { isOff } from './site.ts'

/** One screen. The router, the navigation, the palette, the keys, the built pages and the tests read this. */
export interface Screen {
  title: string
  /** Needed to open it; `public` needs no session. */
  right: Access
  /** Its code, loaded when the screen is opened. */
  load: () => Promise<ComponentType>
  /** Its name in the navigation and the palette, if that is not the title. */
  label?: string
  /** The letter that opens it after `g`. */
  key?: string
  icon?: IconName
  /** In the bar at the top, and at the bottom of a phone. */
  inBar?: true
  /** The screen of the bar under which the navigation lists it. */
  under?: string
  /** The name of the navigation between this screen and those under it. */
  family?: string
  /** It draws its own header and explains a missing right itself. */
  isBare?: true
}

const dashboard: Screen['load'] = () => import('./dashboard/dashboard.tsx').then((m) => m.Dashboard)
const inbox =
  (kind: KindPath): Screen['load'] =>
  () =>
    import('./inbox/screens.tsx').then((m) => m.openInbox(kind))

const table = {
  '/admin': { title: 'Admin', right: 'records.read', load: dashboard },
  '/admin/login': {
    title: 'Sign in',
    right: 'public',
    load: () => import('./auth/login.tsx').then((m) => m.Login),
  },
  '/admin/invitation': {
    title: 'Your invitation',
    right: 'public',
    load: () => import('./auth/invitation.tsx').then((m) => m.Invitation),
  },
  '/admin/reset': {
    title: 'Forgotten password',
    right: 'public',
    load: () => import('./auth/reset.tsx').then((m) => m.Reset),
  },
  '/admin/dashboard': {
    title: 'Dashboard',
    right: 'records.read',
    load: dashboard,
    icon: 'chart',
    inBar: true,
    key: 'd',
  },
  '/admin/consultations': {
    title: 'Consultations',
    right: 'records.read',
    load: inbox('consultations'),
    icon: 'tray',
    inBar: true,
    key: 'c',
  },
  '/admin/applications': {
    title: 'Applications',
    right: 'records.read',
    load: inbox('applications'),
    icon: 'cap',
    inBar: true,
    key: 'a',
  },
  '/admin/contacts': {
    title: 'Contacts',
    right: 'records.read',
    load: inbox('contacts'),
    icon: 'mail',
    inBar: true,
    key: 'm',
  },
  '/admin/site': {
    title: 'Site',
    right: 'content.edit',
    load: () => import('./site/site.tsx').then((m) => m.Site),
    icon: 'pen',
    inBar: true,
    key: 's',
  },
  '/admin/users': {
    title: 'User Management',
    label: 'Users',
    right: 'records.read',
    load: () => import('./users/users.tsx').then((m) => m.Users),
    icon: 'users',
    inBar: true,
    family: 'People and system',
    key: 'u',
  },
  '/admin/appointments': {
    title: 'Appointments',
    right: 'records.read',
    load: () => import('./times/appointments.tsx').then((m) => m.Appointments),
  },
  '/admin/offers': {
    title: 'Offers',
    right: 'records.read',
    load: () => import('./offers/offers.tsx').then((m) => m.Offers),
  },
  '/admin/hours': {
    title: 'My hours',
    right: 'records.change',
    load: () => import('./times/hours.tsx').then((m) => m.Hours),
  },
  '/admin/owed': {
    title: 'What is owed',
    right: 'records.read',
    load: () => import('./dashboard/owed.tsx').then((m) => m.Owed),
    under: '/admin/dashboard',
  },
  '/admin/figures': {
    title: 'Figures',
    right: 'records.read',
    load: () => import('./dashboard/figures.tsx').then((m) => m.Figures),
  },
  '/admin/run': {
    title: 'Morning run',
    right: 'records.change',
    load: () => import('./run/run-screen.tsx').then((m) => m.RunScreen),
    icon: 'play',
    isBare: true,
    key: 'r',
  },
  '/admin/mail': {
    title: 'Outgoing mail',
    right: 'records.read',
    load: () => import('./mail/mail.tsx').then((m) => m.Mail),
    under: '/admin/users',
  },
  '/admin/audit': {
    title: 'Audit log',
    right: 'audit.read',
    load: () => import('./audit/audit.tsx').then((m) => m.Audit),
    under: '/admin/users',
  },
  '/admin/privacy': {
    title: 'Personal data',
    label: 'Privacy',
    right: 'privacy.manage',
    load: () => import('./privacy/privacy.tsx').then((m) => m.Privacy),
    under: '/admin/users',
  },
  '/admin/programs': {
    title: 'Programs',
    right: 'users.manage',
    load: () => import('./programs/programs.tsx').then((m) => m.Programs),
    under: '/admin/users',
  },
  '/admin/sources': {
    title: 'Where enquiries come from',
    right: 'records.read',
    load: () => import('./programs/sources.tsx').then((m) => m.Sources),
  },
  '/admin/account': {
    title: 'Your account',
    right: 'account.own',
    load: () => import('./account/account.tsx').then((m) => m.AccountScreen),
    icon: 'user',
  },
} as const

export type ScreenPath = keyof typeof table

export const screens: Readonly<Record<ScreenPath, Screen>> = table

/** Every screen with its path, in the order of the table. */
export const screenList = Object.entries(screens)
  .filter(([path]) => !isOff(path))
  .map(([path, screen]) => ({
    ...screen,
    path: path as ScreenPath,
    label: screen.label ?? screen.title,
  }))

export type ListedScreen = (typeof screenList)[number]
