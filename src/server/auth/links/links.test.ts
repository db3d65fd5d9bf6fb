import { expect } from 'vitest'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import type { Message } from '#server/mail-out/message.ts'
import { drain } from '#server/mail-out/outbox.ts'
import { createSender } from '#server/mail-out/sender.ts'
import { type TestApi, test, testApi, testConfig, testOnPostgres } from '#server/testing.ts'
import { addTotp, call, login, mailedToken, post } from '#tests/second-factors.ts'
import { makeUser, signInAs, testPassword } from '../testing.ts'

const password = 'nine wandering albatrosses'

const countMail = async (db: Database): Promise<number> => {
  const [found] = await rows<{ n: number }>(
    db,
    sql`select count(*) as n from mail where expires_at is not null`,
  )
  return found?.n ?? 0
}

const askReset = async (api: TestApi, email: string) => {
  const answer = await post(api, '/api/auth/reset', { email })
  await api.settled()
  return answer
}

testOnPostgres('an invitation is accepted once, also by twenty at once', async ({ api, db }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const invited = await post(
    api,
    '/api/users/invitations',
    { email: 'Grace@staff.test', role: 'editor', username: 'grace' },
    token,
  )
  expect(invited.status).toBe(201)
  const { link, ...invitation } = invited.body.data
  expect(invitation).toEqual({
    _id: expect.any(String),
    email: 'Grace@staff.test',
    role: 'editor',
    username: 'grace',
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
  })
  const secret = await mailedToken(db)
  expect(link).toBe(`https://fledge.test/admin/invitation#${secret}`)
  const { body: listed } = await call(api, '/api/users/invitations', { token })
  expect(listed.data).toEqual([invitation])

  expect((await post(api, '/api/auth/invitation', { token: secret })).body.data).toEqual({
    email: 'Grace@staff.test',
    role: 'editor',
    username: 'grace',
  })
  const weak = { token: secret, username: 'grace', password: 'grace grace grace' }
  expect((await post(api, '/api/auth/invitation/accept', weak)).status).toBe(400)
  const taken = { token: secret, username: 'superuser', password }
  expect((await post(api, '/api/auth/invitation/accept', taken)).body.code).toBe('duplicate')

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      post(api, '/api/auth/invitation/accept', { token: secret, username: `grace${n}`, password }),
    ),
  )
  const accepted = answers.filter(({ status }) => status === 201)
  expect(accepted).toHaveLength(1)
  expect(accepted[0]?.body.user).toMatchObject({ email: 'Grace@staff.test', role: 'editor' })
  expect((await call(api, '/api/auth/me', { token: accepted[0]?.body.token })).status).toBe(200)
  expect((await post(api, '/api/auth/invitation', { token: secret })).status).toBe(404)
})

test('a newer invitation ends the older one; one that is taken back, or old, is gone', async ({
  api,
}) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const invite = (email: string) =>
    post(api, '/api/users/invitations', { email, role: 'reviewer' }, token)
  const { body: first } = await invite('grace@staff.test')
  const { body: second } = await invite('GRACE@staff.test')
  const read = (link: string) =>
    post(api, '/api/auth/invitation', { token: link.split('#')[1] ?? '' })
  expect((await read(first.data.link)).status).toBe(404)
  expect((await read(second.data.link)).status).toBe(200)
  const path = `/api/users/invitations/${second.data._id}`
  expect((await call(api, path, { method: 'DELETE', token })).status).toBe(200)
  expect((await call(api, path, { method: 'DELETE', token })).status).toBe(404)
  expect((await read(second.data.link)).status).toBe(404)
  const { body: third } = await invite('grace@staff.test')
  await rows(api.deps.db, sql`update account_links set expires_at = now() - interval '1 second'`)
  expect((await read(third.data.link)).status).toBe(404)
  const known = await invite('superuser@staff.test')
  expect(known).toMatchObject({ status: 400, body: { code: 'duplicate' } })
})

test('an invitation ends where its address gets an account by hand', async ({ db }) => {
  const api = testApi(db)
  const { token } = await signInAs(api.deps, 'superuser')
  const invite = async (email: string) => {
    const body = { email, role: 'admin' }
    const { link } = (await post(api, '/api/users/invitations', body, token)).body.data
    return link.split('#')[1]
  }
  const change = async (method: string, path: string, body?: object) =>
    (await call(api, path, { method, token, ...(body ? { body } : {}) })).body.data
  const other = await invite('other@staff.test')
  const added = await invite('grace@staff.test')
  const grace = { username: 'grace', email: 'Grace@staff.test', password }
  const { _id } = await change('POST', '/api/auth/register', grace)
  const moved = await invite('hopper@staff.test')
  await change('PUT', `/api/users/${_id}`, { email: 'hopper@staff.test' })
  const { data } = (await call(api, '/api/users/invitations', { token })).body
  expect(data).toMatchObject([{ email: 'other@staff.test' }])
  await change('DELETE', `/api/users/${_id}`)
  for (const [link, status] of [
    [added, 404],
    [moved, 404],
    [other, 200],
  ])
    expect((await post(api, '/api/auth/invitation', { token: link })).status).toBe(status)
})

