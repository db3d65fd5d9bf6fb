import { expect } from 'vitest'
import { kindPaths } from '#contract/inbox.ts'
import { routes } from '#server/app.ts'
import { signInAs, type TestUser, tokenOf } from '#server/auth/testing.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { sessions, users } from '#server/db/schema/accounts/users.ts'
import { keyedCalls } from '#server/db/schema/calls.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { type Json, submit } from '#server/inbox/testing.ts'
import { samples } from '#server/intake/samples.ts'
import { newOffer } from '#server/offers/testing.ts'
import { newDevice } from '#server/push/testing.ts'
import { newVapidKeys } from '#server/secrets/vapid.ts'
import { leaveNow, submitAndOpen } from '#server/status-page/testing.ts'
import {
  type TestApi,
  test,
  testApi,
  testConfig,
  testOnAll,
  testOnPostgres,
  wholeSite,
} from '#server/testing.ts'
import { always, inDays } from '#server/times/testing.ts'
import { entries, judging } from '#site/content.ts'

/** A call with an `Idempotency-Key`, as the admin sends each change. */
interface Keyed {
  method: string
  path: string
  body?: unknown
  token: string
  key?: string
}

interface Answer {
  status: number
  text: string
}

const send = async (api: TestApi, { key = 'key-1', ...call }: Keyed): Promise<Answer> => {
  const response = await api.request(call.path, { ...call, headers: { 'Idempotency-Key': key } })
  return { status: response.status, text: await response.text() }
}

const dataOf = ({ text }: Answer): Json => JSON.parse(text).data

const countEvents = async (db: Database): Promise<number> => {
  const [found] = await rows<{ n: number }>(db, sql`select count(*) as n from ${events}`)
  return found?.n ?? 0
}

const putStatus = async (api: TestApi, status = 'handled') => {
  const { token } = await signInAs(api.deps, 'editor')
  const id = await submit(api)
  return { method: 'PUT', path: `/api/contacts/${id}`, body: { status }, token }
}

/** Sends until the database has room for it, as a client does after a 503. */
const sendUntilAnswered = async (api: TestApi, call: Keyed): Promise<Answer> => {
  const answer = await send(api, call)
  return answer.status === 503 ? sendUntilAnswered(api, call) : answer
}

/** Makes what a repeatable call changes, and gives its body and, where its name holds parameters, its path. */
type Example = (api: TestApi, caller: TestUser) => Promise<Partial<Pick<Keyed, 'path' | 'body'>>>

const record = (suffix = '', body?: unknown): Example => {
  return async (api) => ({ path: `/api/contacts/${await submit(api)}${suffix}`, body })
}

const user = (suffix = '', body?: unknown): Example => {
  return async (api) => {
    const { id } = await signInAs(api.deps, 'user', 'somebody')
    return { path: `/api/users/${id}${suffix}`, body }
  }
}

const storePasskey = async ({ deps: { db } }: TestApi, { id }: TestUser): Promise<string> => {
  const [made] = await rows<{ id: string }>(
    db,
    sql`with counted as (update users set factor_count = 1 where id = ${id}::uuid)
      insert into passkeys
        (user_id, name, credential_id, public_key, counter, backup_eligible, backed_up, transports)
      values (${id}::uuid, 'Laptop', 'credential', 'key', 0, false, false, '{}') returning id`,
  )
  return made?.id ?? ''
}

const answer = { name: 'Yes', text: 'Yes, {name}.', kind: null }

/** The data that a call of the caller answers. */
const made = async (
  api: TestApi,
  caller: TestUser,
  path: string,
  body?: unknown,
  method = 'POST',
): Promise<Json> => {
  const token = await tokenOf(api.deps, caller)
  return ((await (await api.request(path, { method, body, token })).json()) as Json).data
}

const template = (body?: unknown): Example => {
  return async (api, caller) => {
    const { _id } = await made(api, caller, '/api/templates', answer)
    return { path: `/api/templates/${_id}`, body }
  }
}

const savedView = (body?: unknown): Example => {
  return async (api, caller) => {
    const view = { name: 'Late', kind: 'contacts', filter: { status: 'new' } }
    const { _id } = await made(api, caller, '/api/views', view)
    return { path: `/api/views/${_id}`, body }
  }
}

