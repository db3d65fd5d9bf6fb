import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { rows } from '#server/db/rows.ts'
import { test } from '#server/testing.ts'
import { addPasskey, call, post } from '#tests/second-factors.ts'
import { signInAs } from './testing.ts'

/** What a thief of a session, a password or a mailbox, and a stranger, are refused. */

const countRefused = async (db: Database): Promise<number> => {
  const [found] = await rows<{ n: number }>(
    db,
    sql`select count(*) as n from events where kind = 'sign_in_refused'`,
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
