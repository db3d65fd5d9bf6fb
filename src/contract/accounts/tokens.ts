import * as z from 'zod/mini'
import { id, instant, isoTimestamp } from '#contract/fields.ts'
import { type Scope, scopes } from '#contract/http/access.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { oneLine } from '#contract/text.ts'

/** Tokens that programs call the API with, on behalf of the person who made them. */

export const tokenPrefix = 'fl_'

const token = z.object({
  _id: id,
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  createdAt: isoTimestamp,
  expiresAt: isoTimestamp,
  lastUsedAt: z.nullable(isoTimestamp),
})
export type Token = z.output<typeof token>

const expirySentence = 'A token ends at a time to come, within a year.'

const inOneYear = (): number => {
  const end = new Date()
  return end.setUTCFullYear(end.getUTCFullYear() + 1)
}

const isWithinYear = (value: string): boolean => {
  const time = instant(value)?.getTime() ?? 0
  return time > Date.now() && time <= inOneYear()
}

const list = z.object({ data: z.array(token) })

export const listTokens = endpoint('GET /api/me/tokens', {
  summary: 'One’s own tokens, newest first',
  access: 'records.read',
  output: list,
})

export const addToken = endpoint('POST /api/me/tokens', {
  summary: 'Make a token for a program; the answer alone shows it',
  access: 'records.read',
  stepUp: true,
  body: z.object({
    name: oneLine('The name', { max: limits.tokenName }),
    scopes: z
      .array(z.enum(scopes, { error: 'Unknown scope.' }), { error: 'Send a list of scopes.' })
      .check(
        z.minLength(1, 'Choose at least one scope.'),
        z.maxLength(scopes.length, 'Name each scope once.'),
        z.overwrite((given): Scope[] => scopes.filter((scope) => given.includes(scope))),
      ),
    expiresAt: z.string({ error: expirySentence }).check(
      z.refine(isWithinYear, { error: expirySentence }),
      z.overwrite((value) => instant(value)?.toISOString() ?? value),
      z.meta({ format: 'date-time' }),
    ),
  }),
  output: z.object({ data: z.object({ ...token.shape, token: z.string() }) }),
  status: 201,
})

export const endToken = endpoint('DELETE /api/me/tokens/:id', {
  summary: 'End one of one’s own tokens',
  access: 'records.read',
})

export const listUserTokens = endpoint('GET /api/users/:id/tokens', {
  summary: 'A user’s tokens, newest first',
  access: 'users.manage',
  output: list,
})

export const endUserTokens = endpoint('DELETE /api/users/:id/tokens', {
  summary: 'End every token of a user',
  access: 'users.manage',
  stepUp: true,
  output: z.object({ data: z.object({ ended: z.int() }) }),
})

export const endUserToken = endpoint('DELETE /api/users/:id/tokens/:token', {
  summary: 'End one token of a user',
  access: 'users.manage',
  stepUp: true,
})
