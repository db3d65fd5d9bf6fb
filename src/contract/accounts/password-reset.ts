import * as z from 'zod/mini'
import { newPassword } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { secret } from './auth.ts'
import { linkToken } from './invitations.ts'

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
