import type { User } from '#contract/accounts/users.ts'

/** The values that the form of an account edits, besides the password. */
export type Values = Pick<User, 'username' | 'email' | 'role'>

export const valuesOf = ({ username, email, role }: User): Values => ({ username, email, role })

export const trimmed = ({ username, email, role }: Values): Values => ({
  username: username.trim(),
  email: email.trim(),
  role,
})

/** The changed values only: a form must not restore a role that was removed meanwhile. */
export const changesOf = (stored: Values, typed: Values): Partial<Values> => ({
  ...(typed.username === stored.username ? {} : { username: typed.username }),
  ...(typed.email === stored.email ? {} : { email: typed.email }),
  ...(typed.role === stored.role ? {} : { role: typed.role }),
})

/** The form's values after a conflict: typed values stay, all others come from the stored account. */
export const rebase = (base: Values, newer: User, typed: Values): Values => ({
  ...valuesOf(newer),
  ...changesOf(base, typed),
})
