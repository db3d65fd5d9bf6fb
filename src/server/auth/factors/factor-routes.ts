import * as contract from '#contract/accounts/second-factor.ts'
import type { Deps } from '#server/deps.ts'
import { requiresSecondFactor } from '#server/http/authorise.ts'
import { HttpError, orNotFound, pathId } from '#server/http/http-error.ts'
import { type Actor, type CallRequest, type Route, route } from '#server/http/route.ts'
import { renderFactorAdded, renderFactorRemoved } from '#server/mail-out/render/account.ts'
import { decrypt, encrypt, totpPurpose } from '#server/secrets/encrypt.ts'
import { hashTokenSecret, newTokenSecret } from '#server/secrets/token-secret.ts'
import { refusedBy, withPassword } from '../attempt.ts'
import { recordRefused } from '../store/attempts.ts'
import { askNewPasskey, takeNewPasskeyChallenge } from '../store/challenges.ts'
import {
  confirmTotp,
  findTotp,
  insertPasskey,
  listFactors,
  passkeyExists,
  proposeTotp,
  removeFactor,
  renamePasskey,
  replaceRecoveryCodes,
} from '../store/factors.ts'
import { stepUpWith } from '../store/proofs.ts'
import { creationOptions, newPasskeyChallenge, verifyNewPasskey } from './passkey.ts'
import { provePasskey, proveTotp } from './proofs.ts'
import { newRecoveryCodes } from './recovery.ts'
import { relyingParty } from './relying-party.ts'
import { newTotp, stepOf } from './totp.ts'

/** Removes a passkey, or the authenticator app for null. */
const remove = async (
  passkeyId: string | null,
  actor: Actor,
  { afterResponse }: CallRequest,
  deps: Deps,
) => {
  const { config } = deps
  await removeFactor(deps.db, actor, passkeyId, {
    isRequired: requiresSecondFactor(config, actor.role),
    notice: renderFactorRemoved(passkeyId ? 'a passkey' : 'the authenticator app', config.siteUrl),
  })
  afterResponse(deps.deliver())
  return { data: {} }
}

/** Confirms the actor by password, and by a code where the account has an authenticator app. */
const stepUpByPassword = (
  { password, code }: { password: string; code?: string | undefined },
  actor: Actor,
  request: CallRequest,
  deps: Deps,
): Promise<string | undefined> =>
  withPassword(
    { email: actor.email, password, device: actor.device },
    request,
    deps,
    async (_account, attempt) => {
      const { db, config } = deps
      const totp = await findTotp(db, actor.id)
      if (!totp?.secret) {
        const until = await stepUpWith(db, actor, undefined, attempt)
        return until === undefined ? 'void' : { done: until }
      }
      const proof = await proveTotp(config, actor.id, totp.secret, code ?? '')
      const until = proof && (await stepUpWith(db, actor, proof, attempt))
      return until === undefined ? 'wrong' : { done: until }
    },
  )

const stepUpByPasskey = async (
  answer: { challenge: string; response: Record<string, unknown> },
  actor: Actor,
  { ip }: CallRequest,
  deps: Deps,
): Promise<string | undefined> => {
  const { db, config } = deps
  const { wasAsked, passkey, proof } = await provePasskey(deps, answer)
  const isOwn = passkey?.userId === actor.id
  const until = proof && isOwn ? await stepUpWith(db, actor, proof) : undefined
  if (wasAsked && until === undefined)
    await recordRefused(db, refusedBy(config, { email: actor.email, ip }))
  return until
}

export const factorRoutes: Route[] = [
  route(contract.stepUp, async ({ body, actor, request }, deps) => {
    const { password, code, challenge, response } = body
    let until: string | undefined
    if (password) until = await stepUpByPassword({ password, code }, actor, request, deps)
    else if (challenge !== undefined && response !== undefined)
      until = await stepUpByPasskey({ challenge, response }, actor, request, deps)
    if (until === undefined) throw new HttpError('invalid_credentials')
    return { data: { until } }
  }),

  route(contract.factors, async ({ actor }, { db, config }) => ({
    data: {
      ...(await listFactors(db, actor.id)),
      required: requiresSecondFactor(config, actor.role),
    },
  })),

  route(contract.passkeyAddOptions, async ({ actor }, { db, config }) => {
    const { secret: challenge, hash } = newTokenSecret()
    const passkeyChallenge = newPasskeyChallenge()
    const existing = await askNewPasskey(db, actor.id, { hash, passkeyChallenge })
    const options = creationOptions(relyingParty(config), passkeyChallenge, actor, existing)
    return { data: { challenge, options } }
  }),

  route(contract.addPasskey, async ({ body, actor, request }, deps) => {
    const { db, config } = deps
    const { challenge, response, name } = body
    const passkeyChallenge = await takeNewPasskeyChallenge(db, actor.id, hashTokenSecret(challenge))
    const key =
      passkeyChallenge && (await verifyNewPasskey(relyingParty(config), passkeyChallenge, response))
    if (!key) throw new HttpError('invalid_credentials')
    const { codes, hashes } = newRecoveryCodes(actor.id)
    const notice = renderFactorAdded('a passkey', config.siteUrl)
    const added = await insertPasskey(db, actor, { ...key, name }, { hashes, notice })
    if (!added) throw new HttpError('invalid_credentials')
    request.afterResponse(deps.deliver())
    const { isFirst, ...passkey } = added
    return { data: { ...passkey, ...(isFirst ? { recoveryCodes: codes } : {}) } }
  }),

  route(
    contract.renamePasskey,
    async ({ params, body, actor }, { db }) => ({
      data: orNotFound(await renamePasskey(db, actor, pathId(params), body.name)),
    }),
    { exists: (params, { db }, actor) => passkeyExists(db, actor, pathId(params)) },
  ),

  route(contract.removePasskey, ({ params, actor, request }, deps) =>
    remove(pathId(params), actor, request, deps),
  ),

  route(contract.beginTotp, async ({ actor }, { db, config }) => {
    const totp = await newTotp(actor.email)
    await proposeTotp(db, actor.id, encrypt(config.authSecret, totpPurpose(actor.id), totp.secret))
    return { data: totp }
  }),

  route(contract.confirmTotp, async ({ body, actor, request }, deps) => {
    const { db, config } = deps
    const { pending } = (await findTotp(db, actor.id)) ?? {}
    const secret = pending && decrypt(config.authSecret, totpPurpose(actor.id), pending)
    const step = secret ? await stepOf(secret, body.code) : null
    if (!pending || step === null) throw new HttpError('invalid_credentials')
    const { codes, hashes } = newRecoveryCodes(actor.id)
    const notice = renderFactorAdded('an authenticator app', config.siteUrl)
    const confirmed = await confirmTotp(db, actor, { pending, step, hashes, notice })
    if (!confirmed) throw new HttpError('invalid_credentials')
    request.afterResponse(deps.deliver())
    return { data: confirmed.isFirst ? { recoveryCodes: codes } : {} }
  }),

  route(contract.removeTotp, ({ actor, request }, deps) => remove(null, actor, request, deps)),

  route(contract.renewRecoveryCodes, async ({ actor, request }, deps) => {
    const { codes, hashes } = newRecoveryCodes(actor.id)
    const notice = renderFactorAdded('new recovery codes', deps.config.siteUrl)
    if (!(await replaceRecoveryCodes(deps.db, actor, { hashes, notice })))
      throw new HttpError('conflict', 'Recovery codes stand for a second factor. Add one first.')
    request.afterResponse(deps.deliver())
    return { data: { recoveryCodes: codes } }
  }),
]
