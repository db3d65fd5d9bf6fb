import type { Authenticate } from '#server/http/authorise.ts'
import { findActor } from './store/sessions.ts'
import { readToken } from './token.ts'

export const authenticate: Authenticate = async (token, { config, db }, use) => {
  const named = await readToken(config.authSecret, token)
  return (named && (await findActor(db, named, use))) ?? null
}
