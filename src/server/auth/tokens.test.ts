import { expect } from 'vitest'
import { type Role, roles, type Scope, scopes } from '#contract/http/access.ts'
import { kindPaths } from '#contract/inbox.ts'
import { routes } from '#server/app.ts'
import { makeUser, signInAs, type TestUser, tokenOf } from '#server/auth/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import type { Deps } from '#server/deps.ts'
import { type Json, submit } from '#server/inbox/testing.ts'
import { hashTokenSecret } from '#server/secrets/token-secret.ts'
import { type TestApi, test, testOnAll } from '#server/testing.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** A token as the API makes it. */
const makeToken = async (
  api: TestApi,
  user: TestUser,
  wanted: readonly Scope[],
  name = 'n8n',
): Promise<Json> => {
  const answer = await api.request('/api/me/tokens', {
    token: await tokenOf(api.deps, user),
    body: { name, scopes: wanted, expiresAt: inDays(30) },
  })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as Json).data
}

/** A token of any role, also of one that may make none. */
const storedToken = async ({ db }: Deps, { id }: TestUser, scope: Scope): Promise<string> => {
  const token = `fl_${id}${scope}`
  await rows(
    db,
    sql`insert into api_tokens (user_id, name, scopes, token_hash, credential_version, expires_at)
      select id, ${scope}, ${sql.param([scope])}::text[], ${hashTokenSecret(token)}, credential_version, now() + interval '1 hour'
      from users where id = ${id}::uuid`,
  )
  return token
}

/** What each scope opens, and for which least role: this is what the contract is held against. */
const opened: Record<string, [Scope, Role]> = {
  'GET /api/T': ['read', 'reviewer'],
  'POST /api/T/search': ['read', 'reviewer'],
  'GET /api/T/:id': ['read', 'reviewer'],
  'GET /api/T/:id/activity': ['read', 'reviewer'],
  'GET /api/T/:id/activity/:entry': ['read', 'reviewer'],
  'GET /api/stats': ['read', 'reviewer'],
  'GET /api/templates': ['read', 'editor'],
  'GET /api/stats/answers': ['read', 'reviewer'],
  'GET /api/stats/sources': ['read', 'reviewer'],
  'POST /api/T/:id/notes': ['draft', 'editor'],
  'PUT /api/T/:id/draft': ['draft', 'editor'],
  'PUT /api/T/:id': ['write', 'editor'],
  'POST /api/T/:id/messages': ['write', 'editor'],
  'POST /api/T/:id/claim': ['write', 'editor'],
}

const ofKind = new RegExp(`^/api/(${kindPaths.join('|')})(?=/|$)`)
const generic = (path: string) => path.replace(ofKind, '/api/T')

test('each call of each role with each scope is open or closed as the table says', async ({
  api,
}) => {
  const named = new Set(Object.keys(opened))
  const wrong: string[] = []
  for (const role of roles) {
    const user = await makeUser(api.deps.db, role, role)
    for (const scope of scopes) {
      const token = await storedToken(api.deps, user, scope)
      for (const { endpoint } of routes) {
        // What is for tokens alone decides by the tool.
        if (endpoint.access === 'public' || endpoint.tokenOnly) continue
        for (const method of [endpoint.method, ...(endpoint.also ? [endpoint.also] : [])]) {
          const name = `${method} ${generic(endpoint.path)}`
          const [needed, least] = opened[name] ?? []
          const isOpen =
            needed === scope && least !== undefined && roles.indexOf(role) >= roles.indexOf(least)
          named.delete(name)
          const path = endpoint.path.replace(/:\w+/g, '018f0000-0000-7000-8000-000000000000')
          const { status } = await api.request(path, { method, token })
          if ((status === 403) === isOpen || status === 401 || status >= 429)
            wrong.push(`${role} ${scope} ${name}: ${status}`)
        }
      }
    }
  }
  expect(wrong).toEqual([])
  expect([...named]).toEqual([])
})

