import { readFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { kindPaths } from '#contract/inbox.ts'
import { routes } from '#server/app.ts'
import { makeUser, signInAs, testPassword, tokenOf } from '#server/auth/testing.ts'
import type { SiteRenderer } from '#server/content/site.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type Json, submit } from '#server/inbox/testing.ts'
import { samples } from '#server/intake/samples.ts'
import { newOffer } from '#server/offers/testing.ts'
import { newDevice } from '#server/push/testing.ts'
import { newVapidKeys } from '#server/secrets/vapid.ts'
import { leaveNow, mailedCode, submitAndOpen } from '#server/status-page/testing.ts'
import { type TestApi, test, testApi, testConfig } from '#server/testing.ts'
import { always } from '#server/times/testing.ts'
import { SoftPasskey } from '#tests/authenticator.ts'
import { codeOf, login, mailedToken, origin } from '#tests/second-factors.ts'

/** Counts statements on their way to the database: over Neon's driver each is a request of its own. */
const counting = (db: Database): { db: Database; taken: () => number } => {
  if (!('$client' in db && db.$client instanceof PGlite))
    throw new Error('Not the embedded database')
  let count = 0
  const logQuery = () => {
    count += 1
  }
  return {
    db: drizzle(db.$client, { logger: { logQuery } }),
    taken() {
      const taken = count
      count = 0
      return taken
    },
  }
}

const webhookSecret = `whsec_${Buffer.from('a secret that only the provider knows').toString('base64')}`

const config = {
  ...testConfig,
  push: newVapidKeys(),
  mail: { ...testConfig.mail, inboundSecret: 'inbound', resendWebhookSecret: webhookSecret },
}

type Init = NonNullable<Parameters<TestApi['request']>[1]>

/** The table of the guide: the cost of calls that take another number than two statements. */
const documented = (): Record<string, number> => {
  const guide = readFileSync('docs/performance.md', 'utf8')
  const lines = guide.matchAll(/^\| `((?:GET|POST|PUT|DELETE) [^`]+)` +\| +(\d+) /gm)
  return Object.fromEntries([...lines].map(([, call, count]) => [call, Number(count)]))
}

const ofKind = new RegExp(`^/api/(${kindPaths.join('|')})(?=/|$)`)

const genericName = (path: string): string => path.replace(/^\/api\/contacts(?=\/|$)/, '/api/T')

test('each call takes as many statements as the guide says', async ({ db }) => {
  const { db: counted, taken } = counting(db)
  // Draws nothing, and not before the call that publishes is counted.
  const isCounted = Promise.withResolvers<void>()
  const renderer: SiteRenderer = {
    build: 'build',
    draw: () => isCounted.promise.then(() => ({ files: new Map(), problems: [], notices: [] })),
    preview: async () => ({ status: 200, html: '', csp: '' }),
    redirects: () => '',
  }
  const readPicture = async () => ({ body: Buffer.from('picture'), width: 1, height: 1 })
  const api = testApi(counted, { config, renderer, readPicture })
  const counts: Record<string, number> = {}

  /** Makes a call that must succeed, and counts it. `name` is its path as the API describes it. */
  const call = async (
    method: string,
    name: string,
    path: string,
    init: Init = {},
  ): Promise<Json> => {
    taken()
    const answer = await api.request(path, { method, ...init })
    const body = await answer.text()
    expect([name, answer.status < 400, body]).toEqual([name, true, body])
    counts[`${method} ${genericName(name.replace(/\?.*/, ''))}`] = taken()
    return answer.headers.get('Content-Type')?.startsWith('application/json')
      ? JSON.parse(body)
      : body
  }
  const admin = await signInAs(api.deps, 'superuser')
  const { token } = admin
  /** A call by the superuser; `:id` or `:key` is filled in. */
  const staff = (method: string, name: string, body?: unknown, id = ''): Promise<Json> =>
    call(method, name, name.replace(/:(id|key)/, id), {
      token,
      ...(body === undefined ? {} : { body }),
    })
  const visitor = (method: string, name: string, body?: unknown, path = name): Promise<Json> =>
    call(method, name, path, body === undefined ? {} : { body })

  // Without staff.
  await visitor('GET', '/api/health')
  await visitor('GET', '/api/openapi.json')
  await visitor('POST', '/api/contacts', samples.contacts)
  await call('POST', '/api/mail/inbound', '/api/mail/inbound', {
    token: 'inbound',
    body: new TextEncoder().encode(
      'From: a@people.test\r\nMessage-ID: <1@people.test>\r\n\r\nHello',
    ),
    headers: { 'Content-Type': 'message/rfc822' },
  })
  const report = JSON.stringify({ type: 'email.delivered', data: { email_id: 'provider-1' } })
  const at = new Date()
  await call('POST', '/api/webhooks/resend', '/api/webhooks/resend', {
    body: report,
    headers: {
      'Content-Type': 'application/json',
      'svix-id': 'msg_1',
      'svix-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'svix-signature': new Webhook(webhookSecret).sign('msg_1', at, report),
    },
  })

  // The sender's page.
  const sender = await submitAndOpen(api)
  const ofSender = (method: string, name: string, body?: unknown) =>
    visitor(method, name, body, name.replace(':token', sender.token))
  for (const page of ['', '/withdraw', '/export', '/erase'])
    await ofSender('GET', `/status/:token${page}`)
  taken()
  // The form in it is a page of the built site, which is not here.
  expect((await api.request(`/status/${sender.token}/correct`)).status).toBe(503)
  counts['GET /status/:token/correct'] = taken()
  for (const page of ['/status', '/status/sent', '/status/erased']) await visitor('GET', page)
  taken()
  expect((await api.request('/status/of/nothing')).status).toBe(404)
  counts['GET /status/*'] = taken()
  await ofSender('GET', '/api/status/:token')
  await ofSender('GET', '/api/status/:token/preferred-date.ics')
  await ofSender('POST', '/api/status/:token/messages', { text: 'One more thing.' })
  await ofSender('POST', '/api/status/:token/correct', { name: 'Another name' })
  await ofSender('POST', '/api/status/:token/code', {})
  await ofSender('POST', '/api/status/:token/export', { code: await mailedCode(api) })
  await ofSender('POST', '/api/status/:token/withdraw', {})
  await visitor('POST', '/api/status', { email: 'nobody@people.test' })
  await api.settled()
  await api.request(`/api/status/${sender.token}/code`, { method: 'POST', body: {} })
  await ofSender('POST', '/api/status/:token/erase', { code: await mailedCode(api) })

  // The inbox.
  const id = await submit(api)
  const other = await submit(api)
  await staff('POST', '/api/contacts/search', { q: 'text' })
  await staff('POST', '/api/contacts/export.csv', {})
  const { data: opened } = await staff('GET', '/api/contacts/:id', undefined, id)
  await staff('GET', '/api/contacts/:id/activity', undefined, id)
  const entry = `/api/contacts/${id}/activity/${opened.activity[0]._id}`
  await call('GET', '/api/contacts/:id/activity/:entry', entry, { token })
  await staff('POST', '/api/contacts/:id/seen', undefined, id)
  await staff('PUT', '/api/contacts/:id/draft', { text: 'Dear' }, id)
  await staff('PUT', '/api/contacts/:id/writing', undefined, id)
  await staff('POST', '/api/setup/:key', { state: 'skipped' }, 'backup')
  await staff('POST', '/api/setup/mail/test')
  await staff('POST', '/api/me/unread', { kind: 'contacts' })
  await staff('POST', '/api/contacts/:id/claim', undefined, id)
  const changed = await staff('PUT', '/api/contacts/:id', { status: 'handled' }, id)
  await staff('POST', '/api/undo', { event: changed.meta.event })
  await staff('POST', '/api/contacts/:id/notes', { text: 'A note' }, id)
  await staff('POST', '/api/contacts/:id/messages', { text: 'Hello {name}.' }, id)
  await staff('PUT', '/api/contacts/:id/keep', { keep: true }, id)
  await staff('DELETE', '/api/contacts/:id/link', undefined, id)
  await staff('POST', '/api/contacts/bulk', { ids: [id, other], action: 'assign', value: null })
  await staff('DELETE', '/api/contacts/:id', undefined, other)
  await staff('POST', '/api/contacts/:id/restore', undefined, other)
  for (const [path, made, change] of [
    ['/api/templates', { name: 'Yes', text: 'Yes.', kind: null }, { name: 'No' }],
    ['/api/views', { name: 'Late', kind: 'contacts', filter: {} }, { name: 'Due' }],
  ] as const) {
    const { data } = await staff('POST', path, made)
    await staff('GET', path)
    await staff('PUT', `${path}/:id`, change, data._id)
    if (path === '/api/views') await staff('GET', `${path}/:id`, undefined, data._id)
    await staff('DELETE', `${path}/:id`, undefined, data._id)
  }
  const [failed] = await rows<{ id: string }>(
    db,
    sql`update mail set status = 'failed' where kind = 'acknowledgement' and text <> ''
      and id = (select max(id::text)::uuid from mail where kind = 'acknowledgement') returning id`,
  )
  await staff('POST', '/api/mail/:id/retry', undefined, failed?.id)
  await staff('POST', '/api/privacy/export', { email: 'nobody@people.test' })
  await staff('POST', '/api/privacy/erase', { email: 'nobody@people.test' })

  // The site's content.
  const content = (method: string, name: string, body?: unknown) =>
    call(
      method,
      `/api/content${name}`,
      `/api/content${name.replace(':collection', 'faq').replace(':id', 'what').replace(':n', '1')}`,
      { token, ...(body === undefined ? {} : { body }) },
    )
  await content('GET', '')
  const document = { question: 'What?', answer: ['This.'], category: 'process' }
  await content('POST', '/:collection', { id: 'what', value: document })
  const { data: questions } = await content('GET', '/:collection')
  const ids = questions.map((row: Json) => row.id)
  await content('PUT', '/:collection/order', { ids: ids.toReversed() })
  await content('GET', '/:collection/:id')
  await content('PUT', '/:collection/:id', { value: { ...document, question: 'Which?' } })
  await content('GET', '/changes')
  await content('GET', '/preview?path=/faq')
  const { data: link } = await content('POST', '/preview/link', { path: '/faq' })
  await visitor('GET', '/preview/:token', undefined, new URL(link.url).pathname)
  await content('GET', '/images')
  const form = new FormData()
  form.set('file', new Blob(['x'], { type: 'image/png' }))
  form.set('alt', 'A surface')
  const { data: image } = await content('POST', '/images', form)
  await visitor('GET', '/media/:hash', undefined, image.url)
  await content('POST', '/publish', { release: 0 })
  isCounted.resolve()
  await api.settled()
  taken()
  await content('GET', '/releases')
  await content('GET', '/releases/:n')
  await content('POST', '/releases/:n/show')
  await content('POST', '/releases/:n/bring-back')
  await content('DELETE', '/:collection/:id')
  await content('POST', '/:collection/:id/discard')

  // Times and appointments.
  await staff('PUT', '/api/me/hours', { ...always, busyUrl: 'https://127.0.0.1/x.ics' })
  taken()
  expect((await api.request('/api/me/hours/check', { token, method: 'POST' })).status).toBe(400)
  counts['POST /api/me/hours/check'] = taken()
  await staff('PUT', '/api/me/hours', { ...always, busyUrl: null })
  const guest = await submitAndOpen(api)
  const ofGuest = (method: string, name: string, body?: unknown) =>
    visitor(method, name, body, name.replace(':token', guest.token))
  await staff('POST', '/api/consultations/:id/times', {}, guest.id)
  await leaveNow(api)
  await ofGuest('GET', '/status/:token/times')
  const { data: times } = await ofGuest('GET', '/api/status/:token/times')
  const [early, later, latest] = times.slots
  await ofGuest('POST', '/api/status/:token/times', { start: early.start })
  await ofGuest('GET', '/api/status/:token/appointment.ics')
  await staff('PUT', '/api/consultations/:id/appointment', { start: later.start }, guest.id)
  await ofGuest('DELETE', '/api/status/:token/times')
  await api.request(`${guest.path}/times`, { body: { start: latest.start } })
  await ofGuest('POST', '/api/status/:token/times/cancel', {})

  // Offers.
  const made = await staff('POST', '/api/consultations/:id/offers', newOffer, guest.id)
  const draftId: string = made.data._id
  await staff('PUT', '/api/offers/:id', { title: 'Another title' }, draftId)
  await staff('POST', '/api/offers/:id/send', {}, draftId)
  await staff('GET', '/api/offers/:id', undefined, draftId)
  await leaveNow(api)
  const ofOffer = (method: string, body?: unknown) =>
    visitor(
      method,
      '/api/status/:token/offers/:id',
      body,
      `/api/status/${guest.token}/offers/${draftId}`,
    )
  const { data: read } = await ofOffer('GET')
  await visitor(
    'GET',
    '/status/:token/offers/:id',
    undefined,
    `/status/${guest.token}/offers/${draftId}`,
  )
  await ofOffer('POST', { answer: 'decline', hash: read.hash })
  const { data: newer } = await staff('POST', '/api/offers/:id/replace', undefined, draftId)
  await staff('DELETE', '/api/offers/:id', undefined, newer._id)
  const { data: calendar } = await staff('POST', '/api/me/calendar')
  await visitor('GET', '/calendar/:token', undefined, new URL(calendar.url).pathname)
  await staff('DELETE', '/api/me/calendar')

  // Their own settings and devices.
  await staff('PUT', '/api/me/settings', { density: 'compact' })
  const { endpoint, keys } = newDevice()
  await staff('POST', '/api/me/push', { endpoint, keys })
  await staff('POST', '/api/me/push/test', { endpoint })
  await staff('DELETE', '/api/me/push', { endpoint })

  // Visits.
  await visitor('POST', '/api/visits', { page: '/', wide: true })
  await api.deps.visits.fold()

  // Programs.
  await staff('PUT', '/api/settings', { agents: true })
  const hook = { url: 'https://hooks.example.test/', events: ['test'] }
  const { data: hooked } = await staff('POST', '/api/endpoints', hook)
  await staff('PUT', '/api/endpoints/:id', { details: true }, hooked._id)
  await staff('POST', '/api/endpoints/:id/secret', undefined, hooked._id)
  const { data: tested } = await staff('POST', '/api/endpoints/:id/test', undefined, hooked._id)
  await staff('GET', '/api/endpoints/:id/deliveries', undefined, hooked._id)
  await staff('POST', '/api/deliveries/:id/retry', undefined, tested._id)
  await staff('DELETE', '/api/endpoints/:id', undefined, hooked._id)

  // Tokens.
  const tokens = async (): Promise<string> =>
    (
      await staff('POST', '/api/me/tokens', {
        name: 'n8n',
        scopes: ['read'],
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      })
    ).data._id
  await staff('DELETE', '/api/me/tokens/:id', undefined, await tokens())
  // Agents.
  const forAgent = await api.request('/api/me/tokens', {
    token,
    body: {
      name: 'agent',
      scopes: ['read', 'draft'],
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
  })
  const agent = ((await forAgent.json()) as Json).data.token
  const tool = (name: string, args: object) =>
    call('POST', '/api/mcp', '/api/mcp', {
      token: agent,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    })
  await tool('draft_reply', { id, text: 'Hello' })
  await tool('propose_status', { id, status: 'new', why: 'A reply' })
  await tool('read_record', { id })
  const [draft] = await rows<{ id: string }>(db, sql`select id from agent_drafts`)
  await staff('DELETE', '/api/drafts/:id', undefined, draft?.id)
  await staff('DELETE', '/api/proposals/:id', undefined, id)
  await staff('GET', '/api/users/:id/tokens', undefined, admin.id)
  const byToken = '/api/users/:id/tokens/:token'
  await call('DELETE', byToken, `/api/users/${admin.id}/tokens/${await tokens()}`, { token })
  await staff('DELETE', '/api/users/:id/tokens', undefined, admin.id)

  // Accounts.
  const { data: grace } = await staff('POST', '/api/auth/register', {
    username: 'grace',
    email: 'grace@staff.test',
    password: 'nine wandering albatrosses',
  })
  await staff('PUT', '/api/users/:id', { username: 'grace2' }, grace._id)
  await staff('DELETE', '/api/users/:id/sessions', undefined, grace._id)
  await staff('DELETE', '/api/users/:id', undefined, grace._id)
  const invite = (email: string) => ({ email, role: 'editor', username: 'invited' })
  const { data: invitation } = await staff('POST', '/api/users/invitations', invite('a@staff.test'))
  await staff('DELETE', '/api/users/invitations/:id', undefined, invitation._id)
  await api.request('/api/users/invitations', { token, body: invite('b@staff.test') })
  const invited = await mailedToken(db)
  await visitor('POST', '/api/auth/invitation', { token: invited })
  await visitor('POST', '/api/auth/invitation/accept', {
    token: invited,
    username: 'invited',
    password: 'nine wandering albatrosses',
  })

  // Signing in.
  const ada = await makeUser(counted, 'ada', 'editor')
  await visitor('POST', '/api/auth/login', { email: ada.email, password: testPassword })
  const own = async () => ({ token: await tokenOf(api.deps, ada) })
  const asAda = async (method: string, name: string, body?: unknown, id = '') =>
    call(method, name, name.replace(':id', id), {
      ...(await own()),
      ...(body === undefined ? {} : { body }),
    })
  await asAda('GET', '/api/auth/me')
  const { data: open } = await asAda('GET', '/api/auth/sessions')
  await asAda('DELETE', '/api/auth/sessions/:id', undefined, open[0]._id)
  await asAda('POST', '/api/auth/logout')
  await asAda('GET', '/api/auth/factors')
  await asAda('POST', '/api/auth/step-up', { password: testPassword })

  const passkey = new SoftPasskey({ origin })
  const { data: asked } = await asAda('POST', '/api/auth/passkeys/options')
  const { data: key } = await asAda('POST', '/api/auth/passkeys', {
    challenge: asked.challenge,
    response: passkey.create(asked.options),
    name: 'Laptop',
  })
  await asAda('PUT', '/api/auth/passkeys/:id', { name: 'Phone' }, key._id)
  const { data: options } = await visitor('POST', '/api/auth/passkeys/sign-in/options')
  await visitor('POST', '/api/auth/passkeys/sign-in', {
    challenge: options.challenge,
    response: passkey.get(options.options),
  })
  await asAda('POST', '/api/auth/recovery-codes')
  await asAda('DELETE', '/api/auth/passkeys/:id', undefined, key._id)

  const { data: app } = await asAda('POST', '/api/auth/totp')
  await asAda('POST', '/api/auth/totp/confirm', { code: codeOf(app.secret) })
  const { body: first } = await login(api, ada)
  await visitor('POST', '/api/auth/second-factor', {
    challenge: first.secondFactor.challenge,
    code: codeOf(app.secret, 1),
  })
  await asAda('DELETE', '/api/auth/totp')

  await asAda('POST', '/api/auth/password', {
    currentPassword: testPassword,
    newPassword: 'nine wandering albatrosses',
  })
  await visitor('POST', '/api/auth/reset', { email: ada.email })
  await api.settled()
  await visitor('POST', '/api/auth/reset/confirm', {
    token: await mailedToken(db),
    newPassword: 'ten wandering albatrosses',
  })

  // Only applications are scored.
  const applicant = await submit(api, 'applications')
  const application = await api.request(`/api/applications/${applicant}`, { token })
  const [criterion] = ((await application.json()) as Json).data.criteria
  await staff('PUT', '/api/applications/:id/score', { criteria: { [criterion.key]: 3 } }, applicant)
  await staff('POST', '/api/applications/:id/reveal', undefined, applicant)

  // Reads that need no parameters.
  for (const { endpoint } of routes) {
    const { method, path, access } = endpoint
    const isCalled = `${method} ${genericName(path)}` in counts
    const needsMore = /[:*]/.test(path) || (ofKind.test(path) && genericName(path) === path)
    if (method === 'GET' && access !== 'public' && !isCalled && !needsMore)
      await staff(method, path)
  }

  const usual = Object.keys(counts).map((name) => [name, 2] as const)
  expect(counts).toEqual({ ...Object.fromEntries(usual), ...documented() })
  const missing = routes.filter(({ endpoint: { method, path } }) => {
    const names = [path, path.replace(ofKind, '/api/T')]
    return !names.some((name) => `${method} ${name}` in counts)
  })
  expect(missing.map(({ endpoint: { method, path } }) => `${method} ${path}`)).toEqual([])
})

test('a key costs its look-up and the storing of the answer, and a repetition no more', async ({
  db,
}) => {
  const { db: counted, taken } = counting(db)
  const api = testApi(counted)
  const { token } = await signInAs(api.deps, 'editor')
  const path = `/api/contacts/${await submit(api)}/notes`
  const headers = { 'Idempotency-Key': 'a-key' }
  const SESSION = 1
  for (const trips of [3, 1]) {
    taken()
    const answer = await api.request(path, { body: { text: 'A note' }, token, headers })
    expect(answer.status).toBe(201)
    expect(taken() - SESSION).toBe(trips)
  }
})
