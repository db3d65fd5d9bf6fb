/** Who may do what. The server enforces this table; the admin hides what it refuses. */

export const roles = ['user', 'reviewer', 'editor', 'admin', 'superuser'] as const
export type Role = (typeof roles)[number]

const everyone: readonly Role[] = roles
const readers: readonly Role[] = ['reviewer', 'editor', 'admin', 'superuser']
const changers: readonly Role[] = ['editor', 'admin', 'superuser']
const removers: readonly Role[] = ['admin', 'superuser']
const superusers: readonly Role[] = ['superuser']

export const rights = {
  /** Own profile, own password, own sessions. */
  'account.own': everyone,
  /** Consultations, applications, contacts, users, figures, the state of mail. */
  'records.read': readers,
  /** Status, spam or not, notes, assignment, undo of own actions, retry of failed mail. */
  'records.change': changers,
  /** Delete, restore, export. */
  'records.remove': removers,
  /** Create, change, delete users; end others' sessions. */
  'users.manage': superusers,
  'audit.read': superusers,
  /** Export and erase a person's data. */
  'privacy.manage': superusers,
} as const satisfies Record<string, readonly Role[]>

export type Right = keyof typeof rights

/** What an endpoint asks of its caller. There is no default: an endpoint without a rule does not compile. */
export type Access = 'public' | Right

export const may = (role: Role, right: Right): boolean => rights[right].includes(role)
