import { expect, onTestFinished, vi } from 'vitest'
import type { Session } from '#contract/accounts/auth.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type TestApi, test, testOnAll } from '#server/testing.ts'
import { makeUser, meStatus, signInAs, testPassword, tokenOf } from './testing.ts'

const sessionsOf = async (api: TestApi, token: string): Promise<Session[]> => {
  const response = await api.request('/api/auth/sessions', { token })
  expect(response.status).toBe(200)
  return ((await response.json()) as { data: Session[] }).data
}

const signOut = (api: TestApi, token: string, method: string) =>
  api.request('/api/auth/logout', { method, token })

for (const method of ['GET', 'POST'])
  testOnAll(`${method} ends the session: its token is refused from then on`, async ({ api }) => {
    const ada = await signInAs(api.deps, 'admin')
    const other = await tokenOf(api.deps, ada)
    const response = await signOut(api, ada.token, method)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ success: true, data: {} })
    expect(await meStatus(api, ada.token)).toBe(401)
    expect((await signOut(api, ada.token, method)).status).toBe(401)
    expect(await meStatus(api, other)).toBe(200)
  })

test('signing out empties the browser’s caches and leaves the rest to the admin', async ({
  api,
}) => {
  const { token } = await signInAs(api.deps, 'user')
  const answer = await signOut(api, token, 'POST')
  expect(answer.headers.get('Clear-Site-Data')).toBe('"cache"')
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
})

test('signing out takes no body and minds none', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'user')
  const response = await api.request('/api/auth/logout', {
    method: 'POST',
    token,
    body: 'anything',
    headers: { 'Content-Type': 'text/plain' },
  })
  expect(response.status).toBe(200)
})

testOnAll('a session ends after 12 hours, or 2 hours without use', async ({ api, db }) => {
  const ada = await makeUser(db, 'ada', 'admin')
  for (const [change, status] of [
    [sql`last_used_at = now() - interval '1 hour 59 minutes'`, 200],
    [sql`last_used_at = now() - interval '2 hours 1 second'`, 401],
    [sql`expires_at = now() + interval '1 minute'`, 200],
    [sql`expires_at = now() - interval '1 second'`, 401],
  ] as const) {
    const token = await tokenOf(api.deps, ada)
    await rows(db, sql`update sessions set ${change}`)
    expect(await meStatus(api, token)).toBe(status)
    await rows(db, sql`delete from sessions`)
  }
})

testOnAll('use keeps a session alive, noted at most once a minute', async ({ api, db }) => {
  const { token } = await signInAs(api.deps, 'admin')
  const lastUse = async (): Promise<string> => {
    const [session] = await rows<{ at: string }>(db, sql`select last_used_at as at from sessions`)
    return session?.at ?? ''
  }
  const first = await lastUse()
  await meStatus(api, token)
  expect(await lastUse()).toBe(first)
  await rows(db, sql`update sessions set last_used_at = now() - interval '61 seconds'`)
  const earlier = await lastUse()
  await meStatus(api, token)
  expect(Date.parse(await lastUse())).toBeGreaterThan(Date.parse(earlier))
})

testOnAll('what a screen asks by itself does not keep the session alive', async ({ api, db }) => {
  const { token } = await signInAs(api.deps, 'admin')
  const request = async (method: string, path: string, body?: object): Promise<string> => {
    await rows(db, sql`update sessions set last_used_at = now() - interval '1 hour'`)
    await api.request(path, { method, token, headers: { 'X-Background': '1' }, body })
    const [session] = await rows<{ used: boolean }>(
      db,
      sql`select last_used_at > now() - interval '1 minute' as used from sessions`,
    )
    return session?.used ? 'use' : 'no use'
  }
  expect(await request('GET', '/api/stats')).toBe('no use')
  expect(await request('HEAD', '/api/contacts')).toBe('no use')
  expect(await request('POST', '/api/contacts/search', {})).toBe('no use')
  expect(await request('POST', '/api/undo', { event: 'none' })).toBe('use')
  expect(await request('PUT', '/api/contacts/none', { status: 'handled' })).toBe('use')

  const poll = () => api.request('/api/stats', { token, headers: { 'X-Background': '1' } })
  await rows(db, sql`update sessions set last_used_at = now() - interval '119 minutes'`)
  expect((await poll()).status).toBe(200)
  await rows(db, sql`update sessions set last_used_at = last_used_at - interval '61 seconds'`)
  expect((await poll()).status).toBe(401)
})

