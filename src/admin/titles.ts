/** The screens of the admin and their titles; a page is built for each of them. */
export const titles = {
  '/admin': 'Admin',
  '/admin/login': 'Sign in',
  '/admin/invitation': 'Your invitation',
  '/admin/reset': 'Forgotten password',
  '/admin/dashboard': 'Dashboard',
  '/admin/consultations': 'Consultations',
  '/admin/applications': 'Applications',
  '/admin/contacts': 'Contacts',
  '/admin/run': 'Morning run',
  '/admin/users': 'User Management',
  '/admin/account': 'Your account',
  '/admin/mail': 'Outgoing mail',
  '/admin/audit': 'Audit log',
  '/admin/privacy': 'Personal data',
} as const

export type ScreenPath = keyof typeof titles
