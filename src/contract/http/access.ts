/** The rights of each role. The server enforces this table; the admin hides what it refuses. */

/** Each may do all that those before it may. */
export const roles = ['user', 'reviewer', 'editor', 'admin', 'superuser'] as const
export type Role = (typeof roles)[number]

const from = (lowest: Role): readonly Role[] => roles.slice(roles.indexOf(lowest))

export const rights = {
  /** Own profile, own password, own sessions. */
  'account.own': from('user'),
  /** Consultations, applications, contacts, users, figures, the state of mail. */
  'records.read': from('reviewer'),
  /** Status, spam or not, notes, assignment, undo of own actions, retry of failed mail. */
  'records.change': from('editor'),
  /** Delete, restore, export. */
  'records.remove': from('admin'),
  /** Draft what the site says. */
  'content.edit': from('editor'),
  'content.publish': from('admin'),
  /** Change and publish the owner's name, features and legal texts. */
  'content.own': from('superuser'),
  /** Create, change, delete users; end others' sessions. */
  'users.manage': from('superuser'),
  'audit.read': from('superuser'),
  /** Export and erase a person's data. */
  'privacy.manage': from('superuser'),
} as const satisfies Record<string, readonly Role[]>

export type Right = keyof typeof rights

/**
 * The right that an endpoint asks for. There is no default: an endpoint without a rule does not
 * compile.
 */
export type Access = 'public' | Right

/** The scopes of a token, within its owner's role. */
export const scopes = ['read', 'draft', 'write', 'contacts'] as const
export type Scope = (typeof scopes)[number]

export const may = (role: Role, right: Right): boolean => rights[right].includes(role)