test('a token is shown once, stored as a hash, listed and ended', async ({ api, db }) => {
  const ada = await signInAs(api.deps, 'reviewer', 'ada')
  const made = await makeToken(api, ada, ['contacts', 'read', 'read'])
  expect(made).toMatchObject({ name: 'n8n', scopes: ['read', 'contacts'], lastUsedAt: null })
  expect(made.token).toMatch(/^fl_[\w-]{32}$/)
  const [stored] = await rows<{ all: string }>(db, sql`select t::text as all from api_tokens t`)
  expect(stored?.all).not.toContain(made.token.slice(3))
  expect((await api.request('/api/contacts', { token: made.token })).status).toBe(200)

  const list = async () =>
    ((await (await api.request('/api/me/tokens', { token: ada.token })).json()) as Json).data
  const [{ lastUsedAt, ...shown }] = await list()
  const { token: _, lastUsedAt: __, ...rest } = made
  expect(shown).toEqual(rest)
  expect(lastUsedAt).not.toBeNull()

  // Neither another person's id nor a token's own call ends it.
  const bob = await signInAs(api.deps, 'superuser', 'bob')
  const path = `/api/me/tokens/${made._id}`
  expect((await api.request(path, { method: 'DELETE', token: bob.token })).status).toBe(404)
  expect((await api.request(path, { method: 'DELETE', token: made.token })).status).toBe(403)
  expect((await api.request(path, { method: 'DELETE', token: ada.token })).status).toBe(200)
  expect((await api.request('/api/contacts', { token: made.token })).status).toBe(401)
  expect(await list()).toEqual([])
})

test('a token needs a name, known scopes and an end within a year', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'editor')
  const right = { name: 'n8n', scopes: ['read'], expiresAt: inDays(30) }
  for (const [field, value] of [
    ['name', ''],
    ['name', 'x'.repeat(61)],
    ['scopes', []],
    ['scopes', ['everything']],
    ['scopes', 'read'],
    ['expiresAt', undefined],
    ['expiresAt', inDays(-1)],
    ['expiresAt', inDays(368)],
    ['expiresAt', 'soon'],
  ] as const) {
    const answer = await api.request('/api/me/tokens', {
      token,
      body: { ...right, [field]: value },
    })
    expect([field, value, answer.status]).toEqual([field, value, 400])
    expect(Object.keys(((await answer.json()) as Json).fields)).toEqual([field])
  }
})

test('a token ends within a year, to the minute', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'editor')
  const nextYear = new Date()
  nextYear.setUTCFullYear(nextYear.getUTCFullYear() + 1)
  const statusAt = async (minutes: number) => {
    const expiresAt = new Date(nextYear.getTime() + minutes * 60_000).toISOString()
    const body = { name: 'n8n', scopes: ['read'], expiresAt }
    return (await api.request('/api/me/tokens', { token, body })).status
  }
  expect([await statusAt(-1), await statusAt(10)]).toEqual([201, 400])
})

testOnAll('an account has twenty tokens, however many are asked for at once', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'reviewer')
  const body = { name: 'n8n', scopes: ['read'], expiresAt: inDays(30) }
  const answers = await Promise.all(
    Array.from({ length: 24 }, () => api.request('/api/me/tokens', { token, body })),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([...Array(20).fill(201), ...Array(4).fill(409)])
})

test('a token needs a recent step-up, and ends with its owner’s password, e-mail, role or account', async ({
  api,
  db,
}) => {
  const boss = await signInAs(api.deps, 'superuser', 'boss')
  const reads = async (token: string) => (await api.request('/api/contacts', { token })).status
  for (const [name, end] of [
    ['role', (id: string) => ['PUT', `/api/users/${id}`, { role: 'reviewer' }]],
    [
      'password',
      (id: string) => ['PUT', `/api/users/${id}`, { password: 'nine wandering albatrosses' }],
    ],
    ['email', (id: string) => ['PUT', `/api/users/${id}`, { email: 'new@staff.test' }]],
    ['account', (id: string) => ['DELETE', `/api/users/${id}`]],
    ['tokens', (id: string) => ['DELETE', `/api/users/${id}/tokens`]],
  ] as const) {
    const user = await makeUser(db, name, 'editor')
    const { token } = await makeToken(api, user, ['read'])
    expect(await reads(token)).toBe(200)
    const [method = '', path = '', body] = end(user.id) as [string, string, object?]
    expect((await api.request(path, { method, body, token: boss.token })).status).toBe(200)
    expect([name, await reads(token)]).toEqual([name, 401])
  }
  const user = await signInAs(api.deps, 'editor', 'late')
  await rows(db, sql`update sessions set step_up_until = null`)
  const body = { name: 'n8n', scopes: ['read'], expiresAt: inDays(30) }
  const refused = await api.request('/api/me/tokens', { token: user.token, body })
  expect(await refused.json()).toMatchObject({ code: 'step_up_required' })
})

