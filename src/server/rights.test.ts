import { expect } from 'vitest'
import { type Role, roles } from '#contract/http/access.ts'
import { kindPaths } from '#contract/inbox.ts'
import { routes } from '#server/app.ts'
import { signInAs, tokenOf } from '#server/auth/testing.ts'
import { test } from '#server/testing.ts'

/** The least role that may make each call, by hand: this is what `rights` is held against. */
const kindCalls = {
  'GET /api/T': 'reviewer',
  'POST /api/T/search': 'reviewer',
  'GET /api/T/:id': 'reviewer',
  'POST /api/T/:id/seen': 'reviewer',
  'POST /api/T/:id/messages': 'editor',
  'POST /api/T/:id/claim': 'editor',
  'PUT /api/T/:id/draft': 'editor',
  'PUT /api/T/:id/writing': 'editor',
  'DELETE /api/T/:id/link': 'editor',
  'PUT /api/T/:id': 'editor',
  'POST /api/T/:id/notes': 'editor',
  'POST /api/T/bulk': 'editor',
  'GET /api/T/:id/activity': 'reviewer',
  'GET /api/T/:id/activity/:entry': 'reviewer',
  'DELETE /api/T/:id': 'admin',
  'POST /api/T/:id/restore': 'admin',
  'PUT /api/T/:id/keep': 'admin',
  'GET /api/T/export.csv': 'admin',
  'POST /api/T/export.csv': 'admin',
} as const satisfies Record<string, Role>

