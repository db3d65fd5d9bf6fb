import { expect } from 'vitest'
import type { User } from '#contract/accounts/users.ts'
import { makeUser, meStatus, signInAs, testPassword, tokenOf } from '#server/auth/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type TestApi, test, testApi, testOnAll, testOnPostgres } from '#server/testing.ts'
import { brand } from '#site/content.ts'

const newUser = {
  username: 'grace',
  email: 'Grace@staff.test',
  password: 'nine wandering albatrosses',
  role: 'editor',
}

const send = (api: TestApi, token: string, method: string, path: string, body?: unknown) =>
  api.request(path, { method, token, ...(body === undefined ? {} : { body }) })

test('a superuser creates an account, which can sign in at once', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const response = await send(api, token, 'POST', '/api/auth/register', newUser)
  expect(response.status).toBe(201)
  const { success, user, data } = (await response.json()) as {
    success: true
    user: User
    data: User
  }
  expect(success).toBe(true)
  expect(user).toEqual(data)
  expect(user).toEqual({
    _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    username: 'grace',
    email: 'Grace@staff.test',
    role: 'editor',
    isSuperuser: false,
    version: 1,
    createdAt: expect.any(String),
    updatedAt: user.createdAt,
  })
  const login = await api.request('/api/auth/login', {
    body: { email: 'grace@STAFF.test', password: newUser.password },
  })
  expect(login.status).toBe(200)
})

test('a role left out is user', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const { role: _, ...body } = newUser
  const response = await send(api, token, 'POST', '/api/auth/register', body)
  expect(await response.json()).toMatchObject({ user: { role: 'user', isSuperuser: false } })
})

test('nobody becomes a superuser by a flag', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const response = await send(api, token, 'POST', '/api/auth/register', {
    ...newUser,
    isSuperuser: true,
    _id: '018f0000-0000-7000-8000-000000000000',
  })
  const { user } = (await response.json()) as { user: User }
  expect(user.isSuperuser).toBe(false)
  expect(user._id).not.toBe('018f0000-0000-7000-8000-000000000000')
  const update = await send(api, token, 'PUT', `/api/users/${user._id}`, { isSuperuser: true })
  expect(await update.json()).toMatchObject({ data: { isSuperuser: false } })
})

testOnAll('a taken username or e-mail is told, without regard to case', async ({ api, db }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  await makeUser(db, 'grace', 'user')
  const other = await makeUser(db, 'other', 'user')
  const both = await send(api, token, 'POST', '/api/auth/register', {
    ...newUser,
    username: 'GRACE',
  })
  expect(both.status).toBe(400)
  const failure = (await both.json()) as { code: string; message: string; fields: object }
  expect(failure.code).toBe('duplicate')
  expect(failure.message).toContain('already exists')
  expect(Object.keys(failure.fields)).toEqual(['username', 'email'])

  const one = await send(api, token, 'PUT', `/api/users/${other.id}`, { email: 'GRACE@staff.test' })
  expect(one.status).toBe(400)
  expect(await one.json()).toMatchObject({
    code: 'duplicate',
    message: 'A user with this email already exists.',
    fields: { email: ['A user with this email already exists.'] },
  })
  const own = await send(api, token, 'PUT', `/api/users/${other.id}`, { username: 'OTHER' })
  expect(await own.json()).toMatchObject({ data: { username: 'OTHER' } })

  await makeUser(db, 'Zoë', 'user')
  const alike = await send(api, token, 'PUT', `/api/users/${other.id}`, { username: 'ZOË' })
  expect(alike.status).toBe(400)
})

test('every faulty field is named at once', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const response = await send(api, token, 'POST', '/api/auth/register', {
    username: 'a b',
    email: 'nowhere',
    password: 'short',
    role: 'owner',
  })
  expect(response.status).toBe(400)
  const { fields } = (await response.json()) as { fields: Record<string, string[]> }
  expect(Object.keys(fields).sort()).toEqual(['email', 'password', 'role', 'username'])
})

test('usernames have 2 to 40 letters, digits, dots, underscores and hyphens, and are not none', async ({
  api,
}) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const tried: Record<string, number> = {}
  for (const [n, username] of [
    'a',
    'x'.repeat(41),
    'a/b',
    'a@b',
    'Zoë.o_b-1',
    'ab',
    '',
    'a\u200bb',
    'None',
  ].entries()) {
    const response = await send(api, token, 'POST', '/api/auth/register', {
      ...newUser,
      username,
      email: `n${n}@staff.test`,
    })
    tried[username] = response.status
  }
  expect(tried).toEqual({
    a: 400,
    [`${'x'.repeat(41)}`]: 400,
    'a/b': 400,
    'a@b': 400,
    'Zoë.o_b-1': 201,
    ab: 201,
    '': 400,
    'a\u200bb': 400,
    None: 400,
  })
})

