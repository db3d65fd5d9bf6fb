import { createHmac } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose'
import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { sessions } from '#server/db/schema/accounts/users.ts'
import { type TestApi, test } from '#server/testing.ts'
import { meStatus, signInAs } from './testing.ts'
import { signToken } from './token.ts'

const base64url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs any header and claims with the product's own secret: what only a leak or a bug could. */
const forge = (api: TestApi, header: object, claims: object): string => {
  const signed = `${base64url(header)}.${base64url(claims)}`
  const signature = createHmac('sha256', api.deps.config.authSecret).update(signed)
  return `${signed}.${signature.digest('base64url')}`
}

test('a token names user, session, issuer, audience and end, and nothing about the person', async ({
  api,
}) => {
  const { id, token } = await signInAs(api.deps, 'admin')
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' })
  const claims = decodeJwt(token)
  expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sub'])
  expect(claims.sub).toBe(id)
  expect(Buffer.from(claims.jti ?? '', 'base64url')).toHaveLength(24)
})

test('the session’s secret is stored as a hash only', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'admin')
  const stored = JSON.stringify(await rows(api.deps.db, sql`select * from ${sessions}`))
  expect(stored).not.toContain(decodeJwt(token).jti)
  expect(stored).not.toContain(token)
})

test('an altered token is refused', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'user')
  const boss = await signInAs(api.deps, 'superuser')
  const [header, claims, signature] = token.split('.') as [string, string, string]
  const raised = base64url({ ...decodeJwt(token), sub: boss.id, role: 'superuser' })
  for (const altered of [
    `${header}.${raised}.${signature}`,
    `${header}.${claims}.${signature.slice(0, -2)}AA`,
    `${header}.${claims}.`,
    `${header}.${claims}`,
    `${header}..${signature}`,
    `${claims}.${header}.${signature}`,
    `${token}.${signature}`,
    token.slice(1),
    boss.token.split('.').slice(0, 2).concat(signature).join('.'),
  ])
    expect(await meStatus(api, altered), altered).toBe(401)
  expect(await meStatus(api, token)).toBe(200)
})

test('no other algorithm is taken, none least of all', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'admin')
  const claims = decodeJwt(token)
  const key = new TextEncoder().encode(api.deps.config.authSecret)
  const sign = (alg: string) =>
    new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT' }).sign(key)
  const unsigned = new UnsecuredJWT(claims).encode()
  for (const altered of [
    unsigned,
    `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(claims)}.`,
    `${base64url({ alg: 'None', typ: 'JWT' })}.${base64url(claims)}.${token.split('.')[2]}`,
    await sign('HS384'),
    await sign('HS512'),
  ])
    expect(await meStatus(api, altered), altered).toBe(401)
})

test('each part that a token must have is asked for, although the signature is right', async ({
  api,
}) => {
  const { token } = await signInAs(api.deps, 'admin')
  const header = { alg: 'HS256', typ: 'JWT' }
  const claims = decodeJwt(token)
  const without = (name: string) =>
    Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
  const now = Math.floor(Date.now() / 1_000)

  expect(await meStatus(api, forge(api, header, claims))).toBe(200)
  for (const name of Object.keys(claims))
    expect(await meStatus(api, forge(api, header, without(name))), `without ${name}`).toBe(401)
  for (const changed of [
    { iss: 'somebody' },
    { aud: 'somewhere' },
    { aud: [] },
    { exp: now - 10 },
    { exp: 'tomorrow' },
    { exp: null },
    { nbf: now + 600 },
    { jti: 'unknown' },
    { jti: 7 },
    { sub: '018f0000-0000-7000-8000-000000000000' },
    { sub: 'nobody' },
    { sub: 7 },
    { sub: "' or true --" },
  ])
    expect(
      await meStatus(api, forge(api, header, { ...claims, ...changed })),
      JSON.stringify(changed),
    ).toBe(401)
  for (const other of [
    { alg: 'HS256' },
    { alg: 'HS256', typ: 'at+jwt' },
    { alg: 'HS256', typ: 7 },
    { typ: 'JWT' },
    { ...header, crit: ['b64'], b64: false },
  ])
    expect(await meStatus(api, forge(api, other, claims)), JSON.stringify(other)).toBe(401)
})

test('a key that the token brings along is not used', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'admin')
  const own = 'a key of the attacker, as long as is asked'
  const k = Buffer.from(own).toString('base64url')
  for (const brought of [
    { jwk: { kty: 'oct', k } },
    { kid: '../../../dev/null' },
    { jku: 'https://attacker.example/keys' },
    { x5u: 'https://attacker.example/cert' },
    { x5c: [k] },
  ]) {
    const altered = await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...brought } as never)
      .sign(new TextEncoder().encode(own))
    expect(await meStatus(api, altered), JSON.stringify(brought)).toBe(401)
  }
})

test('a token of another secret is refused', async ({ api }) => {
  const { id, token } = await signInAs(api.deps, 'admin')
  const secret = decodeJwt(token).jti ?? ''
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const other = await signToken('another secret that is long enough to sign', {
    userId: id,
    secret,
    expiresAt,
  })
  expect(await meStatus(api, other)).toBe(401)
})

test('a short key signs nothing', async () => {
  const session = { userId: 'u', secret: 's', expiresAt: new Date().toISOString() }
  await expect(async () => signToken('too short', session)).rejects.toThrow('32 bytes')
})

test('only a well-formed bearer header carries a token', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'admin')
  const status = async (Authorization: string) =>
    (await api.request('/api/auth/me', { headers: { Authorization } })).status
  expect(await status(`Bearer ${token}`)).toBe(200)
  expect(await status(`bearer ${token}`)).toBe(200)
  for (const header of [
    token,
    `Bearer`,
    `Bearer `,
    `Bearer  ${token}`,
    `Bearer ${token} x`,
    `Bearer ${token},`,
    `Bearer "${token}"`,
    `Bearer ${token}, Bearer ${token}`,
    `Basic ${token}`,
    `Token ${token}`,
    `Bearer${token}`,
    `Bearer ${'x'.repeat(10_000)}`,
    `Bearer null`,
    `Bearer undefined`,
    `Bearer fake-admin-token`,
  ])
    expect(await status(header), header.slice(0, 60)).toBe(401)
})
