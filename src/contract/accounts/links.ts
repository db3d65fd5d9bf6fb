import * as z from 'zod/mini'
import { email, id, isoTimestamp, newPassword } from '#contract/fields.ts'
import { roles } from '#contract/http/access.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { device, secret, signedIn } from './auth.ts'
import { role, username } from './users.ts'

/** New colleagues choose their own password: by a link that works once, for 72 hours. */

export const invitation = z.object({
  _id: id,
  email: z.string(),
  role: z.enum(roles),
  /** The name that the inviting person proposed. */
  username: z.nullable(z.string()),
  createdAt: isoTimestamp,
  expiresAt: isoTimestamp,
})
export type Invitation = z.output<typeof invitation>

/** The secret part of a link in a mail, which stands in the link's fragment. */
export const linkToken = z.string({ error: 'The link is incomplete.' })

export const listInvitations = endpoint('GET /api/users/invitations', {
  summary: 'Invitations that can still be accepted, newest first',
  access: 'users.manage',
  output: z.object({ data: z.array(invitation) }),
})

export const invite = endpoint('POST /api/users/invitations', {
  summary:
    'Invite a colleague by mail; a newer invitation of the same address replaces the older one',
  access: 'users.manage',
  stepUp: true,
  body: z.object({ email, role, username: z.optional(username) }),
  /** Here alone with the link, which cannot be seen again. */
  output: z.object({ data: z.object({ ...invitation.shape, link: z.string() }) }),
  status: 201,
})

export const endInvitation = endpoint('DELETE /api/users/invitations/:id', {
  summary: 'Take an invitation back',
  access: 'users.manage',
  stepUp: true,
})

export const readInvitation = endpoint('POST /api/auth/invitation', {
  summary: 'What an invitation is for; changes nothing',
  access: 'public',
  body: z.object({ token: linkToken }),
  output: z.object({ data: z.pick(invitation, { email: true, role: true, username: true }) }),
})

export const acceptInvitation = endpoint('POST /api/auth/invitation/accept', {
  summary: 'Accept an invitation and sign in',
  access: 'public',
  body: z.object({ token: linkToken, username, password: newPassword('Password'), device }),
  output: signedIn,
  status: 201,
})

/** A forgotten password: by a link that works once, for 60 minutes. Second factors stay. */

export const requestReset = endpoint('POST /api/auth/reset', {
  summary: 'Ask for a link by mail; the same answer for every address',
  access: 'public',
  body: z.object({ email: secret('Email').check(z.minLength(1, 'Email is missing.')) }),
})

export const confirmReset = endpoint('POST /api/auth/reset/confirm', {
  summary: 'Set a new password by the link; every session ends',
  access: 'public',
  body: z.object({ token: linkToken, newPassword: newPassword('The new password') }),
})
