import * as z from 'zod/mini'
import { email, flag, id, isoTimestamp, newPassword, version } from '#contract/fields.ts'
import { roles } from '#contract/http/access.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { oneLine } from '#contract/text.ts'

export const user = z.object({
  _id: id,
  username: z.string(),
  email: z.string(),
  role: z.enum(roles),
  isSuperuser: z.boolean(),
  version: z.int(),
  createdAt: isoTimestamp,
  updatedAt: isoTimestamp,
})
export type User = z.output<typeof user>

export const username = oneLine('Username', limits.username).check(
  z.refine((value: string) => /^[\p{L}\p{N}._-]+$/u.test(value), {
    error: 'Username may hold letters, digits, dots, underscores and hyphens.',
  }),
  // A list filtered by `none` shows what is assigned to nobody.
  z.refine((value: string) => value.toLowerCase() !== 'none', {
    error: 'Username may not be “none”, which stands for nobody.',
  }),
)

export const role = z.enum(roles, { error: 'Unknown role.' })

/** Until the password is changed, the account may do nothing else. */
const mustChangePassword = z.optional(flag)

export const listUsers = endpoint('GET /api/users', {
  summary: 'All staff accounts, oldest first',
  access: 'records.read',
  output: z.object({ data: z.array(user) }),
})

export const register = endpoint('POST /api/auth/register', {
  summary: 'Create a staff account',
  access: 'users.manage',
  stepUp: true,
  body: z.object({
    username,
    email,
    password: newPassword('Password'),
    role: z._default(role, 'user'),
    mustChangePassword,
  }),
  output: z.object({ user, data: user }),
  status: 201,
  repeatable: true,
})

export const updateUser = endpoint('PUT /api/users/:id', {
  summary: 'Change a staff account; a new role, e-mail or password ends its sessions',
  access: 'users.manage',
  stepUp: true,
  body: z.object({
    username: z.optional(username),
    email: z.optional(email),
    role: z.optional(role),
    /** Blank keeps the current one. One's own changes by `POST /api/auth/password` alone. */
    password: z.optional(newPassword('Password', { mayBeBlank: true })),
    mustChangePassword,
    /** The version that the change is based on: a stale one is a conflict. */
    version: z.optional(version),
  }),
  output: z.object({ data: user }),
})

export const deleteUser = endpoint('DELETE /api/users/:id', {
  summary: 'Delete a staff account',
  access: 'users.manage',
  stepUp: true,
})

export const endUserSessions = endpoint('DELETE /api/users/:id/sessions', {
  summary: 'End every session of a user',
  access: 'users.manage',
  stepUp: true,
  output: z.object({ data: z.object({ ended: z.int() }) }),
})
