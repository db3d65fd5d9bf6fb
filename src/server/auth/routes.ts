import {
  changePassword,
  endSession,
  login,
  logout,
  me,
  type SecondFactorWanted,
  type SignedIn,
  sessions,
} from '#contract/accounts/auth.ts'
import {
  passkeySignIn,
  passkeySignInOptions,
  secondFactor,
} from '#contract/accounts/second-factor.ts'
import { limits } from '#contract/limits.ts'
import { limitFor, perDay } from '#server/db/rate-limit.ts'
import type { Deps } from '#server/deps.ts'
import { json } from '#server/http/answer.ts'
import { HttpError, invalidField, orNotFound, pathId } from '#server/http/http-error.ts'
import { countByIp } from '#server/http/rate-limited.ts'
import { type CallRequest, type Route, route } from '#server/http/route.ts'
import {
  renderPasswordChanged,
  renderRecoveryCodeUsed,
  renderWrongFactors,
} from '#server/mail-out/render/account.ts'
import { hashPassword, isOutdated } from '#server/password/hash.ts'
import { passwordProblem } from '#server/password/rules.ts'
import { hashTokenSecret, newTokenSecret } from '#server/secrets/token-secret.ts'
import { type Checked, refusedBy, withAttempt, withPassword } from './attempt.ts'
import { namedDevice } from './device.ts'
import { namedCredential, newPasskeyChallenge, requestOptions } from './factors/passkey.ts'
import { proveFactor, provePasskey } from './factors/proofs.ts'
import { relyingParty } from './factors/relying-party.ts'
import { finishSignIn, newDeviceNotice, newSession, publicAccount } from './sign-in.ts'
import type { VerifiedAccount } from './store/accounts.ts'
import { type Attempt, recordRefused } from './store/attempts.ts'
import {
  askAgain,
  askPasskey,
  askSecondFactor,
  countWrongFactor,
  findAsked,
  takeAsked,
} from './store/challenges.ts'
import { replacePassword, upgradeHash } from './store/passwords.ts'
import { signInWith } from './store/proofs.ts'
import { endOwnSession, listSessions, startSession } from './store/sessions.ts'

/** Makes a weak hash anew. The sign-in has succeeded: what fails here is tried again with the next one. */
const strengthenHash = async (
  account: VerifiedAccount,
  password: string,
  requestId: string,
  { db, log }: Deps,
): Promise<void> => {
  try {
    if (await isOutdated(account.passwordHash))
      await upgradeHash(db, account, await hashPassword(password))
  } catch {
    log({ level: 'warn', event: 'hash_not_strengthened', requestId, userId: account.id })
  }
}

/** One answer for an unknown account and for a wrong secret. */
const refuse = ({ log }: Deps, { requestId }: CallRequest): never => {
  log({ level: 'warn', event: 'sign_in_refused', requestId })
  throw new HttpError('invalid_credentials')
}

/** The password was right: asks for the second factor. */
const wantSecondFactor = async (
  account: VerifiedAccount,
  device: string | null,
  attempt: Attempt,
  { db, config }: Deps,
): Promise<SecondFactorWanted | undefined> => {
  const { secret: challenge, hash } = newTokenSecret()
  const passkeyChallenge = newPasskeyChallenge()
  const asked = await askSecondFactor(db, account, { hash, passkeyChallenge, device }, attempt)
  if (!asked) return undefined
  const { totp, recoveryCodes, passkeys, expiresAt } = asked
  const hasPasskey = passkeys.length > 0
  return {
    challenge,
    methods: [
      ...(totp ? (['totp'] as const) : []),
      ...(recoveryCodes > 0 ? (['recovery'] as const) : []),
      ...(hasPasskey ? (['passkey'] as const) : []),
    ],
    expiresAt,
    ...(hasPasskey
      ? { options: requestOptions(relyingParty(config), passkeyChallenge, passkeys) }
      : {}),
  }
}

type LoginAnswer = SignedIn | { secondFactor: SecondFactorWanted }

const done = <T>(value: T | undefined): Checked<T> =>
  value === undefined ? 'void' : { done: value }