const draftedOffer = (suffix = '', body?: unknown): Example => {
  return async (api, caller) => {
    const path = `/api/consultations/${await submit(api, 'consultations')}/offers`
    const { _id } = await made(api, caller, path, newOffer)
    if (suffix === '/replace') await made(api, caller, `/api/offers/${_id}/send`, {})
    return { path: `/api/offers/${_id}${suffix}`, body }
  }
}

const endpoint = (suffix = '', body?: unknown): Example => {
  return async (api, caller) => {
    const hook = { url: 'https://hooks.example.test/', events: ['test'] }
    const { _id } = await made(api, caller, '/api/endpoints', hook)
    return { path: `/api/endpoints/${_id}${suffix}`, body }
  }
}

const newToken = (api: TestApi, owner: TestUser): Promise<Json> =>
  made(api, owner, '/api/me/tokens', {
    name: 'n8n',
    scopes: ['read'],
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  })

const subscribed = (suffix = ''): Example => {
  return async (api, caller) => {
    const { endpoint, keys } = newDevice()
    const token = await tokenOf(api.deps, caller)
    await api.request('/api/me/push', { body: { endpoint, keys }, token })
    return { path: `/api/me/push${suffix}`, body: { endpoint } }
  }
}

const question = { question: 'What?', answer: ['This.'], category: 'process' }

/** A call about a draft of the site's content. */
const draft = (suffix = '', body?: unknown): Example => {
  return async (api, caller) => {
    const token = await tokenOf(api.deps, caller)
    await api.request('/api/content/faq', { body: { id: 'what', value: question }, token })
    return { path: `/api/content/faq/what${suffix}`, body }
  }
}

/** Publishes a question, which makes the release. */
const published = async (api: TestApi, caller: TestUser, release = 0): Promise<void> => {
  const token = await tokenOf(api.deps, caller)
  const body = { id: `what-${release}`, value: question }
  await api.request('/api/content/faq', { body, token })
  await made(api, caller, '/api/content/publish', { release })
  await api.settled()
}

