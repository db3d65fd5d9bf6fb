import type { Account, SignedIn } from '#contract/accounts/auth.ts'
import type { Deps } from '#server/deps.ts'
import type { CallRequest } from '#server/http/route.ts'
import { renderNewDevice } from '#server/mail-out/render/account.ts'
import { newTokenSecret } from '#server/secrets/token-secret.ts'
import { browserLabel } from './device.ts'
import type { StoredAccount } from './store/accounts.ts'
import type { NewSession, StartedSession } from './store/sessions.ts'
import { signToken } from './token.ts'

export const publicAccount = ({ id, username, email, role }: StoredAccount): Account => ({
  id,
  username,
  email,
  role,
  isSuperuser: role === 'superuser',
})

/** A session to be, and what only its token holds. */
export const newSession = ({ userAgent }: CallRequest, device: string | null) => {
  const { secret, hash } = newTokenSecret()
  return { session: { tokenHash: hash, browser: browserLabel(userAgent), device }, secret }
}

export const newDeviceNotice = ({ browser }: NewSession, { config }: Deps) =>
  renderNewDevice(browser, config.siteUrl)

export const signedIn = async (
  started: StartedSession,
  secret: string,
  { config }: Deps,
): Promise<SignedIn> => {
  const { id: userId, expiresAt } = started
  const token = await signToken(config.authSecret, { userId, secret, expiresAt })
  return { token, expiresAt, user: publicAccount(started) }
}

/** Ends a sign-in, or the change of a password that continues one. */
export const finishSignIn = (
  event: 'sign_in' | 'password_changed',
  started: StartedSession,
  secret: string,
  { requestId, afterResponse }: CallRequest,
  deps: Deps,
): Promise<SignedIn> => {
  deps.log({ level: 'info', event, requestId, userId: started.id })
  afterResponse(deps.deliver())
  return signedIn(started, secret, deps)
}