const leastRole: Record<string, Role | 'anybody'> = {
  'GET /api/health': 'anybody',
  'GET /api/openapi.json': 'anybody',
  'POST /api/consultations': 'anybody',
  'POST /api/applications': 'anybody',
  'POST /api/contacts': 'anybody',
  'POST /api/webhooks/resend': 'anybody',
  'POST /api/mail/inbound': 'anybody',
  'GET /api/status/:token': 'anybody',
  'GET /api/status/:token/preferred-date.ics': 'anybody',
  'GET /status': 'anybody',
  'GET /status/sent': 'anybody',
  'GET /status/erased': 'anybody',
  'GET /status/:token': 'anybody',
  'GET /status/:token/correct': 'anybody',
  'GET /status/:token/withdraw': 'anybody',
  'GET /status/:token/export': 'anybody',
  'GET /status/:token/erase': 'anybody',
  'GET /status/*': 'anybody',
  'POST /api/status': 'anybody',
  'GET /api/status/:token/appointment.ics': 'anybody',
  'GET /api/status/:token/times': 'anybody',
  'POST /api/status/:token/times': 'anybody',
  'DELETE /api/status/:token/times': 'anybody',
  'POST /api/status/:token/times/cancel': 'anybody',
  'GET /calendar/:token': 'anybody',
  'GET /status/:token/times': 'anybody',
  'GET /status/:token/offers/:id': 'anybody',
  'GET /api/me/hours': 'editor',
  'PUT /api/me/hours': 'editor',
  'POST /api/me/hours/check': 'editor',
  'GET /api/me/slots': 'editor',
  'POST /api/me/calendar': 'editor',
  'DELETE /api/me/calendar': 'editor',
  'GET /api/appointments': 'reviewer',
  'POST /api/consultations/:id/offers': 'editor',
  'PUT /api/offers/:id': 'editor',
  'DELETE /api/offers/:id': 'editor',
  'POST /api/offers/:id/send': 'editor',
  'POST /api/offers/:id/replace': 'editor',
  'GET /api/offers': 'reviewer',
  'GET /api/offers/:id': 'reviewer',
  'GET /api/status/:token/offers/:id': 'anybody',
  'POST /api/status/:token/offers/:id': 'anybody',
  'POST /api/consultations/:id/times': 'editor',
  'PUT /api/consultations/:id/appointment': 'editor',
  'POST /api/status/:token/messages': 'anybody',
  'POST /api/status/:token/correct': 'anybody',
  'POST /api/status/:token/withdraw': 'anybody',
  'POST /api/status/:token/code': 'anybody',
  'POST /api/status/:token/export': 'anybody',
  'POST /api/status/:token/erase': 'anybody',
  'POST /api/auth/login': 'anybody',
  'POST /api/auth/second-factor': 'anybody',
  'POST /api/auth/passkeys/sign-in/options': 'anybody',
  'POST /api/auth/passkeys/sign-in': 'anybody',
  'POST /api/auth/invitation': 'anybody',
  'POST /api/auth/invitation/accept': 'anybody',
  'POST /api/auth/reset': 'anybody',
  'POST /api/auth/reset/confirm': 'anybody',
  'GET /api/auth/factors': 'user',
  'POST /api/auth/passkeys/options': 'user',
  'POST /api/auth/passkeys': 'user',
  'PUT /api/auth/passkeys/:id': 'user',
  'DELETE /api/auth/passkeys/:id': 'user',
  'POST /api/auth/totp': 'user',
  'POST /api/auth/totp/confirm': 'user',
  'DELETE /api/auth/totp': 'user',
  'POST /api/auth/recovery-codes': 'user',
  'POST /api/auth/step-up': 'user',
  'GET /api/auth/me': 'user',
  'GET /api/auth/logout': 'user',
  'POST /api/auth/logout': 'user',
  'POST /api/auth/password': 'user',
  'GET /api/auth/sessions': 'user',
  'DELETE /api/auth/sessions/:id': 'user',
  'GET /api/endpoints': 'superuser',
  'POST /api/endpoints': 'superuser',
  'PUT /api/endpoints/:id': 'superuser',
  'DELETE /api/endpoints/:id': 'superuser',
  'POST /api/endpoints/:id/secret': 'superuser',
  'POST /api/endpoints/:id/test': 'superuser',
  'GET /api/endpoints/:id/deliveries': 'superuser',
  'POST /api/deliveries/:id/retry': 'superuser',
  'GET /api/settings': 'superuser',
  'PUT /api/settings': 'superuser',
  'POST /api/visits': 'anybody',
  // A 404 while agents are off, and later with a token alone.
  'POST /api/mcp': 'anybody',
  'DELETE /api/drafts/:id': 'editor',
  'DELETE /api/proposals/:id': 'editor',
  'GET /api/stats/answers': 'reviewer',
  'GET /api/stats/answers.csv': 'admin',
  'GET /api/stats/sources': 'reviewer',
  'GET /api/stats/sources.csv': 'admin',
  'GET /api/me/tokens': 'reviewer',
  'POST /api/me/tokens': 'reviewer',
  'DELETE /api/me/tokens/:id': 'reviewer',
  'GET /api/users/:id/tokens': 'superuser',
  'DELETE /api/users/:id/tokens': 'superuser',
  'DELETE /api/users/:id/tokens/:token': 'superuser',
  'GET /api/users': 'reviewer',
  'GET /api/stats': 'reviewer',
  'GET /api/mail': 'reviewer',
  'GET /api/privacy/retention': 'reviewer',
  'POST /api/mail/:id/retry': 'editor',
  'POST /api/undo': 'editor',
  'GET /api/templates': 'editor',
  'POST /api/templates': 'editor',
  'PUT /api/templates/:id': 'editor',
  'DELETE /api/templates/:id': 'editor',
  'GET /preview/:token': 'anybody',
  'GET /api/content': 'editor',
  'GET /api/content/changes': 'editor',
  'GET /api/content/preview': 'editor',
  'POST /api/content/preview/link': 'editor',
  'GET /api/content/images': 'editor',
  'POST /api/content/images': 'editor',
  'GET /media/:hash': 'anybody',
  'POST /api/content/publish': 'admin',
  'GET /api/content/releases': 'editor',
  'GET /api/content/releases/:n': 'editor',
  'POST /api/content/releases/:n/bring-back': 'editor',
  'POST /api/content/releases/:n/show': 'admin',
  'GET /api/content/:collection': 'editor',
  'POST /api/content/:collection': 'editor',
  'PUT /api/content/:collection/order': 'editor',
  'GET /api/content/:collection/:id': 'editor',
  'PUT /api/content/:collection/:id': 'editor',
  'DELETE /api/content/:collection/:id': 'editor',
  'POST /api/content/:collection/:id/discard': 'editor',
  'GET /api/me/unread': 'reviewer',
  'GET /api/setup': 'superuser',
  'POST /api/setup/:key': 'superuser',
  'POST /api/setup/mail/test': 'superuser',
  'POST /api/me/unread': 'reviewer',
  'GET /api/me/settings': 'reviewer',
  'PUT /api/me/settings': 'reviewer',
  'GET /api/views': 'reviewer',
  'POST /api/views': 'reviewer',
  'GET /api/views/:id': 'reviewer',
  'PUT /api/views/:id': 'reviewer',
  'DELETE /api/views/:id': 'reviewer',
  'GET /api/me/push': 'reviewer',
  'POST /api/me/push': 'reviewer',
  'DELETE /api/me/push': 'reviewer',
  'POST /api/me/push/test': 'reviewer',
  'POST /api/auth/register': 'superuser',
  'GET /api/users/invitations': 'superuser',
  'POST /api/users/invitations': 'superuser',
  'DELETE /api/users/invitations/:id': 'superuser',
  'PUT /api/users/:id': 'superuser',
  'DELETE /api/users/:id': 'superuser',
  'DELETE /api/users/:id/sessions': 'superuser',
  'GET /api/audit': 'superuser',
  'POST /api/privacy/export': 'superuser',
  'POST /api/privacy/erase': 'superuser',
  'PUT /api/applications/:id/score': 'editor',
  'POST /api/applications/:id/reveal': 'editor',
  ...Object.fromEntries(
    kindPaths.flatMap((path) =>
      Object.entries(kindCalls).map(([call, role]) => [call.replace('/T', `/${path}`), role]),
    ),
  ),
}

