import type { secondFactor } from '#contract/accounts/second-factor.ts'
import type { BodyOf } from '#contract/http/endpoint.ts'
import type { Config } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { decrypt, totpPurpose } from '#server/secrets/encrypt.ts'
import { hashTokenSecret } from '#server/secrets/token-secret.ts'
import { type AnsweringPasskey, type Asked, takePasskeyChallenge } from '../store/challenges.ts'
import { type Proof, passkeyProof, recoveryProof, totpProof } from '../store/proofs.ts'
import { namedCredential, verifyPasskey } from './passkey.ts'
import { hashRecoveryCode } from './recovery.ts'
import { relyingParty } from './relying-party.ts'
import { stepOf } from './totp.ts'

/** A code of the authenticator app; undefined for a wrong one. */
export const proveTotp = async (
  { authSecret }: Pick<Config, 'authSecret'>,
  userId: string,
  encrypted: string | null,
  code: string,
): Promise<Proof | undefined> => {
  const secret = encrypted && decrypt(authSecret, totpPurpose(userId), encrypted)
  const step = secret ? await stepOf(secret, code) : null
  return step === null ? undefined : totpProof(userId, step)
}

/** One of the asked account's second factors; undefined for a wrong one. */
export const proveFactor = async (
  config: Config,
  { userId, totpSecret, passkeyChallenge, passkey }: Asked,
  { code, recoveryCode, response }: BodyOf<typeof secondFactor>,
): Promise<Proof | undefined> => {
  if (code !== undefined) return proveTotp(config, userId, totpSecret, code)
  if (recoveryCode !== undefined)
    return recoveryProof(userId, hashRecoveryCode(userId, recoveryCode))
  const use =
    passkey &&
    response &&
    (await verifyPasskey(relyingParty(config), passkeyChallenge, passkey, response))
  return use ? passkeyProof(use) : undefined
}

/**
 * The answer to a challenge for any passkey. The challenge is taken before anything is checked.
 *
 * @returns whether there was such a challenge, the passkey that the answer names, where there is one, and the
 * proof, where it is right
 */
export const provePasskey = async (
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { challenge, response }: { challenge: string; response: Record<string, unknown> },
): Promise<{ wasAsked: boolean; passkey?: AnsweringPasskey; proof?: Proof }> => {
  const taken = await takePasskeyChallenge(
    db,
    hashTokenSecret(challenge),
    namedCredential(response),
  )
  const wasAsked = taken !== undefined
  if (!taken?.passkey) return { wasAsked }
  const { passkey, passkeyChallenge } = taken
  const use = await verifyPasskey(relyingParty(config), passkeyChallenge, passkey, response)
  return use ? { wasAsked, passkey, proof: passkeyProof(use) } : { wasAsked, passkey }
}