testOnAll(
  'one sees one’s own living sessions, newest first, and which is in use',
  async ({ api, db }) => {
    const ada = await makeUser(db, 'ada', 'admin')
    await signInAs(api.deps, 'superuser')
    await tokenOf(api.deps, ada)
    await rows(db, sql`update sessions set last_used_at = now() - interval '3 hours'`)
    await tokenOf(api.deps, ada)
    const login = await api.request('/api/auth/login', {
      body: { email: ada.email, password: testPassword },
      headers: {
        'User-Agent':
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
      },
    })
    const { token } = (await login.json()) as { token: string }
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    const _id = expect.any(String)
    expect(await sessionsOf(api, token)).toEqual([
      { _id, createdAt: time, lastUsedAt: time, browser: 'Chrome on Windows', current: true },
      { _id, createdAt: time, lastUsedAt: time, browser: null, current: false },
    ])
  },
)

testOnAll('one ends one’s own sessions and nobody else’s', async ({ api }) => {
  const ada = await signInAs(api.deps, 'superuser', 'ada')
  const grace = await signInAs(api.deps, 'admin', 'grace')
  const another = await tokenOf(api.deps, ada)
  const end = (token: string, id: string) =>
    api.request(`/api/auth/sessions/${id}`, { method: 'DELETE', token })

  const [own] = await sessionsOf(api, grace.token)
  expect((await end(ada.token, own?._id ?? '')).status).toBe(404)
  expect(await meStatus(api, grace.token)).toBe(200)

  const stranger = (await sessionsOf(api, ada.token)).find(({ current }) => !current)
  const ended = await end(ada.token, stranger?._id ?? '')
  expect(await ended.json()).toEqual({ success: true, data: {} })
  expect(await meStatus(api, another)).toBe(401)
  expect((await end(ada.token, stranger?._id ?? '')).status).toBe(404)
  expect((await end(ada.token, 'no-id')).status).toBe(404)

  const [current] = await sessionsOf(api, ada.token)
  expect((await end(ada.token, current?._id ?? '')).status).toBe(200)
  expect(await meStatus(api, ada.token)).toBe(401)
})

test('signing in sweeps the account’s dead sessions away', async ({ api }) => {
  const ada = await signInAs(api.deps, 'admin', 'ada')
  await rows(api.deps.db, sql`update sessions set expires_at = now() - interval '1 second'`)
  await api.request('/api/auth/login', { body: { email: ada.email, password: testPassword } })
  expect(await rows(api.deps.db, sql`select 1 from sessions`)).toHaveLength(1)
})

test('a session that ends while a body is on its way makes no change any more', async ({
  api,
  db,
}) => {
  const { token } = await signInAs(api.deps, 'superuser', 'boss')
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const account = { username: 'thief', email: 'thief@staff.test', role: 'admin' }
  const slow = new ReadableStream(
    {
      // Asked for once the call is known to be somebody's.
      async pull(body) {
        await api.request('/api/auth/logout', { method: 'POST', token })
        vi.advanceTimersByTime(60_000)
        body.enqueue(new TextEncoder().encode(JSON.stringify(account)))
        body.close()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { 'Content-Type': 'application/json' }
  const answer = await api.request('/api/users/invitations', { body: slow, token, headers })
  expect(answer.status).toBe(401)
  expect(await rows(db, sql`select from account_links`)).toEqual([])
})
