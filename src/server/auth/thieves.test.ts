import { expect } from 'vitest'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { test } from '#server/testing.ts'
import {
  addPasskey,
  addTotp,
  call,
  codeOf,
  login,
  mailedToken,
  post,
} from '#tests/second-factors.ts'
import { signInAs } from './testing.ts'

/** What a thief of a session, a password or a mailbox, and a stranger, are refused. */

const countRefused = async (db: Database): Promise<number> => {
  const [found] = await rows<{ n: number }>(
    db,
    sql`select coalesce(sum((details->>'count')::int), 0)::bigint as n from events where kind = 'sign_in_refused'`,
  )
  return found?.n ?? 0
}

test('the audit log names a wrong passkey once for each challenge, and never for an invented one', async ({
  api,
}) => {
  const { db } = api.deps
  const ada = await signInAs(api.deps, 'admin', 'ada')
  const { passkey } = await addPasskey(api, ada.token)
  const answer = async (path: string, token?: string) => {
    const { challenge, options } = (await post(api, '/api/auth/passkeys/sign-in/options')).body.data
    const body = { challenge, response: passkey.get(options, { otherKey: true }) }
    for (let n = 0; n < 3; n += 1) expect((await post(api, path, body, token)).status).toBe(401)
  }
  const invented = { challenge: 'invented', response: { id: passkey.id } }
  for (let n = 0; n < 3; n += 1) {
    expect((await post(api, '/api/auth/passkeys/sign-in', invented)).status).toBe(401)
    expect((await post(api, '/api/auth/step-up', invented, ada.token)).status).toBe(401)
  }
  expect(await countRefused(db)).toBe(0)
  await answer('/api/auth/passkeys/sign-in')
  expect(await countRefused(db)).toBe(1)
  await answer('/api/auth/step-up', ada.token)
  expect(await countRefused(db)).toBe(2)
})

test('an invitation ends when its sender is deleted or is no superuser any more', async ({
  api,
}) => {
  const boss = await signInAs(api.deps, 'superuser', 'boss')
  const invitedBy = async (name: string) => {
    const sender = await signInAs(api.deps, 'superuser', name)
    const body = { email: `${name}-friend@example.test`, role: 'superuser' }
    const { link } = (await post(api, '/api/users/invitations', body, sender.token)).body.data
    return { id: sender.id, token: link.split('#')[1] }
  }
  const read = async ({ token }: { token: string }) =>
    (await post(api, '/api/auth/invitation', { token })).status
  const accept = async ({ token }: { token: string }) => {
    const body = { token, username: 'friend', password: 'nine wandering albatrosses' }
    return (await post(api, '/api/auth/invitation/accept', body)).status
  }
  const listed = async () =>
    (await call(api, '/api/users/invitations', { token: boss.token })).body.data.length

  const [demoted, deleted] = [await invitedBy('demoted'), await invitedBy('deleted')]
  expect([await read(demoted), await read(deleted), await listed()]).toEqual([200, 200, 2])
  const { token } = boss
  const demotion = { method: 'PUT', token, body: { role: 'admin' } }
  expect((await call(api, `/api/users/${demoted.id}`, demotion)).status).toBe(200)
  expect((await call(api, `/api/users/${deleted.id}`, { method: 'DELETE', token })).status).toBe(
    200,
  )
  for (const ended of [demoted, deleted])
    expect([await read(ended), await accept(ended)]).toEqual([404, 404])
  expect(await listed()).toBe(0)
})

test('what was begun with an account’s password, mailbox or passkey ends with a change of the account', async ({
  api,
}) => {
  const { db } = api.deps
  const boss = await signInAs(api.deps, 'superuser', 'boss')
  const path = (id: string) => `/api/users/${id}`
  const { token } = boss
  const changes: Record<string, (id: string) => Promise<unknown>> = {
    role: (id) => call(api, path(id), { method: 'PUT', token, body: { role: 'editor' } }),
    email: (id) => call(api, path(id), { method: 'PUT', token, body: { email: 'new@staff.test' } }),
    sessions: (id) => call(api, `${path(id)}/sessions`, { method: 'DELETE', token }),
    deletion: (id) => call(api, path(id), { method: 'DELETE', token }),
  }
  for (const [name, change] of Object.entries(changes)) {
    const ada = await signInAs(api.deps, 'admin', `ada-${name}`)
    const { secret } = await addTotp(api, ada.token)
    const { passkey } = await addPasskey(api, ada.token)
    const { challenge } = (await login(api, ada)).body.secondFactor
    const adding = (await post(api, '/api/auth/passkeys/options', undefined, ada.token)).body.data
    await post(api, '/api/auth/reset', { email: ada.email })
    await api.settled()
    const link = await mailedToken(db)
    await change(ada.id)

    const code = codeOf(secret, 1)
    const answers = await Promise.all([
      post(api, '/api/auth/second-factor', { challenge, code }),
      post(api, '/api/auth/passkeys', { ...adding, response: {}, name: 'Key' }, ada.token),
      post(api, '/api/auth/reset/confirm', { token: link, newPassword: 'a plain new passphrase' }),
    ])
    expect([name, ...answers.map(({ status }) => status)]).toEqual([name, 401, 401, 404])
    // A passkey stays the account's, until the account is gone.
    const asked = (await post(api, '/api/auth/passkeys/sign-in/options')).body.data
    const response = passkey.get(asked.options)
    const signIn = { challenge: asked.challenge, response }
    const { status } = await post(api, '/api/auth/passkeys/sign-in', signIn)
    expect([name, status]).toEqual([name, name === 'deletion' ? 401 : 200])
  }
})

test('one who holds the mailbox sets a password, ends every session, and stops at the second factor', async ({
  api,
}) => {
  const { db } = api.deps
  const ada = await signInAs(api.deps, 'admin', 'ada')
  await addTotp(api, ada.token)
  await post(api, '/api/auth/reset', { email: ada.email })
  await api.settled()
  const newPassword = 'a plain new passphrase'
  const body = { token: await mailedToken(db), newPassword }
  expect((await post(api, '/api/auth/reset/confirm', body)).status).toBe(200)
  expect((await call(api, '/api/auth/me', { token: ada.token })).status).toBe(401)
  const { secondFactor, token } = (await login(api, ada, { password: newPassword })).body
  expect([secondFactor.methods, token]).toEqual([['totp', 'recovery'], undefined])
  const [notice] = await rows<{ text: string }>(
    db,
    sql`select text from mail where subject like 'Your password was changed%'`,
  )
  expect(notice?.text).toContain('remove on your account page what you do not know')
})