testOnPostgres(
  'a forgotten password is set by the newest link, once; factors stay',
  async ({ db }) => {
    const api = testApi(db)
    const ada = await signInAs(api.deps, 'admin', 'ada')
    await addTotp(api, ada.token)
    const known = await askReset(api, 'ADA@staff.test')
    const older = await mailedToken(db)
    const unknown = await askReset(api, 'nobody@staff.test')
    expect(known).toEqual(unknown)
    expect(known).toEqual({ status: 200, body: { success: true, data: {} } })
    await askReset(api, ada.email)
    const newer = await mailedToken(db)
    expect(await countMail(db)).toBe(2)

    const confirm = (token: string, newPassword = password) =>
      post(api, '/api/auth/reset/confirm', { token, newPassword })
    expect((await confirm(older)).status).toBe(404)
    expect((await confirm(newer, 'ada ada ada ada')).status).toBe(400)
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(newer)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ success: true, data: {} })
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9)

    expect((await call(api, '/api/auth/me', { token: ada.token })).status).toBe(401)
    expect((await login(api, ada)).status).toBe(401)
    expect((await login(api, ada, { password })).body.secondFactor.methods).toContain('totp')
  },
)

test('a new password by a link ends the wait after wrong ones, on a known device too', async ({
  api,
}) => {
  const ada = await makeUser(api.deps.db, 'ada', 'admin')
  const laptop = { device: 'laptop' }
  expect((await login(api, ada, laptop)).status).toBe(200)
  for (const device of [laptop, {}])
    for (let n = 0; n < 5; n += 1)
      expect((await login(api, ada, { ...device, password: 'wrong' })).status).toBe(401)
  expect((await login(api, ada, laptop)).status).toBe(429)
  await askReset(api, ada.email)
  const confirm = { token: await mailedToken(api.deps.db), newPassword: password }
  expect((await post(api, '/api/auth/reset/confirm', confirm)).status).toBe(200)
  expect((await login(api, ada, { ...laptop, password })).status).toBe(200)
  expect((await login(api, ada, { password })).status).toBe(200)
})

test('the fourth reset in an hour answers the same, mails nothing and ends nothing', async ({
  api,
}) => {
  const { db } = api.deps
  const ada = await makeUser(db, 'ada', 'admin')
  for (let n = 0; n < 3; n += 1) await askReset(api, ada.email)
  const third = await mailedToken(db)
  expect((await askReset(api, ada.email)).status).toBe(200)
  expect(await countMail(db)).toBe(3)
  const confirmed = await post(api, '/api/auth/reset/confirm', {
    token: third,
    newPassword: password,
  })
  expect(confirmed.status).toBe(200)
})

test('a change of the account ends its link for a new password', async ({ api }) => {
  const ada = await signInAs(api.deps, 'admin', 'ada')
  await askReset(api, ada.email)
  const token = await mailedToken(api.deps.db)
  const body = { currentPassword: testPassword, newPassword: 'a walk along the river' }
  expect((await post(api, '/api/auth/password', body, ada.token)).status).toBe(200)
  const confirm = { token, newPassword: password }
  expect((await post(api, '/api/auth/reset/confirm', confirm)).status).toBe(404)
})

test('one IP asks for twenty links an hour', async ({ api }) => {
  for (let n = 0; n < 20; n += 1)
    expect((await post(api, '/api/auth/reset', { email: `n${n}@staff.test` })).status).toBe(200)
  expect((await post(api, '/api/auth/reset', { email: 'a@staff.test' })).status).toBe(429)
})

test('a mail with a link is sent in full, and keeps nothing of it', async ({ api }) => {
  const { db } = api.deps
  const ada = await makeUser(db, 'ada', 'admin')
  await askReset(api, ada.email)
  const token = await mailedToken(db)
  const sent: Message[] = []
  const worker = { db, log: () => {}, mailPerHour: 300 }
  await drain({
    ...worker,
    send: async (message) => {
      sent.push(message)
      return { outcome: 'temporary', error: 'away' }
    },
  })
  expect(JSON.stringify(sent)).not.toContain(token)
  expect(sent).toHaveLength(1)
  const [stored] = await rows<{ all: string }>(
    db,
    sql`select json_agg(m)::text || (select json_agg(l)::text from account_links l) as all from mail m`,
  )
  expect(stored?.all).not.toContain(token)

  await rows(
    db,
    sql`update mail set next_attempt_at = now() - interval '1 second', leased_until = null`,
  )
  const written: Message[] = []
  const send = createSender(testConfig)
  await drain({
    ...worker,
    send: async (message) => {
      written.push(message)
      return send(message)
    },
  })
  const [after] = await rows(db, sql`select status, text, html, sealed from mail`)
  expect(after).toEqual({ status: 'sent', text: '', html: '', sealed: null })
})

test('a mail whose link has ended is not sent, and not tried again', async ({ api }) => {
  const { db } = api.deps
  const { token } = await signInAs(api.deps, 'editor')
  await askReset(api, 'editor@staff.test')
  await rows(db, sql`update mail set expires_at = now() - interval '1 minute'`)
  await drain({ db, log: () => {}, mailPerHour: 300, send: createSender(testConfig) })
  const { body } = await call(api, '/api/mail', { token })
  expect(body.data).toMatchObject([{ kind: 'account', status: 'failed', record: null }])
  const retried = await post(api, `/api/mail/${body.data[0]._id}/retry`, undefined, token)
  expect(retried.status).toBe(409)
})