const examples: Record<string, Example> = {
  'POST /api/content/:collection': async () => ({
    path: '/api/content/faq',
    body: { value: question },
  }),
  'DELETE /api/content/:collection/:id': draft(),
  'POST /api/content/:collection/:id/discard': draft('/discard'),
  'POST /api/content/images': async () => {
    const body = new FormData()
    body.set('file', new Blob(['a picture'], { type: 'image/png' }))
    body.set('alt', 'A kite')
    return { body }
  },
  'POST /api/content/publish': async (api, caller) => {
    await draft()(api, caller)
    return { body: { release: 0 } }
  },
  'POST /api/content/releases/:n/bring-back': async (api, caller) => {
    await published(api, caller)
    return { path: '/api/content/releases/0/bring-back' }
  },
  'POST /api/content/releases/:n/show': async (api, caller) => {
    await published(api, caller)
    await published(api, caller, 1)
    return { path: '/api/content/releases/1/show' }
  },
  'PUT /api/me/hours': async () => ({ body: always }),
  'DELETE /api/me/calendar': async (api, caller) => {
    await made(api, caller, '/api/me/calendar')
    return {}
  },
  'POST /api/setup/:key': async () => ({ path: '/api/setup/backup', body: { state: 'skipped' } }),
  'PUT /api/content/:collection/:id': draft('', { value: { ...question, question: 'Which?' } }),
  'PUT /api/content/:collection/order': async () => ({
    path: '/api/content/faq/order',
    body: {
      ids: entries('faq')
        .map(({ id }) => id)
        .toReversed(),
    },
  }),
  'POST /api/contacts/:id/claim': record('/claim'),
  'PUT /api/contacts/:id/score': async (api) => ({
    path: `/api/applications/${await submit(api, 'applications', { position: 'other' })}/score`,
    body: { criteria: { [judging('other').criteria[0]?.key ?? '']: 3 } },
  }),
  'POST /api/contacts/:id/reveal': async (api) => ({
    path: `/api/applications/${await submit(api, 'applications')}/reveal`,
  }),
  'PUT /api/me/settings': async () => ({ body: { density: 'comfortable' } }),
  'POST /api/me/push': async () => {
    const { endpoint, keys } = newDevice()
    return { body: { endpoint, keys } }
  },
  'DELETE /api/me/push': subscribed(),
  'POST /api/me/push/test': subscribed('/test'),
  'POST /api/views': async () => ({
    body: { name: 'Late', kind: 'contacts', filter: { status: 'new' } },
  }),
  'PUT /api/views/:id': savedView({ name: 'Due', place: 0 }),
  'DELETE /api/views/:id': savedView(),
  'PUT /api/contacts/:id': record('', { status: 'handled' }),
  'POST /api/contacts/:id/notes': record('/notes', { text: 'Called back.' }),
  'PUT /api/contacts/:id/draft': record('/draft', { text: 'Dear' }),
  'POST /api/contacts/:id/messages': record('/messages', { text: 'Hello {name}.' }),
  'DELETE /api/contacts/:id/link': async (api) => {
    const id = await submit(api)
    await rows(
      api.deps.db,
      sql`insert into record_links (record_kind, record_id, token_hash, reply_hash, sealed)
        values ('contacts', ${id}::uuid, 'one', 'other', 'encrypted')`,
    )
    return { path: `/api/contacts/${id}/link` }
  },
  'POST /api/templates': async () => ({ body: answer }),
  'PUT /api/templates/:id': template({ name: 'No' }),
  'DELETE /api/templates/:id': template(),
  'DELETE /api/contacts/:id': record(),
  'PUT /api/contacts/:id/keep': record('/keep', { keep: true }),
  'POST /api/contacts/:id/restore': async (api, caller) => {
    const path = `/api/contacts/${await submit(api)}`
    await api.request(path, { method: 'DELETE', token: await tokenOf(api.deps, caller) })
    return { path: `${path}/restore` }
  },
  'POST /api/contacts/bulk': async (api) => ({
    body: { ids: [await submit(api), await submit(api)], action: 'status', value: 'handled' },
  }),
  'POST /api/undo': async (api, caller) => {
    const changed = await api.request(`/api/contacts/${await submit(api)}`, {
      method: 'PUT',
      body: { status: 'handled' },
      token: await tokenOf(api.deps, caller),
    })
    const { meta } = (await changed.json()) as Json
    return { body: { event: meta.event } }
  },
  'POST /api/mail/:id/retry': async (api) => {
    await submit(api)
    const [failed] = await rows<{ id: string }>(
      api.deps.db,
      sql`update ${mail} set status = 'failed' where kind = 'acknowledgement' returning id`,
    )
    return { path: `/api/mail/${failed?.id}/retry` }
  },
  'POST /api/auth/register': async () => ({
    body: { username: 'grace', email: 'grace@staff.test', password: 'nine wandering albatrosses' },
  }),
  'PUT /api/users/:id': user('', { username: 'renamed' }),
  'DELETE /api/users/:id': user(),
  'DELETE /api/users/:id/sessions': user('/sessions'),
  'PUT /api/auth/passkeys/:id': async (api, caller) => ({
    path: `/api/auth/passkeys/${await storePasskey(api, caller)}`,
    body: { name: 'Phone' },
  }),
  'DELETE /api/auth/passkeys/:id': async (api, caller) => ({
    path: `/api/auth/passkeys/${await storePasskey(api, caller)}`,
  }),
  'DELETE /api/auth/totp': async (api, caller) => {
    await rows(
      api.deps.db,
      sql`with added as (
          insert into totp_secrets (user_id, secret, confirmed_at)
          values (${caller.id}::uuid, 'encrypted', now())
        )
        update users set factor_count = 1 where id = ${caller.id}::uuid`,
    )
    return {}
  },
  'DELETE /api/users/invitations/:id': async (api) => {
    const [made] = await rows<{ id: string }>(
      api.deps.db,
      sql`insert into account_links (kind, hash, email, role, expires_at)
        values ('invitation', 'hash', 'new@staff.test', 'editor', now() + interval '1 hour')
        returning id`,
    )
    return { path: `/api/users/invitations/${made?.id}` }
  },
  'DELETE /api/auth/sessions/:id': async (api, caller) => {
    await tokenOf(api.deps, caller)
    const [other] = await rows<{ id: string }>(
      api.deps.db,
      sql`select id from ${sessions} where user_id = ${caller.id}::uuid order by id desc limit 1`,
    )
    return { path: `/api/auth/sessions/${other?.id}` }
  },
  'POST /api/me/unread': async () => ({ body: { kind: 'contacts' } }),
  'POST /api/contacts/:id/times': async (api, caller) => {
    await made(api, caller, '/api/me/hours', always, 'PUT')
    const id = await submit(api, 'consultations')
    return { path: `/api/consultations/${id}/times`, body: {} }
  },
  'PUT /api/contacts/:id/appointment': async (api, caller) => {
    await made(api, caller, '/api/me/hours', always, 'PUT')
    const sender = await submitAndOpen(api)
    const slots = [inDays(3)]
    await made(api, caller, `/api/consultations/${sender.id}/times`, { slots })
    await leaveNow(api)
    await sender.post('/times', { start: slots[0] })
    return {
      path: `/api/consultations/${sender.id}/appointment`,
      body: { start: inDays(4) },
    }
  },
  'POST /api/contacts/:id/offers': async (api) => ({
    path: `/api/consultations/${await submit(api, 'consultations')}/offers`,
    body: newOffer,
  }),
  'PUT /api/offers/:id': draftedOffer('', { title: 'Another title' }),
  'DELETE /api/offers/:id': draftedOffer(),
  'POST /api/offers/:id/send': draftedOffer('/send', {}),
  'POST /api/offers/:id/replace': draftedOffer('/replace'),
  'DELETE /api/me/tokens/:id': async (api, caller) => ({
    path: `/api/me/tokens/${(await newToken(api, caller))._id}`,
  }),
  'DELETE /api/users/:id/tokens': async (api) => {
    const owner = await signInAs(api.deps, 'editor')
    await newToken(api, owner)
    return { path: `/api/users/${owner.id}/tokens` }
  },
  'DELETE /api/users/:id/tokens/:token': async (api) => {
    const owner = await signInAs(api.deps, 'editor')
    const { _id } = await newToken(api, owner)
    return { path: `/api/users/${owner.id}/tokens/${_id}` }
  },
  'PUT /api/endpoints/:id': endpoint('', { details: true }),
  'DELETE /api/endpoints/:id': endpoint(),
  'POST /api/endpoints/:id/test': endpoint('/test'),
  'POST /api/deliveries/:id/retry': async (api, caller) => {
    const { path = '' } = await endpoint('/test')(api, caller)
    const { _id } = await made(api, caller, path)
    return { path: `/api/deliveries/${_id}/retry` }
  },
  'DELETE /api/drafts/:id': async (api) => {
    const [drafted] = await rows<{ id: string }>(
      api.deps.db,
      sql`insert into agent_drafts (record_kind, record_id, token_id, token, by, text)
        values ('contacts', ${await submit(api)}::uuid, uuid_v7(), 'agent', 'somebody', 'Hello')
        returning id`,
    )
    return { path: `/api/drafts/${drafted?.id}` }
  },
  'DELETE /api/proposals/:id': async (api) => {
    const id = await submit(api)
    await rows(
      api.deps.db,
      sql`insert into agent_proposals (record_id, record_kind, status, why, token, by)
        values (${id}::uuid, 'contacts', 'handled', 'Answered', 'agent', 'somebody')`,
    )
    return { path: `/api/proposals/${id}` }
  },
  'PUT /api/settings': async () => ({ body: { agents: true } }),
}

