import type { Right } from '#contract/access.ts'
import type { IconName } from '../components/icon.tsx'

interface Place {
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

/** The main places, with the short words of the phone's bar. */
export const mainPlaces: (Place & { short: string; icon: IconName })[] = [
  {
    to: '/admin/dashboard',
    label: 'Dashboard',
    short: 'Dashboard',
    icon: 'chart',
    right: 'records.read',
  },
  {
    to: '/admin/consultations',
    label: 'Consultations',
    short: 'Requests',
    icon: 'tray',
    right: 'records.read',
  },
  {
    to: '/admin/applications',
    label: 'Applications',
    short: 'Interns',
    icon: 'cap',
    right: 'records.read',
  },
  {
    to: '/admin/contacts',
    label: 'Contacts',
    short: 'Messages',
    icon: 'mail',
    right: 'records.read',
  },
  { to: '/admin/users', label: 'Users', short: 'Users', icon: 'user', right: 'records.read' },
]

/** Behind "Users": what concerns people and the machine. */
export const peoplePlaces: Place[] = [
  { to: '/admin/users', label: 'Users', right: 'records.read' },
  { to: '/admin/mail', label: 'Outgoing mail', right: 'records.read' },
  { to: '/admin/audit', label: 'Audit log', right: 'audit.read' },
  { to: '/admin/privacy', label: 'Privacy', right: 'privacy.manage' },
]
