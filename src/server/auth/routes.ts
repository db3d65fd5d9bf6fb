import {
  type Account,
  changePassword,
  endSession,
  login,
  logout,
  me,
  sessions,
} from '#contract/auth.ts'
import type { Deps } from '#server/deps.ts'
import { json } from '#server/http/answer.ts'
import { HttpError, invalidField } from '#server/http/http-error.ts'
import { pathId } from '#server/http/id.ts'
import { type Route, route } from '#server/http/route.ts'
import { hashPassword, isOutdated } from '#server/password/hash.ts'
import { passwordProblem } from '#server/password/rules.ts'
import { withPassword } from './attempt.ts'
import { browserLabel } from './browser.ts'
import {
  endOwnSession,
  listSessions,
  replacePassword,
  type StartedSession,
  type StoredAccount,
  startSession,
  upgradeHash,
  type VerifiedAccount,
} from './store.ts'
import { newTokenSecret, signToken } from './token.ts'

const publicAccount = ({ id, username, email, role }: StoredAccount): Account => ({
  id,
  username,
  email,
  role,
  isSuperuser: role === 'superuser',
})

const signedIn = async (
  { account, expiresAt }: StartedSession,
  secret: string,
  { config }: Deps,
) => ({
  token: await signToken(config.authSecret, { userId: account.id, secret, expiresAt }),
  expiresAt,
  user: publicAccount(account),
})

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

export const authRoutes: Route[] = [
  route(login, async ({ body, request }, deps) => {
    const { requestId } = request
    const { secret, hash } = newTokenSecret()
    const browser = browserLabel(request.userAgent)
    const started = await withPassword(body, request, deps, async (account, attempt) => {
      const session = { tokenHash: hash, browser }
      const opened = await startSession(deps.db, account, session, attempt)
      if (opened) await strengthenHash(account, body.password, requestId, deps)
      return opened
    })
    if (!started) {
      deps.log({ level: 'warn', event: 'sign_in_refused', requestId })
      throw new HttpError('invalid_credentials')
    }
    deps.log({ level: 'info', event: 'sign_in', requestId, userId: started.account.id })
    return signedIn(started, secret, deps)
  }),

  route(me, async ({ actor }) => ({ data: publicAccount(actor) })),

  route(logout, async ({ actor }, { db }) => {
    await endOwnSession(db, actor, actor.sessionId, 'sign_out')
    const answer = json(200, { success: true, data: {} })
    // The admin removes its own keys, so that what belongs to the device stays.
    answer.headers.set('Clear-Site-Data', '"cache"')
    return answer
  }),

  route(changePassword, async ({ body, actor, request }, deps) => {
    const problem = passwordProblem({ ...actor, password: body.newPassword })
    if (problem) throw invalidField('newPassword', problem)
    const { secret, hash } = newTokenSecret()
    const browser = browserLabel(request.userAgent)
    const started = await withPassword(
      { email: actor.email, password: body.currentPassword },
      request,
      deps,
      async (account, attempt) => {
        const newHash = await hashPassword(body.newPassword)
        const session = { tokenHash: hash, browser }
        return replacePassword(deps.db, account, newHash, session, attempt)
      },
    )
    if (!started) throw invalidField('currentPassword', 'That is not your current password.')
    deps.log({
      level: 'info',
      event: 'password_changed',
      requestId: request.requestId,
      userId: actor.id,
    })
    return signedIn(started, secret, deps)
  }),

  route(sessions, async ({ actor }, { db }) => ({ data: await listSessions(db, actor) })),

  route(endSession, async ({ params, actor }, { db }) => {
    if (!(await endOwnSession(db, actor, pathId(params), 'session.end')))
      throw new HttpError('not_found')
    return { data: {} }
  }),
]