/** Answers with a token or a secret, searches, tests, and calls that do the same however often they are made. */
const withoutKey = [
  // A link is a secret.
  'POST /api/content/preview/link',
  'POST /api/contacts/search',
  'POST /api/contacts/export.csv',
  'POST /api/contacts/:id/seen',
  'PUT /api/contacts/:id/writing',
  'POST /api/auth/logout',
  'POST /api/auth/password',
  'POST /api/privacy/export',
  'POST /api/privacy/erase',
  'POST /api/auth/step-up',
  'POST /api/auth/passkeys/options',
  'POST /api/auth/passkeys',
  'POST /api/auth/totp',
  'POST /api/auth/totp/confirm',
  'POST /api/auth/recovery-codes',
  'POST /api/users/invitations',
  'POST /api/me/hours/check',
  'POST /api/me/calendar',
  'POST /api/me/tokens',
  'POST /api/endpoints',
  'POST /api/endpoints/:id/secret',
  'POST /api/setup/mail/test',
  'POST /api/mcp',
]

const ofKind = new RegExp(`^/api/(${kindPaths.join('|')})(?=/|$)`)

test('every staff write takes a key and has its example here', () => {
  const writes = routes
    .filter(({ endpoint }) => endpoint.method !== 'GET' && endpoint.access !== 'public')
    .map(({ endpoint }) => ({
      repeatable: endpoint.repeatable === true,
      name: `${endpoint.method} ${endpoint.path.replace(ofKind, '/api/contacts')}`,
    }))
  for (const { name, repeatable } of writes)
    expect({ name, repeatable }).toEqual({ name, repeatable: !withoutKey.includes(name) })
  const repeatable = writes.filter((one) => one.repeatable).map(({ name }) => name)
  expect(new Set(repeatable)).toEqual(new Set(Object.keys(examples)))
})