test('the list is oldest first and holds nothing secret', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  await makeUser(api.deps.db, 'grace', 'reviewer')
  const response = await send(api, token, 'GET', '/api/users')
  const text = await response.text()
  expect(text).not.toMatch(/argon2|password|hash/i)
  const { data } = JSON.parse(text) as { data: User[] }
  expect(data.map(({ username }) => username)).toEqual(['superuser', 'grace'])
  expect(Object.keys(data[0] ?? {}).sort()).toEqual([
    '_id',
    'createdAt',
    'email',
    'isSuperuser',
    'role',
    'updatedAt',
    'username',
    'version',
  ])
})

test('a new role, e-mail or password ends the sessions; a new name does not', async ({
  api,
  db,
}) => {
  const boss = await signInAs(api.deps, 'superuser')
  const grace = await makeUser(db, 'grace', 'editor')
  for (const [change, status] of [
    [{ username: 'grace.h' }, 200],
    [{}, 200],
    [{ role: 'editor', email: grace.email, password: '' }, 200],
    [{ role: 'admin' }, 401],
    [{ email: 'hopper@staff.test' }, 401],
    [{ password: 'nine wandering albatrosses' }, 401],
  ] as const) {
    const token = await tokenOf(api.deps, grace)
    const response = await send(api, boss.token, 'PUT', `/api/users/${grace.id}`, change)
    expect(response.status).toBe(200)
    expect(await meStatus(api, token), JSON.stringify(change)).toBe(status)
  }
  expect(await meStatus(api, boss.token)).toBe(200)
})

testOnAll(
  'a change that is based on an older version is refused and shown what is stored',
  async ({ api, db }) => {
    const { token } = await signInAs(api.deps, 'superuser')
    const grace = await makeUser(db, 'grace', 'admin')
    const put = (body: object) => send(api, token, 'PUT', `/api/users/${grace.id}`, body)
    const first = await put({ role: 'reviewer', version: 1 })
    expect(await first.json()).toMatchObject({ data: { role: 'reviewer', version: 2 } })

    const stale = await put({ username: 'hopper', role: 'admin', version: 1 })
    expect(stale.status).toBe(409)
    const { code, data } = (await stale.json()) as { code: string; data: User }
    expect(code).toBe('conflict')
    expect(data).toMatchObject({ _id: grace.id, username: 'grace', role: 'reviewer', version: 2 })
    expect((await put({ version: 1 })).status).toBe(409)
    const { data: listed } = (await (await send(api, token, 'GET', '/api/users')).json()) as {
      data: User[]
    }
    expect(listed).toContainEqual(data)

    const again = await put({ username: 'hopper', version: 2 })
    expect(await again.json()).toMatchObject({ data: { username: 'hopper', version: 3 } })
    const unversioned = await put({ username: 'grace' })
    expect(await unversioned.json()).toMatchObject({ data: { role: 'reviewer', version: 4 } })
    expect((await put({ role: 'admin', version: 'newest' })).status).toBe(400)
  },
)

testOnPostgres(
  'of two changes that are based on the same version one counts',
  async ({ api, db }) => {
    const { token } = await signInAs(api.deps, 'superuser')
    const grace = await makeUser(db, 'grace', 'admin')
    const answers = await Promise.all(
      ['reviewer', 'editor'].map((role) =>
        send(api, token, 'PUT', `/api/users/${grace.id}`, { role, version: 1 }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  },
)

test('one’s own password is not changed without the current one', async ({ api }) => {
  const boss = await signInAs(api.deps, 'superuser')
  const put = (body: object) => send(api, boss.token, 'PUT', `/api/users/${boss.id}`, body)
  const refused = await put({ username: 'boss', password: newUser.password })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    code: 'invalid',
    fields: { password: [expect.any(String)] },
  })
  const blank = await put({ username: 'boss', password: '' })
  expect(await blank.json()).toMatchObject({ data: { username: 'boss', version: 2 } })
  expect(await meStatus(api, boss.token)).toBe(200)
})

test('a change that changes nothing leaves no trace', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const grace = await makeUser(api.deps.db, 'grace', 'editor')
  const before = await send(api, token, 'GET', '/api/users')
  await send(api, token, 'PUT', `/api/users/${grace.id}`, { username: 'grace', role: 'editor' })
  expect(await (await send(api, token, 'GET', '/api/users')).json()).toEqual(await before.json())
  expect(await rows(api.deps.db, sql`select 1 from events`)).toEqual([])
})

