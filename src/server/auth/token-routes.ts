import * as contract from '#contract/accounts/tokens.ts'
import { limits } from '#contract/limits.ts'
import { HttpError, orNotFound, pathId } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import { hashTokenSecret, newTokenSecret } from '#server/secrets/token-secret.ts'
import { addToken, endTokens, listTokens } from './store/tokens.ts'

export const tokenRoutes: Route[] = [
  route(contract.listTokens, async ({ actor }, { db }) => ({
    data: (await listTokens(db, actor.id)) ?? [],
  })),

  route(contract.addToken, async ({ body, actor }, { db }) => {
    const token = `${contract.tokenPrefix}${newTokenSecret().secret}`
    const made = await addToken(db, actor, { ...body, hash: hashTokenSecret(token) })
    if (!made)
      throw new HttpError(
        'conflict',
        `An account has ${limits.tokens} tokens at most. End one that is not used.`,
      )
    return { data: { ...made, token } }
  }),

  route(contract.endToken, async ({ params, actor }, { db }) => {
    const which = { userId: actor.id, tokenId: pathId(params) }
    orNotFound((await endTokens(db, actor, which)) || undefined)
    return { data: {} }
  }),

  route(contract.listUserTokens, async ({ params }, { db }) => ({
    data: orNotFound(await listTokens(db, pathId(params))),
  })),

  route(contract.endUserTokens, async ({ params, actor }, { db }) => {
    const ended = orNotFound(await endTokens(db, actor, { userId: pathId(params) }))
    return { data: { ended } }
  }),

  route(contract.endUserToken, async ({ params, actor }, { db }) => {
    const which = { userId: pathId(params), tokenId: pathId({ id: params.token }) }
    orNotFound((await endTokens(db, actor, which)) || undefined)
    return { data: {} }
  }),
]
