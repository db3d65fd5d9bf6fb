import type { User } from '#contract/users.ts'

/** What the form of an account edits, besides its password. */
export type Values = Pick<User, 'username' | 'email' | 'role'>

export const valuesOf = ({ username, email, role }: User): Values => ({ username, email, role })

/** Only what was changed is sent: a form must not give back a role that was taken away meanwhile. */
export const changesOf = (stored: Values, typed: Values): Partial<Values> => ({
  ...(typed.username === stored.username ? {} : { username: typed.username }),
  ...(typed.email === stored.email ? {} : { email: typed.email }),
  ...(typed.role === stored.role ? {} : { role: typed.role }),
})

/** The form's values over a newer account: what was typed stays, all else is as it is stored now. */
export const rebase = (base: Values, newer: User, typed: Values): Values => ({
  ...valuesOf(newer),
  ...changesOf(base, typed),
})
