import { randomBytes } from 'node:crypto'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import * as z from 'zod/mini'
import type { PasskeyRequest } from '#contract/accounts/auth.ts'
import type { PasskeyCreation } from '#contract/accounts/second-factor.ts'
import { limits } from '#contract/limits.ts'
import type { passkeys } from '#server/db/schema/accounts/factors.ts'
import { brand } from '#site/content.ts'
import type { StoredPasskey } from '../store/challenges.ts'
import type { RelyingParty } from './relying-party.ts'

/** Ceremonies of the Web Authentication API, level 3: what is asked of an authenticator, and its answer checked. */

// Loaded when there is an answer to check; no other call pays for it.
const library = () => import('@simplewebauthn/server')

/** Ed25519, ECDSA with P-256, RSA with PKCS #1: COSE's numbers. */
const ALGORITHMS = [-8, -7, -257]

/** The standard's longest credential id. A longer one would also not fit the database's index. */
const MAX_ID_BYTES = 1_023

const timeout = limits.challengeMinutes * 60_000

export const newPasskeyChallenge = (): string => randomBytes(32).toString('base64url')

type Descriptor = Pick<NewPasskey, 'credentialId' | 'transports'>

const descriptor = ({ credentialId, transports }: Descriptor) => ({
  type: 'public-key' as const,
  id: credentialId,
  transports,
})

export const requestOptions = (
  { id }: RelyingParty,
  challenge: string,
  credentials?: readonly Descriptor[],
): PasskeyRequest => ({
  challenge,
  rpId: id,
  timeout,
  userVerification: 'required',
  ...(credentials ? { allowCredentials: credentials.map(descriptor) } : {}),
})

export const creationOptions = (
  { id }: RelyingParty,
  challenge: string,
  user: { id: string; email: string; username: string },
  existing: readonly Descriptor[],
): PasskeyCreation => ({
  challenge,
  rp: { id, name: brand().name },
  user: { id: userHandle(user.id), name: user.email, displayName: user.username },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout,
  attestation: 'none',
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  excludeCredentials: existing.map(descriptor),
})

/** The account's id as passkeys carry it, without anything of the person's. */
const userHandle = (userId: string): string => Buffer.from(userId).toString('base64url')

type PasskeyRow = typeof passkeys.$inferSelect

export type NewPasskey = Omit<PasskeyRow, 'id' | 'userId' | 'name' | 'createdAt' | 'lastUsedAt'>

const text = z.string()
const anyCredential = {
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  // No extension is asked for.
  clientExtensionResults: z.catch(z.object({}), {}),
}

const registration = z.object({
  ...anyCredential,
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.catch(z.array(text), []),
  }),
})

const authentication = z.object({
  ...anyCredential,
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: z.nullish(text),
  }),
})

const isFramed = (clientDataJSON: string): boolean => {
  const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
  return (data as { crossOrigin?: unknown }).crossOrigin === true
}

/**
 * No attestation is asked for, so none but a key's own counts. Others carry certificates, whose checks fetch
 * addresses that stand in them.
 */
const isAttestedByNobody = async (response: RegistrationResponseJSON): Promise<boolean> => {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const bytes = Buffer.from(response.response.attestationObject, 'base64url')
  const attestation = decodeAttestationObject(new Uint8Array(bytes))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'))
}

/** The answer to {@link creationOptions}; null for one that proves nothing. */
export const verifyNewPasskey = async (
  { id, origins }: RelyingParty,
  challenge: string,
  answer: Record<string, unknown>,
): Promise<NewPasskey | null> => {
  // Anything may have been sent: whatever the library stumbles over is no answer.
  try {
    const response = registration.parse(answer)
    if (isFramed(response.response.clientDataJSON)) return null
    if (!(await isAttestedByNobody(response))) return null
    const { verifyRegistrationResponse } = await library()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified || registrationInfo.credential.id !== response.id) return null
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo
    if (Buffer.byteLength(credential.id, 'base64url') > MAX_ID_BYTES) return null
    const { transports = [] } = response.response
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      backupEligible: credentialDeviceType === 'multiDevice',
      backedUp: credentialBackedUp,
      transports: transports.filter((name) => /^[a-z-]{1,20}$/.test(name)).slice(0, 8),
    }
  } catch {
    return null
  }
}

/** The use of a passkey; the row decides whether its counter counts. */
export type PasskeyUse = Pick<PasskeyRow, 'id' | 'counter' | 'backedUp'>

/** The answer to {@link requestOptions} by this passkey; null for one that proves nothing. */
export const verifyPasskey = async (
  { id, origins }: RelyingParty,
  challenge: string,
  stored: StoredPasskey,
  answer: Record<string, unknown>,
): Promise<PasskeyUse | null> => {
  try {
    const { response: sent, ...credential } = authentication.parse(answer)
    const { userHandle: handle, ...signed } = sent
    if (credential.id !== stored.credentialId) return null
    if (handle && handle !== userHandle(stored.userId)) return null
    if (isFramed(signed.clientDataJSON)) return null
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, response: signed },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: id,
      requireUserVerification: true,
      // The statement that stores the new counter compares it with the old one.
      credential: {
        id: stored.credentialId,
        publicKey: new Uint8Array(Buffer.from(stored.publicKey, 'base64url')),
        counter: 0,
      },
    })
    const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo
    // It never changes for one key, and keys that can be backed up may leave their counter alone.
    if (!verified || (credentialDeviceType === 'multiDevice') !== stored.backupEligible) return null
    return { id: stored.id, counter: newCounter, backedUp: credentialBackedUp }
  } catch {
    return null
  }
}

/** The credential that an answer names, before anything is known of it; '' where it names none. */
export const namedCredential = ({ id }: Record<string, unknown>): string =>
  typeof id === 'string' && /^[\w-]{1,1400}$/.test(id) ? id : ''