export const authRoutes: Route[] = [
  route(login, async ({ body, request }, deps) => {
    const { db } = deps
    const device = namedDevice(body.device)
    const { session, secret } = newSession(request, device)
    const { email, password } = body
    const answer = await withPassword<LoginAnswer>(
      { email, password, device },
      request,
      deps,
      async (account, attempt) => {
        if (account.factorCount > 0) {
          const wanted = await wantSecondFactor(account, device, attempt, deps)
          return done(wanted && { secondFactor: wanted })
        }
        const notice = newDeviceNotice(session, deps)
        const started = await startSession(db, account, session, { attempt, notice })
        if (!started) return 'void'
        await strengthenHash(account, password, request.requestId, deps)
        return done(await finishSignIn('sign_in', started, secret, request, deps))
      },
    )
    return answer ?? refuse(deps, request)
  }),

  route(secondFactor, async ({ body, request }, deps) => {
    const { db, config } = deps
    const hash = hashTokenSecret(body.challenge)
    const found = await findAsked(db, hash)
    if (!found) return refuse(deps, request)
    const { session, secret } = newSession(request, found.device)
    const answer = await withAttempt(found, request, deps, async (_account, attempt) => {
      const asked = await takeAsked(db, hash, namedCredential(body.response ?? {}))
      // Somebody else has answered it meanwhile.
      if (!asked) return 'void'
      const proof = await proveFactor(config, asked, body)
      const started =
        proof &&
        (await signInWith(db, proof, {
          session,
          newDevice: newDeviceNotice(session, deps),
          recoveryCodeUsed: renderRecoveryCodeUsed(config.siteUrl),
          attempt,
          credentialVersion: asked.credentialVersion,
        }))
      if (!started) {
        await askAgain(db, hash, asked)
        await countWrongFactor(db, asked.userId, {
          limit: limitFor(config, 'wrong-factor', asked.userId, perDay(limits.challengeTries)),
          notice: renderWrongFactors(config.siteUrl),
        })
        request.afterResponse(deps.deliver())
        return 'wrong'
      }
      return { done: await finishSignIn('sign_in', started, secret, request, deps) }
    })
    return answer ?? refuse(deps, request)
  }),

  route(passkeySignInOptions, async ({ request }, { db, config }) => {
    const limit = { max: limits.passkeyOptions, windowSeconds: 15 * 60 }
    await countByIp({ db, config }, 'passkey-options', request, limit)
    const { secret: challenge, hash } = newTokenSecret()
    const passkeyChallenge = newPasskeyChallenge()
    await askPasskey(db, { hash, passkeyChallenge })
    return { data: { challenge, options: requestOptions(relyingParty(config), passkeyChallenge) } }
  }),

  route(passkeySignIn, async ({ body, request }, deps) => {
    const { db, config } = deps
    const { session, secret } = newSession(request, namedDevice(body.device))
    const { wasAsked, passkey, proof } = await provePasskey(deps, body)
    const started =
      proof &&
      (await signInWith(db, proof, {
        session,
        newDevice: newDeviceNotice(session, deps),
        recoveryCodeUsed: renderRecoveryCodeUsed(config.siteUrl),
      }))
    if (!started) {
      // No limit counts these calls. Challenges are limited, so the audit log does not grow without end.
      if (wasAsked)
        await recordRefused(db, refusedBy(config, { email: passkey?.email, ip: request.ip }))
      return refuse(deps, request)
    }
    return finishSignIn('sign_in', started, secret, request, deps)
  }),

  route(me, async ({ actor }) => ({ data: publicAccount(actor) })),

  route(logout, async ({ actor }, deps) => {
    await endOwnSession(deps.db, actor, actor.sessionId, 'sign_out')
    const answer = json(200, { success: true, data: {} })
    // The admin removes its own keys, so that what belongs to the device stays.
    answer.headers.set('Clear-Site-Data', '"cache"')
    return answer
  }),

  route(changePassword, async ({ body, actor, request }, deps) => {
    const problem = await passwordProblem(deps.config, { ...actor, password: body.newPassword })
    if (problem) throw invalidField('newPassword', problem)
    if (actor.mustChangePassword && body.newPassword === body.currentPassword)
      throw invalidField('newPassword', 'Choose another password than the one that you have.')
    const { session, secret } = newSession(request, actor.device)
    const started = await withPassword(
      { email: actor.email, password: body.currentPassword, device: actor.device },
      request,
      deps,
      async (account, attempt) => {
        const newHash = await hashPassword(body.newPassword)
        const notice = renderPasswordChanged(deps.config.siteUrl)
        return done(
          await replacePassword(deps.db, account, newHash, { session, actor, attempt, notice }),
        )
      },
    )
    if (!started) throw invalidField('currentPassword', 'That is not your current password.')
    return finishSignIn('password_changed', started, secret, request, deps)
  }),

  route(sessions, async ({ actor }, { db }) => ({ data: await listSessions(db, actor) })),

  route(endSession, async ({ params, actor }, { db }) => {
    orNotFound(await endOwnSession(db, actor, pathId(params), 'session.end'))
    return { data: {} }
  }),
]
