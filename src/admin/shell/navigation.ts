import type { Right } from '#contract/http/access.ts'
import { type KindPath, kindPaths } from '#contract/inbox.ts'
import type { IconName } from '#ui/all-icons.ts'

export interface Screen {
  to:
    | '/admin/dashboard'
    | '/admin/consultations'
    | '/admin/applications'
    | '/admin/contacts'
    | '/admin/users'
    | '/admin/mail'
    | '/admin/audit'
    | '/admin/privacy'
  label: string
  right: Right
}

export const mainScreens: (Screen & { icon: IconName })[] = [
  { to: '/admin/dashboard', label: 'Dashboard', icon: 'chart', right: 'records.read' },
  { to: '/admin/consultations', label: 'Consultations', icon: 'tray', right: 'records.read' },
  { to: '/admin/applications', label: 'Applications', icon: 'cap', right: 'records.read' },
  { to: '/admin/contacts', label: 'Contacts', icon: 'mail', right: 'records.read' },
  { to: '/admin/users', label: 'Users', icon: 'users', right: 'records.read' },
]

/** The inbox of a screen's records, where it is one. */
export const inboxAt = (path: string): KindPath | undefined =>
  kindPaths.find((kind) => path === `/admin/${kind}`)

/** Behind "Users": what concerns people and the system. */
export const systemScreens: Screen[] = [
  { to: '/admin/users', label: 'Users', right: 'records.read' },
  { to: '/admin/mail', label: 'Outgoing mail', right: 'records.read' },
  { to: '/admin/audit', label: 'Audit log', right: 'audit.read' },
  { to: '/admin/privacy', label: 'Privacy', right: 'privacy.manage' },
]

/** What a link to a screen says of it: that it is open, or holds the open one. */
export const currentAt = (to: string, path: string): 'page' | 'true' | undefined => {
  if (path === to || (to === '/admin/dashboard' && path === '/admin')) return 'page'
  const isWithin = to === '/admin/users' && systemScreens.some((screen) => screen.to === path)
  return isWithin ? 'true' : undefined
}
