import { tokenPrefix } from '#contract/accounts/tokens.ts'
import type { Authenticate } from '#server/http/authorise.ts'
import { hashTokenSecret } from '#server/secrets/token-secret.ts'
import { findActor } from './store/sessions.ts'
import { findTokenActor } from './store/tokens.ts'
import { readToken } from './token.ts'

export const authenticate: Authenticate = async (token, { config, db }, use) => {
  if (token.startsWith(tokenPrefix)) {
    const found = await findTokenActor(db, hashTokenSecret(token))
    return found ? { ...found, sessionId: '', hasSteppedUp: false, device: null } : null
  }
  const named = await readToken(config.authSecret, token)
  return (named && (await findActor(db, named, use))) ?? null
}
