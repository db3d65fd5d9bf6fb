import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as contract from '#contract/accounts/links.ts'
import { email as emailSchema } from '#contract/fields.ts'
import { limits } from '#contract/limits.ts'
import { isLimitReached, limitFor, perHour } from '#server/db/rate-limit.ts'
import { withoutTimeLimit } from '#server/db/time-limit.ts'
import { type Deps, nameOf } from '#server/deps.ts'
import { invalidField, orNotFound, pathId } from '#server/http/http-error.ts'
import { countByIp } from '#server/http/rate-limited.ts'
import { refuseDuplicate, refuseTaken } from '#server/http/refuse-taken.ts'
import { type Route, route } from '#server/http/route.ts'
import {
  renderInvitation,
  renderPasswordChanged,
  renderReset,
} from '#server/mail-out/render/account.ts'
import { hashPassword } from '#server/password/hash.ts'
import { passwordProblem } from '#server/password/rules.ts'
import { hashTokenSecret, newTokenSecret } from '#server/secrets/token-secret.ts'
import { accountLimits } from '../attempt.ts'
import { namedDevice } from '../device.ts'
import { newDeviceNotice, newSession, signedIn } from '../sign-in.ts'
import {
  acceptInvitation,
  createInvitation,
  createReset,
  endInvitation,
  findInvitation,
  findReset,
  listInvitations,
} from '../store/links.ts'
import { replaceForgottenPassword } from '../store/passwords.ts'

/** Invitations and forgotten passwords: links whose secret stands in the fragment, and that a POST uses up. */

const linkTo = (siteUrl: string, page: 'invitation' | 'reset', token: string): string =>
  `${siteUrl}/admin/${page}#${token}`

/** The work of a reset begins within this time after the answer. */
const RESET_WITHIN_MS = 1_000

/** Sends a link for a new password, where an account has the address and the hour allows another one. */
const sendReset = async (email: string, { config, db, ...deps }: Deps): Promise<void> => {
  const { secret, hash } = newTokenSecret()
  const link = linkTo(config.siteUrl, 'reset', secret)
  const limit = limitFor(config, 'reset', email.toLowerCase(), perHour(limits.resetsPerHour))
  try {
    // The embedded database delays other calls during this work, longer for a known address. After a
    // random pause, the time of the next call does not show which it was.
    await sleep(randomInt(RESET_WITHIN_MS))
    const mail = renderReset(link)
    await createReset(db, config.authSecret, { email, hash, mail, limit })
    await deps.deliver()
  } catch (error) {
    if (isLimitReached(error)) return
    deps.log({ level: 'error', event: 'reset_not_sent', name: nameOf(error) })
  }
}

export const linkRoutes: Route[] = [
  route(contract.listInvitations, async (_call, { db }) => ({
    data: await listInvitations(db),
  })),

  route(contract.invite, async ({ body, actor, request }, deps) => {
    const { db, config, log } = deps
    const { email, role, username = null } = body
    await refuseTaken(db, body)
    const { secret, hash } = newTokenSecret()
    const link = linkTo(config.siteUrl, 'invitation', secret)
    const mail = renderInvitation(actor.username, role, link)
    const created = await createInvitation(db, config.authSecret, actor, {
      hash,
      email,
      role,
      username,
      mail,
    })
    request.afterResponse(deps.deliver())
    const { requestId } = request
    log({ level: 'info', event: 'invited', requestId, by: actor.id, invitationId: created._id })
    return { data: { ...created, link } }
  }),

  route(contract.endInvitation, async ({ params, actor }, { db }) => {
    orNotFound(await endInvitation(db, actor, pathId(params)))
    return { data: {} }
  }),

  route(contract.readInvitation, async ({ body }, { db }) => ({
    data: orNotFound(await findInvitation(db, hashTokenSecret(body.token))),
  })),

  route(contract.acceptInvitation, async ({ body, request }, deps) => {
    const { db } = deps
    const hash = hashTokenSecret(body.token)
    const { username, password } = body
    const found = orNotFound(await findInvitation(db, hash))
    const problem = await passwordProblem(deps.config, { username, email: found.email, password })
    if (problem) throw invalidField('password', problem)
    const wanted = { email: found.email, username }
    await refuseTaken(db, wanted)
    const passwordHash = await hashPassword(password)
    const { session, secret } = newSession(request, namedDevice(body.device))
    const notice = newDeviceNotice(session, deps)
    const accepted = acceptInvitation(db, hash, { username, passwordHash }, { session, notice })
    // Taken since it was asked above.
    const started = orNotFound(await accepted.catch(refuseDuplicate(db, wanted)))
    const { requestId } = request
    deps.log({ level: 'info', event: 'invitation_accepted', requestId, userId: started.id })
    return signedIn(started, secret, deps)
  }),

  route(contract.requestReset, async ({ body, request }, deps) => {
    await countByIp(deps, 'link-request', request, perHour(limits.linkRequestsPerHour))
    // Known and unknown addresses take the same time, because all that differs comes after the answer.
    const parsed = emailSchema.safeParse(body.email)
    if (parsed.success) request.afterResponse(withoutTimeLimit(() => sendReset(parsed.data, deps)))
    return { data: {} }
  }),

  route(contract.confirmReset, async ({ body, request }, deps) => {
    const { db, config } = deps
    const linkHash = hashTokenSecret(body.token)
    const found = orNotFound(await findReset(db, linkHash))
    const problem = await passwordProblem(config, { ...found, password: body.newPassword })
    if (problem) throw invalidField('newPassword', problem)
    const newHash = await hashPassword(body.newPassword)
    orNotFound(
      await replaceForgottenPassword(db, {
        linkHash,
        newHash,
        forget: accountLimits(config, found),
        notice: renderPasswordChanged(config.siteUrl),
      }),
    )
    request.afterResponse(deps.deliver())
    deps.log({ level: 'info', event: 'password_reset', requestId: request.requestId })
    return { data: {} }
  }),
]