/** Every call of the API, an alternative method being a call of its own. */
const calls = routes.flatMap(({ endpoint }) =>
  [endpoint.method, ...(endpoint.also ? [endpoint.also] : [])].map((method) => ({
    method,
    path: endpoint.path.replace(/:\w+/g, '018f0000-0000-7000-8000-000000000000'),
    name: `${method} ${endpoint.path}`,
  })),
)

test('the table names every call once, and nothing else', () => {
  expect(calls.map(({ name }) => name).toSorted()).toEqual(Object.keys(leastRole).toSorted())
})

test('nobody gets past a call that is not open to anybody', async ({ api }) => {
  for (const { method, path, name } of calls) {
    for (const token of [undefined, 'x', 'a.b.c']) {
      const { status } = await api.request(path, { method, token })
      if (leastRole[name] === 'anybody') expect(status, name).not.toBe(401)
      else expect(status, name).toBe(401)
    }
  }
})

for (const role of roles) {
  test(`the role ${role} may do its part and no more`, async ({ api }) => {
    const user = await signInAs(api.deps, role)
    let { token } = user
    for (const { method, path, name } of calls) {
      const least = leastRole[name]
      const isAllowed =
        least === 'anybody' || (least && roles.indexOf(role) >= roles.indexOf(least))
      const { status } = await api.request(path, { method, token })
      if (isAllowed) expect([401, 403], name).not.toContain(status)
      else expect(status, name).toBe(403)
      expect(status, name).toBeLessThan(500)
      // These end the session that they are made with.
      if (path.endsWith('/logout')) token = await tokenOf(api.deps, user)
    }
  })
}

test('a call is refused before its body is looked at', async ({ api }) => {
  const user = await signInAs(api.deps, 'user')
  const oversized = 'x'.repeat(70_000)
  for (const { method, path, name } of calls.filter(({ method }) => method !== 'GET')) {
    if (leastRole[name] === 'anybody') continue
    const nobody = await api.request(path, { method, body: oversized })
    expect(nobody.status, name).toBe(401)
    if (leastRole[name] === 'user') continue
    const refused = await api.request(path, { method, body: '{', token: user.token })
    expect(refused.status, name).toBe(403)
  }
})

test('an unknown id is a 404 before the fields are looked at', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const withId = routes.filter(({ endpoint: { path } }) => /:(id|key|token)\b/.test(path))
  for (const { endpoint } of withId) {
    if (!endpoint.body || endpoint.takes) continue
    const { method } = endpoint
    const path = endpoint.path.replace(/:\w+/g, 'nothing')
    const response = await api.request(path, { method, token, body: [] })
    expect(response.status, `${method} ${path}`).toBe(404)
  }
  const deliveries = await api.request('/api/endpoints/nothing/deliveries?cursor=x', { token })
  expect(deliveries.status).toBe(404)
})

test('no spelling of a path opens it', async ({ api }) => {
  for (const path of [
    '/API/users',
    '/api/USERS',
    '/api/users/',
    '/api//users',
    '//api/users',
    '/api/./users',
    '/api/x/../users',
    '/api/%75sers',
    '/api/users;x=1',
    '/api/users%00',
    '/api/users%2f',
    '/api/users?access=public',
    '/api/users.json',
    '/api/auth/../users',
  ]) {
    const response = await api.request(path)
    expect([401, 404], path).toContain(response.status)
    expect(await response.text(), path).not.toContain('"data"')
  }
})

test('headers and parameters that other servers heed change nothing', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'user')
  for (const headers of [
    { 'X-HTTP-Method-Override': 'GET' },
    { 'X-Original-URL': '/api/health' },
    { 'X-Rewrite-URL': '/api/health' },
    { 'X-Forwarded-For': '127.0.0.1' },
    { 'X-User-Role': 'superuser' },
    { 'X-Middleware-Subrequest': 'middleware' },
    { Cookie: `token=${token}` },
  ] as Record<string, string>[]) {
    expect((await api.request('/api/users', { headers })).status).toBe(401)
    expect((await api.request('/api/users?role=superuser', { headers, token })).status).toBe(403)
  }
  expect((await api.request(`/api/auth/me?token=${token}`)).status).toBe(401)
  expect((await api.request(`/api/auth/me?access_token=${token}`)).status).toBe(401)
})