testOnAll(
  'a token goes on where a superuser ends the sessions of its owner',
  async ({ api, db }) => {
    const boss = await signInAs(api.deps, 'superuser', 'boss')
    const ben = await makeUser(db, 'ben', 'editor')
    const { token } = await makeToken(api, ben, ['read'])
    const reads = async () => (await api.request('/api/contacts', { token })).status
    const change = async (method: string, path: string, body?: object) =>
      (await api.request(path, { method, body, token: boss.token })).status
    const account = `/api/users/${ben.id}`
    expect(await change('DELETE', `${account}/sessions`)).toBe(200)
    expect(await reads()).toBe(200)
    expect(await change('PUT', account, { role: 'admin' })).toBe(200)
    expect(await change('DELETE', `${account}/sessions`)).toBe(200)
    expect(await reads()).toBe(401)
  },
)

test('superusers see and end one token of another person', async ({ api }) => {
  const boss = await signInAs(api.deps, 'superuser', 'boss')
  const ada = await makeUser(api.deps.db, 'ada', 'editor')
  const [first, second] = [
    await makeToken(api, ada, ['read']),
    await makeToken(api, ada, ['read'], 'zapier'),
  ]
  const tokens = `/api/users/${ada.id}/tokens`
  const list = (await (await api.request(tokens, { token: boss.token })).json()) as Json
  expect(list.data.map(({ name }: Json) => name)).toEqual(['zapier', 'n8n'])
  const one = { method: 'DELETE', token: boss.token }
  expect((await api.request(`${tokens}/${first._id}`, one)).status).toBe(200)
  expect((await api.request(`${tokens}/${first._id}`, one)).status).toBe(404)
  expect((await api.request('/api/contacts', { token: first.token })).status).toBe(401)
  expect((await api.request('/api/contacts', { token: second.token })).status).toBe(200)
  const nobody = '/api/users/018f0000-0000-7000-8000-000000000000/tokens'
  expect((await api.request(nobody, { token: boss.token })).status).toBe(404)
})

test('without the scope contacts no address or number is read, searched or told by a conflict', async ({
  api,
}) => {
  const ada = await makeUser(api.deps.db, 'ada', 'admin')
  const { token: all } = await makeToken(api, ada, ['read', 'write', 'contacts'])
  const { token } = await makeToken(api, ada, ['read', 'write'])
  const id = await submit(api, 'consultations', {
    name: 'Grace Hopper',
    email: 'amazing@people.test',
    phone: '+49 30 901820',
    message: 'About a compiler',
  })
  const path = `/api/consultations/${id}`
  const read = async (address: string, as: string, init: object = {}) =>
    (await api.request(address, { token: as, ...init })).text()
  for (const address of ['/api/consultations', path]) {
    expect(await read(address, all)).toContain('amazing@people.test')
    const text = await read(address, token)
    expect(text).toContain('Grace Hopper')
    for (const secret of ['amazing@', '901820', '"email"', '"phone"'])
      expect([address, text.includes(secret)]).toEqual([address, false])
  }
  const change = { status: 'contacted', version: 99 }
  const conflict = await read(path, token, { method: 'PUT', body: change })
  expect(conflict).toContain('"conflict"')
  expect(conflict).not.toContain('people.test')

  const matching = async (as: string, q: string) =>
    JSON.parse(await read(`/api/consultations?q=${encodeURIComponent(q)}`, as)).meta.matching
  for (const [q, shown] of [
    ['compiler', 1],
    ['hopper', 1],
    ['amazing@people', 0],
    ['amazing', 0],
  ] as const) {
    expect([q, await matching(token, q)]).toEqual([q, shown])
    expect([q, await matching(all, q)]).toEqual([q, 1])
  }
  await submit(api, 'consultations', {
    email: 'weaving@people.test',
    message: 'Weaving baskets',
    source: { utm_source: 'email' },
  })
  const [found] = JSON.parse(await read('/api/consultations?q=weaving', token)).data
  expect(found.match).toMatchObject({ in: 'text' })
  // A source may have the name of a contact field.
  for (const as of [token, all])
    expect(JSON.parse(await read('/api/stats', as)).data.bySource.email).toBe(1)
  // The same key of a session and a token are two.
  const headers = { 'Idempotency-Key': 'k' }
  const body = { status: 'contacted' }
  const session = { token: await tokenOf(api.deps, ada), headers }
  expect(await read(path, session.token, { method: 'PUT', body, headers })).toContain('people.test')
  expect(await read(path, token, { method: 'PUT', body, headers })).not.toContain('people.test')
})