test('a new password counts from then on, the old one no more', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const grace = await makeUser(api.deps.db, 'grace', 'editor')
  const password = 'nine wandering albatrosses'
  await send(api, token, 'PUT', `/api/users/${grace.id}`, { password })
  const login = (attempt: string) =>
    api.request('/api/auth/login', { body: { email: grace.email, password: attempt } })
  expect((await login(testPassword)).status).toBe(401)
  expect((await login(password)).status).toBe(200)
})

test('a password about its owner is refused, with the name as it will be', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const grace = await makeUser(api.deps.db, 'grace', 'editor')
  for (const body of [
    { password: 'all GRACE is given' },
    { username: 'hopper', password: 'the grasshoppers sing' },
    { password: `we at ${brand().name} like long ones` },
    { email: 'cobol@staff.test', password: 'a cobolish language' },
  ]) {
    const response = await send(api, token, 'PUT', `/api/users/${grace.id}`, body)
    expect(response.status, body.password).toBe(400)
    expect(await response.json()).toMatchObject({ fields: { password: [expect.any(String)] } })
  }
})

test('an unknown user is a 404, before its fields are judged', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  for (const id of ['018f0000-0000-7000-8000-000000000000', 'nobody', '%00', '1']) {
    for (const [method, path, body] of [
      ['PUT', `/api/users/${id}`, { role: 'admin' }],
      ['PUT', `/api/users/${id}`, { role: 'owner' }],
      ['PUT', `/api/users/${id}`, { password: 'nine wandering albatrosses' }],
      ['DELETE', `/api/users/${id}`, undefined],
      ['DELETE', `/api/users/${id}/sessions`, undefined],
    ] as const)
      expect((await send(api, token, method, path, body)).status, `${method} ${path}`).toBe(404)
  }
})

test('a deleted user is gone, with their sessions, for good', async ({ api }) => {
  const boss = await signInAs(api.deps, 'superuser')
  const grace = await signInAs(api.deps, 'editor', 'grace')
  expect((await send(api, boss.token, 'DELETE', `/api/users/${grace.id}`)).status).toBe(200)
  expect(await meStatus(api, grace.token)).toBe(401)
  expect((await send(api, boss.token, 'DELETE', `/api/users/${grace.id}`)).status).toBe(404)
  const login = await api.request('/api/auth/login', {
    body: { email: grace.email, password: testPassword },
  })
  expect(login.status).toBe(401)
})

test('nobody deletes themselves', async ({ api }) => {
  const boss = await signInAs(api.deps, 'superuser')
  await makeUser(api.deps.db, 'second', 'superuser')
  const response = await send(api, boss.token, 'DELETE', `/api/users/${boss.id}`)
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({ code: 'conflict' })
})

test('the last superuser can be demoted by nobody, not even by themselves', async ({ db }) => {
  const api = testApi(db)
  const boss = await signInAs(api.deps, 'superuser')
  const refused = await send(api, boss.token, 'PUT', `/api/users/${boss.id}`, { role: 'admin' })
  expect(refused.status).toBe(409)
  const second = await makeUser(db, 'second', 'superuser')
  const allowed = await send(api, boss.token, 'PUT', `/api/users/${boss.id}`, { role: 'admin' })
  expect(allowed.status).toBe(200)
  expect(await allowed.json()).toMatchObject({ data: { role: 'admin', isSuperuser: false } })
  expect(await meStatus(api, boss.token)).toBe(401)
  const secondToken = await tokenOf(api.deps, second)
  expect((await send(api, secondToken, 'DELETE', `/api/users/${boss.id}`)).status).toBe(200)
})