/** What changes nothing of a record or an account, and is not logged. */
const unlogged = Object.keys(examples).filter((name) =>
  / \/api\/(content\/(?!publish|.*show$)|me\/(?!tokens)|setup|contacts\/:id\/draft)/.test(name),
)
const complete = {
  config: { ...testConfig, push: newVapidKeys() },
  content: wholeSite(),
  readPicture: async (body: Uint8Array) => ({ body, width: 1, height: 1 }),
  renderer: {
    build: 'test',
    draw: async () => ({ files: new Map(), problems: [], notices: [] }),
    preview: async () => ({ status: 200, html: '', csp: '' }),
    redirects: () => '',
  },
}

const exampleCall = async (
  name: string,
  api: TestApi,
  caller: TestUser & { token: string },
): Promise<Keyed> => {
  const [method = '', path = ''] = name.split(' ')
  return { method, path, ...(await examples[name]?.(api, caller)), token: caller.token }
}

for (const name of Object.keys(examples))
  testOnPostgres(
    `ten at once with one key, and one later, make one change and get one answer: ${name}`,
    async ({ db }) => {
      const api = testApi(db, complete)
      const caller = await signInAs(api.deps, 'superuser')
      const call = await exampleCall(name, api, caller)
      const before = await countEvents(db)
      const answers = await Promise.all(Array.from({ length: 10 }, () => send(api, call)))
      await api.settled()
      answers.push(await send(api, call))
      await api.settled()
      expect(answers[0]?.status).toBeLessThan(300)
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      const logged = unlogged.includes(name) ? 0 : name.endsWith('bulk') ? 2 : 1
      expect((await countEvents(db)) - before).toBe(logged)
    },
  )

testOnPostgres('a hundred at once with one key make one change', async ({ api }) => {
  const call = await putStatus(api)
  const hundred = Array.from({ length: 100 }, () => sendUntilAnswered(api, call))
  const answers = await Promise.all(hundred)
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 200 })
  const { version, activity } = dataOf(answers[0] as Answer)
  expect({ version, kinds: activity.map(({ kind }: Json) => kind) }).toEqual({
    version: 2,
    kinds: ['created', 'status'],
  })
})

test('the first answer comes back after somebody else has changed the record', async ({ api }) => {
  const call = await putStatus(api)
  const first = await send(api, call)
  const { token } = await signInAs(api.deps, 'admin')
  await send(api, { ...call, body: { status: 'new' }, token })
  await api.request(call.path, { method: 'DELETE', token })
  expect(await send(api, call)).toEqual(first)
})

test('a key with another body, or for another method, is a conflict', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'admin')
  const call = { ...(await putStatus(api)), token }
  await send(api, call)
  for (const other of [
    { ...call, body: { status: 'new' } },
    { ...call, body: { status: 'unknown' } },
    { ...call, method: 'DELETE', body: undefined },
  ]) {
    const answer = await send(api, other)
    expect(answer.status).toBe(409)
    expect(JSON.parse(answer.text)).toMatchObject({
      code: 'conflict',
      message: 'This Idempotency-Key was used for another request.',
    })
  }
})

test('bodies are compared after parsing', async ({ api }) => {
  const { token, path } = await putStatus(api)
  const call = { method: 'POST', path: `${path}/notes`, token }
  const first = await send(api, { ...call, body: { text: 'Called back.' } })
  const again = await send(api, { ...call, body: { ignored: 1, text: ' Called back. ' } })
  expect(again).toEqual(first)
})

