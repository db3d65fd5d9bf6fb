import * as z from 'zod/mini'
import { id, isoTimestamp, newPassword } from '#contract/fields.ts'
import { roles } from '#contract/http/access.ts'
import { endpoint } from '#contract/http/endpoint.ts'

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

export const signedIn = z.object({ token: z.string(), expiresAt: isoTimestamp, user: account })
export type SignedIn = z.output<typeof signedIn>

export const secret = (label: string) => z.string({ error: `${label} is missing.` })

/** A random id that the client keeps, by which its device is known again; any other value counts as absent. */
export const device = z.catch(
  z.optional(z.string().check(z.regex(/^[\x21-\x7e]{1,128}$/))),
  undefined,
)

/** Proves that the password was right; to be sent along with the second factor. */
export const challenge = z
  .string({ error: 'The challenge is missing.' })
  .check(z.minLength(1, 'The challenge is missing.'), z.maxLength(200, 'Unknown challenge.'))

const publicKey = z.literal('public-key')

export const passkeyDescriptor = z.object({
  type: publicKey,
  id: z.string(),
  transports: z.array(z.string()),
})

/** `PublicKeyCredentialRequestOptionsJSON` of the Web Authentication API, level 3. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** Milliseconds. */
  timeout: z.int(),
  userVerification: z.literal('required'),
  /** Without it the browser offers those that it has. */
  allowCredentials: z.exactOptional(z.array(passkeyDescriptor)),
})
export type PasskeyRequest = z.output<typeof passkeyRequest>

const secondFactorWanted = z.object({
  secondFactor: z.object({
    challenge: z.string(),
    methods: z.array(z.enum(['totp', 'recovery', 'passkey'])),
    expiresAt: isoTimestamp,
    /** Present if there is a passkey. */
    options: z.optional(passkeyRequest),
  }),
})
export type SecondFactorWanted = z.output<typeof secondFactorWanted>['secondFactor']

export const login = endpoint('POST /api/auth/login', {
  summary: 'Sign in',
  access: 'public',
  body: z.object({
    email: secret('Email').check(z.minLength(1, 'Email is missing.')),
    password: secret('Password').check(z.minLength(1, 'Password is missing.')),
    device,
  }),
  /** With a second factor there is no token yet: `POST /api/auth/second-factor` answers it. */
  output: z.union([signedIn, secondFactorWanted]),
})

export const me = endpoint('GET /api/auth/me', {
  summary: 'Who is signed in',
  access: 'account.own',
  allowedBefore: 'password-change',
  output: z.object({ data: account }),
})

export const logout = endpoint('POST /api/auth/logout', {
  also: 'GET',
  summary: 'End this session',
  access: 'account.own',
  allowedBefore: 'password-change',
})

export const changePassword = endpoint('POST /api/auth/password', {
  summary: 'Change one’s own password; every other session ends',
  access: 'account.own',
  allowedBefore: 'password-change',
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

export const sessions = endpoint('GET /api/auth/sessions', {
  summary: 'One’s own sessions',
  access: 'account.own',
  output: z.object({ data: z.array(session) }),
})

export const endSession = endpoint('DELETE /api/auth/sessions/:id', {
  summary: 'End one of one’s own sessions',
  access: 'account.own',
})
