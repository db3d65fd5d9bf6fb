import * as z from 'zod/mini'
import { id, isoTimestamp } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { oneLine } from '#contract/text.ts'
import { challenge, device, passkeyDescriptor, passkeyRequest, secret, signedIn } from './auth.ts'

/** Passkeys, codes of an authenticator app, recovery codes, and confirming who one is once more. */

/** `RegistrationResponseJSON` or `AuthenticationResponseJSON`; the server verifies what is in it. */
const passkeyResponse = z.record(z.string(), z.unknown(), {
  error: 'The answer of the passkey is missing.',
})

const code = z.optional(
  z.string({ error: 'The code is text.' }).check(z.maxLength(100, 'This is no code.')),
)

/** `PublicKeyCredentialCreationOptionsJSON` of the Web Authentication API, level 3. */
const passkeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  /** Milliseconds. */
  timeout: z.int(),
  attestation: z.literal('none'),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
  excludeCredentials: z.array(passkeyDescriptor),
})
export type PasskeyCreation = z.output<typeof passkeyCreation>

export const secondFactor = endpoint('POST /api/auth/second-factor', {
  summary: 'Finish signing in: with a code, a recovery code or a passkey',
  access: 'public',
  body: z
    .object({
      challenge,
      code,
      recoveryCode: code,
      response: z.optional(passkeyResponse),
    })
    .check(
      z.refine(
        (body) =>
          [body.code, body.recoveryCode, body.response].filter((given) => given !== undefined)
            .length === 1,
        { error: 'Send a code, a recovery code or the answer of a passkey.', path: ['code'] },
      ),
    ),
  output: signedIn,
})

export const passkeySignInOptions = endpoint('POST /api/auth/passkeys/sign-in/options', {
  summary: 'Begin to sign in, or to step up, with a passkey',
  access: 'public',
  output: z.object({ data: z.object({ challenge: z.string(), options: passkeyRequest }) }),
})

export const passkeySignIn = endpoint('POST /api/auth/passkeys/sign-in', {
  summary: 'Sign in with a passkey, which stands for password and code',
  access: 'public',
  body: z.object({ challenge, response: passkeyResponse, device }),
  output: signedIn,
})

export const passkey = z.object({
  _id: id,
  name: z.string(),
  createdAt: isoTimestamp,
  lastUsedAt: z.nullable(isoTimestamp),
  /** True if the passkey is backed up, so that its owner's other devices have it too. */
  synced: z.boolean(),
})
export type Passkey = z.output<typeof passkey>

export const factorList = z.object({
  passkeys: z.array(passkey),
  totp: z.nullable(z.object({ confirmedAt: isoTimestamp })),
  /** The number left. */
  recoveryCodes: z.int(),
  /** True if the role needs a second factor. */
  required: z.boolean(),
})
export type Factors = z.output<typeof factorList>

export const factors = endpoint('GET /api/auth/factors', {
  summary: 'One’s own second factors',
  access: 'account.own',
  output: z.object({ data: factorList }),
})

const newRecoveryCodes = z.array(z.string())

export const passkeyAddOptions = endpoint('POST /api/auth/passkeys/options', {
  summary: 'Begin to add a passkey',
  access: 'account.own',
  stepUp: true,
  allowedBefore: 'second-factor',
  output: z.object({ data: z.object({ challenge: z.string(), options: passkeyCreation }) }),
})

const passkeyName = oneLine('Name', { max: limits.passkeyName })

export const addPasskey = endpoint('POST /api/auth/passkeys', {
  summary: 'Add a passkey; the first factor comes with recovery codes, shown once',
  access: 'account.own',
  stepUp: true,
  allowedBefore: 'second-factor',
  body: z.object({ challenge, response: passkeyResponse, name: passkeyName }),
  output: z.object({
    data: z.object({ ...passkey.shape, recoveryCodes: z.optional(newRecoveryCodes) }),
  }),
  status: 201,
})

export const renamePasskey = endpoint('PUT /api/auth/passkeys/:id', {
  summary: 'Rename a passkey',
  access: 'account.own',
  stepUp: true,
  body: z.object({ name: passkeyName }),
  output: z.object({ data: passkey }),
})

export const removePasskey = endpoint('DELETE /api/auth/passkeys/:id', {
  summary: 'Remove a passkey; the last factor stays where the role needs one',
  access: 'account.own',
  stepUp: true,
})

export const beginTotp = endpoint('POST /api/auth/totp', {
  summary: 'Begin to add an authenticator app; not in force until it is confirmed',
  access: 'account.own',
  stepUp: true,
  allowedBefore: 'second-factor',
  output: z.object({
    data: z.object({
      /** Base32. */
      secret: z.string(),
      /** `otpauth://totp/…`, to be shown as a QR code. */
      uri: z.string(),
    }),
  }),
})

export const confirmTotp = endpoint('POST /api/auth/totp/confirm', {
  summary:
    'Confirm the authenticator app by a code; the first factor comes with recovery codes, shown once',
  access: 'account.own',
  stepUp: true,
  allowedBefore: 'second-factor',
  body: z.object({
    code: secret('The code').check(z.maxLength(100, 'This is no code.')),
  }),
  output: z.object({ data: z.object({ recoveryCodes: z.optional(newRecoveryCodes) }) }),
})

export const removeTotp = endpoint('DELETE /api/auth/totp', {
  summary: 'Remove the authenticator app; the last factor stays where the role needs one',
  access: 'account.own',
  stepUp: true,
})

export const renewRecoveryCodes = endpoint('POST /api/auth/recovery-codes', {
  summary: 'Ten new recovery codes, shown once; the old ones end',
  access: 'account.own',
  stepUp: true,
  output: z.object({ data: z.object({ recoveryCodes: newRecoveryCodes }) }),
})

export const stepUp = endpoint('POST /api/auth/step-up', {
  summary: 'Confirm who one is, for 15 minutes: with password and code, or with a passkey',
  access: 'account.own',
  allowedBefore: 'second-factor',
  body: z
    .object({
      password: z.optional(secret('Password')),
      /** Needed if the account has an authenticator app. */
      code,
      challenge: z.optional(challenge),
      response: z.optional(passkeyResponse),
    })
    .check(
      z.refine(
        ({ password, challenge, response }) =>
          Boolean(password) || (challenge !== undefined && response !== undefined),
        { error: 'Password is missing.', path: ['password'] },
      ),
    ),
  output: z.object({ data: z.object({ until: isoTimestamp }) }),
})
