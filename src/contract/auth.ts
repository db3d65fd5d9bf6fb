import * as z from 'zod/mini'
import { roles } from './access.ts'
import { endpoint } from './endpoint.ts'
import { id, isoTimestamp, newPassword } from './fields.ts'

/** Signing in and out, one's own password and sessions. */

const account = z.object({
  id,
  username: z.string(),
  email: z.string(),
  role: z.enum(roles),
  /** True for the role `superuser` alone. */
  isSuperuser: z.boolean(),
})
export type Account = z.output<typeof account>

const signedIn = z.object({ token: z.string(), expiresAt: isoTimestamp, user: account })

const secret = (label: string) => z.string({ error: `${label} is missing.` })

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in',
  access: 'public',
  body: z.object({
    email: secret('Email').check(z.minLength(1, 'Email is missing.')),
    password: secret('Password').check(z.minLength(1, 'Password is missing.')),
  }),
  output: signedIn,
})

export const me = endpoint({
  method: 'GET',
  path: '/api/auth/me',
  summary: 'Who is signed in',
  access: 'account.own',
  output: z.object({ data: account }),
})

export const logout = endpoint({
  method: 'POST',
  also: 'GET',
  path: '/api/auth/logout',
  summary: 'End this session',
  access: 'account.own',
  output: z.object({ data: z.object({}) }),
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/auth/password',
  summary: 'Change one’s own password; every other session ends',
  access: 'account.own',
  body: z.object({
    currentPassword: secret('The current password'),
    newPassword: newPassword('The new password'),
  }),
  output: signedIn,
})

const session = z.object({
  _id: id,
  createdAt: isoTimestamp,
  lastUsedAt: isoTimestamp,
  /** Browser and system, as far as the browser says; null when it says nothing. */
  browser: z.nullable(z.string()),
  current: z.boolean(),
})
export type Session = z.output<typeof session>

export const sessions = endpoint({
  method: 'GET',
  path: '/api/auth/sessions',
  summary: 'One’s own sessions',
  access: 'account.own',
  output: z.object({ data: z.array(session) }),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/auth/sessions/:id',
  summary: 'End one of one’s own sessions',
  access: 'account.own',
  output: z.object({ data: z.object({}) }),
  repeatable: true,
})