test('a token reads applications blind', async ({ api }) => {
  const ada = await makeUser(api.deps.db, 'ada', 'admin')
  const { token } = await makeToken(api, ada, [...scopes])
  const id = await submit(api, 'applications', { name: 'Grace Hopper', email: 'grace@people.test' })
  await submit(api, 'contacts', { name: 'Grace Hopper', email: 'grace@people.test' })
  const path = `/api/applications/${id}`
  const sent = await api.request(`${path}/messages`, { token, body: { text: 'Hello {name}.' } })
  const { data: said } = (await sent.json()) as Json
  for (const [address, init] of [
    ['/api/applications', {}],
    [path, {}],
    [`${path}?blind=auto`, {}],
    [`${path}/activity`, {}],
    [`${path}/activity/${said._id}`, {}],
    [path, { method: 'PUT', body: { status: 'reviewing' } }],
    [`${path}/messages`, { body: { text: 'Dear {name}.' } }],
  ] as const) {
    const answer = await api.request(address, { token, ...init })
    expect(answer.status).toBeLessThan(300)
    expect(await answer.text()).not.toContain('Grace')
  }
  expect((await api.request('/api/applications?q=grace', { token })).status).toBe(400)
  const contacts = await api.request('/api/contacts', { token })
  const [{ _id }] = ((await contacts.json()) as Json).data
  const contact = await api.request(`/api/contacts/${_id}`, { token })
  expect(((await contact.json()) as Json).data.related).toEqual([])
})

test('of a record a token changes status, assignee and snooze alone', async ({ api }) => {
  const ada = await makeUser(api.deps.db, 'ada', 'superuser')
  const { token } = await makeToken(api, ada, ['write'])
  const path = `/api/contacts/${await submit(api)}`
  const put = async (body: object) =>
    (await api.request(path, { method: 'PUT', body, token })).status
  for (const body of [{ box: 'spam' }, { email: 'a@b.test' }, { status: 'handled', box: 'spam' }])
    expect([body, await put(body)]).toEqual([body, 403])
  for (const body of [
    { status: 'handled' },
    { assignee: 'ada' },
    { snoozedUntil: inDays(1) },
    // Unknown fields are ignored, as in every call.
    { status: 'new', handledBy: 'eve', unknown: true },
  ])
    expect([body, await put(body)]).toEqual([body, 200])
  for (const body of [['box'], [{ box: 'spam' }]])
    expect([body, await put(body)]).toEqual([body, 400])
})

test('the audit log names the token beside the person', async ({ api }) => {
  const boss = await signInAs(api.deps, 'superuser', 'boss')
  const ada = await makeUser(api.deps.db, 'ada', 'editor')
  const { token } = await makeToken(api, ada, ['write', 'draft'], 'Night shift')
  const path = `/api/contacts/${await submit(api)}`
  await api.request(path, { method: 'PUT', body: { status: 'handled' }, token })
  await api.request(`${path}/notes`, { body: { text: 'A note' }, token })
  const log = (await (await api.request('/api/audit', { token: boss.token })).json()) as Json
  expect(log.data).toMatchObject([
    { kind: 'note', by: 'ada', token: 'Night shift' },
    { kind: 'status', by: 'ada', token: 'Night shift' },
    { kind: 'token.create', by: 'ada' },
  ])
  expect(log.data[2]).not.toHaveProperty('token')
})

testOnAll('a token makes 600 calls an hour, and another one its own', async ({ api, db }) => {
  const ada = await makeUser(db, 'ada', 'reviewer')
  const [first, second] = [await makeToken(api, ada, ['read']), await makeToken(api, ada, ['read'])]
  await api.request('/api/contacts', { token: first.token })
  await rows(
    db,
    sql`update rate_limits set hits = array_fill(now()::timestamptz(3), array[599]) where key like 'token-calls:%'`,
  )
  const statuses = await Promise.all(
    [1, 2, 3].map(async () => (await api.request('/api/contacts', { token: first.token })).status),
  )
  expect(statuses.toSorted()).toEqual([200, 429, 429])
  const refused = await api.request('/api/contacts', { token: first.token })
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(3_000)
  expect((await api.request('/api/contacts', { token: second.token })).status).toBe(200)
})