test('a key belongs to one person and one path', async ({ api }) => {
  const call = await putStatus(api)
  const first = await send(api, call)
  const { token } = await signInAs(api.deps, 'admin')
  const others = await send(api, { ...call, token, body: { status: 'new' } })
  expect(others.status).toBe(200)
  const elsewhere = await send(api, { ...call, path: `/api/contacts/${await submit(api)}` })
  expect(elsewhere.status).toBe(200)
  expect(await send(api, call)).toEqual(first)
})

test('a key counts for 24 hours', async ({ api }) => {
  const call = await putStatus(api)
  await send(api, call)
  const age = (span: string) =>
    rows(api.deps.db, sql`update ${keyedCalls} set created_at = now() - ${span}::interval`)
  await age('23 hours 59 minutes')
  expect((await send(api, { ...call, body: { status: 'new' } })).status).toBe(409)
  await age('24 hours')
  const fresh = await send(api, { ...call, body: { status: 'new' } })
  expect(dataOf(fresh)).toMatchObject({ status: 'new', version: 3 })
})

test('a refused call leaves its key free', async ({ api }) => {
  const call = await putStatus(api)
  const stale = { ...call, body: { status: 'handled', version: 7 } }
  expect((await send(api, stale)).status).toBe(409)
  expect((await send(api, { ...call, body: { status: 'unknown' } })).status).toBe(400)
  expect((await send(api, { ...call, body: { assignee: 'nobody' } })).status).toBe(400)
  expect((await send(api, call)).status).toBe(200)
})

testOnAll('ten refused at once leave their key free', async ({ api }) => {
  const call = await putStatus(api)
  const stale = { ...call, body: { status: 'handled', version: 7 } }
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(api, stale)))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(409))
  expect((await send(api, call)).status).toBe(200)
})

testOnAll('a process that dies before it answers leaves its change found', async ({ api, db }) => {
  const call = await putStatus(api)
  const first = await send(api, call)
  const written = await countEvents(db)
  await rows(db, sql`update ${keyedCalls} set answer = null`)
  expect(await send(api, call)).toEqual(first)
  expect(await countEvents(db)).toBe(written)
})

test('a key is looked up after the caller’s right and before the id', async ({ api }) => {
  const caller = await signInAs(api.deps, 'admin')
  const call = { method: 'DELETE', path: `/api/contacts/${await submit(api)}`, token: caller.token }
  const first = await send(api, call)
  expect(first.status).toBe(200)
  // A stored answer is deleted with its record, so the record stays and takes another id.
  await rows(api.deps.db, sql`update contacts set id = uuid_v7()`)
  expect(await send(api, call)).toEqual(first)
  await rows(api.deps.db, sql`update ${users} set role = 'editor'`)
  expect((await send(api, call)).status).toBe(403)
  expect((await send(api, { ...call, token: 'x' })).status).toBe(401)
})

test('a key that breaks the rule is refused, and a call without a key goes on', async ({ api }) => {
  const call = await putStatus(api)
  for (const key of ['', 'with space', 'x'.repeat(256)])
    expect((await send(api, { ...call, key })).status, key).toBe(400)
  expect((await send(api, { ...call, key: 'x'.repeat(255) })).status).toBe(200)
})

test('neither a key nor a password can be read out of the table', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  const password = 'nine wandering albatrosses'
  const body = { username: 'grace', email: 'grace@staff.test', password }
  const key = 'a-key-of-its-own'
  await send(api, { method: 'POST', path: '/api/auth/register', body, token, key })
  const stored = JSON.stringify(await rows(api.deps.db, sql`select * from ${keyedCalls}`))
  expect(stored).toContain('grace@staff.test')
  for (const secret of [password, key, '$argon2id']) expect(stored).not.toContain(secret)
})

test('what is stored under a key goes with the person', async ({ api }) => {
  const call = await putStatus(api)
  await send(api, call)
  const superuser = await signInAs(api.deps, 'superuser')
  const { token } = superuser
  await send(api, await exampleCall('POST /api/mail/:id/retry', api, superuser))
  const count = async () => (await rows(api.deps.db, sql`select 1 from ${keyedCalls}`)).length
  expect(await count()).toBe(2)
  await api.request('/api/privacy/erase', { body: { email: samples.contacts.email }, token })
  expect(await count()).toBe(0)
})