testOnPostgres('of two superusers who remove each other at once, one remains', async ({ db }) => {
  const api = testApi(db)
  const one = await makeUser(db, 'one', 'superuser')
  const two = await makeUser(db, 'two', 'superuser')
  const tokens = { one: '', two: '' }
  for (let round = 0; round < 40; round += 1) {
    await rows(db, sql`update users set role = 'superuser'`)
    tokens.one = await tokenOf(api.deps, one)
    tokens.two = await tokenOf(api.deps, two)
    const answers = await Promise.all([
      send(api, tokens.one, 'PUT', `/api/users/${two.id}`, { role: 'admin' }),
      send(api, tokens.two, 'PUT', `/api/users/${one.id}`, { role: 'admin' }),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    // The loser was refused, or came so late that their session had ended.
    expect(statuses.every((status) => [200, 401, 409].includes(status))).toBe(true)
    const [left] = await rows<{ n: number }>(
      db,
      sql`select count(*) as n from users where role = 'superuser'`,
    )
    expect(left?.n).toBe(1)
  }
})

testOnPostgres(
  'of two superusers who delete each other at once, one remains',
  async ({ api, db }) => {
    for (let round = 0; round < 10; round += 1) {
      await rows(db, sql`delete from users`)
      const one = await signInAs(api.deps, 'superuser', 'one')
      const two = await signInAs(api.deps, 'superuser', 'two')
      const answers = await Promise.all([
        send(api, one.token, 'DELETE', `/api/users/${two.id}`),
        send(api, two.token, 'DELETE', `/api/users/${one.id}`),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await rows(db, sql`select 1 from users where role = 'superuser'`)).toHaveLength(1)
    }
  },
)

testOnPostgres(
  'superusers who delete each other in a ring are answered, each by one outcome',
  async ({ api, db }) => {
    for (let round = 0; round < 10; round += 1) {
      await rows(db, sql`delete from users`)
      const ring = await Promise.all(
        ['one', 'two', 'three'].map((name) => signInAs(api.deps, 'superuser', name)),
      )
      const answers = await Promise.all(
        ring.map(({ token }, at) =>
          send(api, token, 'DELETE', `/api/users/${ring[(at + 1) % ring.length]?.id}`),
        ),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => ![200, 401, 404, 409].includes(status))).toEqual([])
      expect(await rows(db, sql`select 1 from users where role = 'superuser'`)).not.toEqual([])
    }
  },
)

testOnAll('a superuser ends every session of a user', async ({ api }) => {
  const boss = await signInAs(api.deps, 'superuser')
  const grace = await signInAs(api.deps, 'editor', 'grace')
  const another = await tokenOf(api.deps, grace)
  const response = await send(api, boss.token, 'DELETE', `/api/users/${grace.id}/sessions`)
  expect(await response.json()).toEqual({ success: true, data: { ended: 2 } })
  expect(await meStatus(api, grace.token)).toBe(401)
  expect(await meStatus(api, another)).toBe(401)
  expect(await meStatus(api, boss.token)).toBe(200)
})

test('every change of an account is in the audit log: names and roles, no secrets', async ({
  api,
}) => {
  const boss = await signInAs(api.deps, 'superuser')
  const created = await send(api, boss.token, 'POST', '/api/auth/register', newUser)
  const { user } = (await created.json()) as { user: User }
  const put = (body: object) => send(api, boss.token, 'PUT', `/api/users/${user._id}`, body)
  await put({ role: 'admin', username: 'gh' })
  await put({ email: 'hopper@staff.test', password: 'eleven quiet herons' })
  await tokenOf(api.deps, { id: user._id })
  await send(api, boss.token, 'DELETE', `/api/users/${user._id}/sessions`)
  await send(api, boss.token, 'DELETE', `/api/users/${user._id}`)
  const response = await send(api, boss.token, 'GET', '/api/audit')
  const text = await response.text()
  expect(text).not.toMatch(/albatross|herons|argon2|staff\.test/)
  const { data } = JSON.parse(text) as { data: object[] }
  const entry = {
    _id: expect.any(String),
    at: expect.any(String),
    by: 'superuser',
    byId: boss.id,
    target: { kind: 'users', _id: user._id },
  }
  expect(data).toEqual([
    {
      ...entry,
      kind: 'user.delete',
      fields: [],
      changes: { username: ['gh', null], role: ['admin', null] },
    },
    { ...entry, kind: 'session.end', fields: [] },
    { ...entry, kind: 'user.update', fields: ['email', 'password'], changes: {} },
    {
      ...entry,
      kind: 'user.update',
      fields: ['username', 'role'],
      changes: { username: ['grace', 'gh'], role: ['editor', 'admin'] },
    },
    {
      ...entry,
      kind: 'user.create',
      fields: ['username', 'email', 'role', 'password'],
      changes: { username: [null, 'grace'], role: [null, 'editor'] },
    },
  ])
})
