import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import type { Scope } from '#contract/http/access.ts'
import { makeUser, signInAs, type TestUser, tokenOf } from '#server/auth/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type Json, type Staff, staff, submit } from '#server/inbox/testing.ts'
import { type TestApi, test, testApi, wholeSite } from '#server/testing.ts'
import { untrusted } from './tools.ts'

const page =
  '<main><h1>Services</h1><p>A website costs 900 €. <a href="https://x.example">More</a></p></main>'

const publicPage = async (path: string) => (path === '/services' ? page : undefined)

const makeToken = async (
  api: TestApi,
  user: TestUser,
  scopes: readonly Scope[],
): Promise<string> => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const token = await tokenOf(api.deps, user)
  const body = { name: 'Night reader', scopes, expiresAt }
  const made = await api.request('/api/me/tokens', { token, body })
  return ((await made.json()) as Json).data.token
}

interface Agent {
  client: Client
  call: (name: string, args?: object) => Promise<{ isError: boolean; data: Json; text: string }>
}

/** The SDK's own client, at the API. */
const connect = async (api: TestApi, token: string, mode?: 'auto'): Promise<Agent> => {
  const client = new Client(
    { name: 'test', version: '1' },
    mode ? { versionNegotiation: { mode } } : {},
  )
  const transport = new StreamableHTTPClientTransport(new URL('https://fledge.test/api/mcp'), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
    fetch: async (url, init = {}) =>
      api.request(new URL(url).pathname, {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        body: init.body ?? undefined,
      }),
  })
  await client.connect(transport)
  return {
    client,
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: { ...args } })
      const [content] = result.content as { text: string }[]
      return {
        isError: result.isError === true,
        data: result.structuredContent as Json,
        text: content?.text ?? '',
      }
    },
  }
}

const setUp = async (
  api: TestApi,
  scopes: readonly Scope[] = ['read', 'draft'],
): Promise<{ boss: Staff; agent: Agent; token: string }> => {
  const boss = await staff(api)
  await boss.put('/api/settings', { agents: true })
  const ada = await makeUser(api.deps.db, 'ada', 'editor')
  const token = await makeToken(api, ada, scopes)
  return { boss, agent: await connect(api, token), token }
}

test('the SDK’s client finds the tools in each generation of the protocol, in JSON', async ({
  db,
}) => {
  const api = testApi(db, { publicPage })
  const { agent, token } = await setUp(api)
  const modern = await connect(api, token, 'auto')
  for (const { client } of [agent, modern]) {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual([
      'add_note',
      'draft_reply',
      'inbox_figures',
      'list_inbox',
      'list_templates',
      'propose_status',
      'read_record',
      'read_site',
      'search_records',
    ])
    // None takes an address or a URL.
    for (const { inputSchema } of tools)
      for (const name of Object.keys(inputSchema.properties ?? {}))
        expect([
          'kind',
          'group',
          'limit',
          'cursor',
          'id',
          'q',
          'path',
          'text',
          'status',
          'why',
        ]).toContain(name)
  }
  const raw = await api.request('/api/mcp', {
    token,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { Accept: 'application/json' },
  })
  expect(raw.headers.get('Content-Type')).toContain('application/json')
  expect(((await raw.json()) as Json).result.tools).toHaveLength(9)
  for (const [method, params] of [
    ['no/such', {}],
    ['tools/call', { name: 'send_mail', arguments: {} }],
  ] as const) {
    const answer = await api.request('/api/mcp', {
      token,
      body: { jsonrpc: '2.0', id: 1, method, params },
    })
    expect(await answer.json()).toMatchObject({ error: { code: expect.any(Number) } })
  }
})

test('without the switch there is nothing, without a token nobody', async ({ api }) => {
  const ada = await signInAs(api.deps, 'superuser', 'ada')
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const status = async (token?: string) => (await api.request('/api/mcp', { body, token })).status
  const token = await makeToken(api, ada, ['write'])
  expect([await status(), await status(ada.token), await status(token)]).toEqual([404, 404, 404])
  expect((await api.request('/api/mcp', { token })).status).toBe(404)
  const on = { method: 'PUT', body: { agents: true }, token: ada.token }
  expect((await api.request('/api/settings', on)).status).toBe(200)
  expect([await status(), await status(ada.token), await status('fl_x')]).toEqual([401, 401, 401])
  expect(await status(token)).toBe(200)
  expect((await api.request('/api/mcp', { token })).status).toBe(405)
})

test('an agent lists, searches and reads, and what people wrote is marked', async ({ db }) => {
  const api = testApi(db, { publicPage })
  const { boss, agent } = await setUp(api)
  const id = await submit(api, 'consultations', {
    name: 'Grace Hopper',
    email: 'grace@people.test',
    phone: '+49 30 901820',
    message: `See <b>this</b> ![x](https://a.example/x.png) [page](https://b.example) www.c.example/ d.xn--p1ai/x her@people.test +49 30 901820 ${'y'.repeat(4_800)}`,
  })
  await submit(api, 'contacts', { website: 'spam' })
  const { data: list } = await agent.call('list_inbox', { kind: 'consultations' })
  expect(list.records).toMatchObject([
    { kind: 'consultations', _id: id, status: 'pending', untrusted_name: 'Grace Hopper' },
  ])
  expect(JSON.stringify(list)).not.toMatch(/grace@|901820|yyy/)
  const { data } = await agent.call('read_record', { id })
  expect(data.untrusted_message).toMatch(
    /^See\s+this\s+page \[link\] \[link\] \[address\] \[number\] y+$/,
  )
  expect(data.untrusted_message.length).toBeLessThanOrEqual(4_000)
  expect(data.activity[0]).toMatchObject({ kind: 'created' })
  expect(JSON.stringify(data)).not.toMatch(/grace@|901820|example/)
  const found = await agent.call('search_records', { q: 'hopper' })
  expect(found.data).toMatchObject({ records: [{ _id: id }], matching: 1 })
  expect((await agent.call('search_records', { q: 'grace@people' })).data.records).toEqual([])
  expect((await agent.call('list_inbox', { kind: 'contacts' })).data.records).toEqual([])
  expect((await agent.call('inbox_figures')).data.byStatus.consultations.pending).toBe(1)
  await boss.post('/api/templates', { name: 'Yes', text: 'Dear {name}, yes.', kind: null })
  expect((await agent.call('list_templates')).text).toContain('Dear {name}, yes.')
  expect((await agent.call('read_site', { path: '/services' })).data.untrusted_text).toContain(
    '900 €',
  )
  expect((await agent.call('read_site')).data.paths).toContain('/services')
  expect(await agent.call('read_site', { path: '/admin' })).toMatchObject({ isError: true })

  const log = (await boss.get('/api/audit')).body.data.filter(({ kind }: Json) =>
    kind.startsWith('agent.'),
  )
  expect(log.map(({ kind }: Json) => kind)).toContain('agent.read_record')
  for (const entry of log) expect(entry).toMatchObject({ by: 'ada', token: 'Night reader' })
  // The name is the record's own, as everywhere in the log.
  const target = { kind: 'consultations', _id: id, name: 'Grace Hopper' }
  expect(log).toContainEqual(expect.objectContaining({ kind: 'agent.read_record', target }))
  expect(JSON.stringify(log).replaceAll('Grace Hopper', '')).not.toMatch(/hopper|Grace/i)
  const detail = (await boss.get(`/api/consultations/${id}`)).body.data
  expect(detail.activity.map(({ kind }: Json) => kind)).toEqual(['created'])
})

test('an agent meets nothing of a part that the site does without', async ({ db }) => {
  const id = await submit(testApi(db), 'applications')
  const site = wholeSite()
  const features = { ...site.brand.features, careers: false, work: false }
  const api = testApi(db, { content: { ...site, brand: { ...site.brand, features } } })
  const { agent } = await setUp(api)
  for (const [name, args] of [
    ['list_inbox', { kind: 'applications' }],
    ['read_record', { id }],
    ['add_note', { id, text: 'Hello' }],
    ['propose_status', { id, status: 'accepted', why: 'Yes' }],
  ] as const)
    expect([name, (await agent.call(name, args)).isError]).toEqual([name, true])
  const { paths } = (await agent.call('read_site')).data
  expect(paths).toContain('/services')
  expect(paths).not.toContain('/careers')
  expect(paths).not.toContain('/work')
})

test('an unknown id, spam, the trash and wrong arguments are results, not failures', async ({
  api,
}) => {
  const { boss, agent } = await setUp(api)
  const spam = await submit(api, 'contacts', { website: 'spam' })
  const trash = await submit(api)
  await boss.delete(`/api/contacts/${trash}`)
  for (const id of [spam, trash, '018f0000-0000-7000-8000-000000000000', 'x', ''])
    for (const [name, more] of [
      ['read_record', {}],
      ['draft_reply', { text: 'Hello' }],
      ['add_note', { text: 'Hello' }],
      ['propose_status', { status: 'handled', why: 'Done' }],
    ] as const)
      expect([id, name, (await agent.call(name, { id, ...more })).isError]).toEqual([
        id,
        name,
        true,
      ])
  const id = await submit(api)
  for (const [name, args] of [
    ['propose_status', { id, status: 'accepted', why: 'Yes' }],
    ['draft_reply', { id, text: 'x'.repeat(10_001) }],
    ['list_inbox', { kind: 'users' }],
    ['list_inbox', { kind: 'contacts', limit: 26 }],
    ['search_records', { q: 'a', kind: 'applications' }],
  ] as const)
    expect([name, (await agent.call(name, args)).isError]).toEqual([name, true])
})

test('a batch and a body that is nested deeply are refused, never a failure of ours', async ({
  api,
}) => {
  const { token } = await setUp(api)
  const send = async (body: string) =>
    (
      await api.request('/api/mcp', {
        method: 'POST',
        body,
        token,
        headers: { 'Content-Type': 'application/json' },
      })
    ).status
  const one = { jsonrpc: '2.0', id: 1, method: 'ping' }
  expect(await send(JSON.stringify([one]))).toBe(200)
  expect(await send(JSON.stringify([one, one]))).toBe(400)
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)
  expect(await send(deep)).toBe(400)
  for (const params of [`{"_meta":{"x":${deep}}}`, `{"name":"read_record","arguments":${deep}}`]) {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
    expect(await send(body)).toBeLessThan(500)
  }
})

test('phone numbers as people write them go, and what is none stays', () => {
  for (const number of [
    '+49 30 901820',
    '0049 30 901820',
    '030901820',
    '030/901820',
    '030 / 90 18 20',
    '030 90 18 20',
    '0171 123 45 67',
    '0171-1234567',
    '(030) 901820',
    '(0171) 123 45 67',
    '(555) 123-4567',
    '555-123-4567',
    '555.123.4567',
  ])
    expect(untrusted(`Call ${number}, please`, false)).toBe('Call [number], please')
  for (const text of [
    'on 05.12.2026, 05/12/2026 or 2026-12-05 (2026-12-06)',
    'from 09.00-12.00 or 09:00 - 12:00, 05/12 - 07/12',
    'for 10,000 to 12 000 people, 1,200.50 € or 0.5 - 1.5 %',
  ])
    expect(untrusted(text, false)).toBe(text)
})

test('a text that is built to be slow is read as fast as any other', () => {
  for (const part of [
    '<',
    '![',
    '[',
    '[a](',
    '\n',
    'a.',
    'a-',
    '<a',
    '㌖',
    '0123 ',
    '+1 ',
    '(01) 2',
  ])
    expect(untrusted(part.repeat(60_000), false, 10).length).toBeLessThanOrEqual(10)
  expect(untrusted(`${'<'.repeat(60_000)}${'>'.repeat(60_000)}`, false)).toBe('')
})

test('scope and role decide for each tool', async ({ api }) => {
  const boss = await staff(api)
  await boss.put('/api/settings', { agents: true })
  const id = await submit(api)
  const calls = {
    read: [
      ['list_inbox', { kind: 'contacts' }],
      ['read_record', { id }],
      ['search_records', { q: 'a' }],
      ['inbox_figures', {}],
      ['read_site', {}],
    ],
    draft: [
      ['draft_reply', { id, text: 'Hello' }],
      ['add_note', { id, text: 'A note' }],
      ['propose_status', { id, status: 'handled', why: 'Done' }],
    ],
  } as const
  for (const role of ['reviewer', 'editor'] as const) {
    const user = await makeUser(api.deps.db, role, role)
    for (const scope of ['read', 'draft', 'write', 'contacts'] as const) {
      const agent = await connect(api, await makeToken(api, user, [scope]))
      for (const needed of ['read', 'draft'] as const)
        for (const [name, args] of calls[needed]) {
          const isOpen = scope === needed && (needed === 'read' || role === 'editor')
          const { isError } = await agent.call(name, args)
          expect([role, scope, name, !isError]).toEqual([role, scope, name, isOpen])
        }
    }
  }
})

test('each call that is refused is in the audit log, without what was asked', async ({ api }) => {
  const { boss, agent } = await setUp(api, ['read'])
  const id = await submit(api)
  const nobody = crypto.randomUUID()
  await agent.call('draft_reply', { id, text: 'Hello' })
  await agent.call('read_record', { id: nobody })
  await agent.call('read_site', { path: '/admin' })
  await agent.call('list_inbox', { kind: 'people' })
  const { body } = await boss.get('/api/audit')
  const log = body.data.filter(({ kind }: Json) => kind.startsWith('agent.'))
  expect(log).toMatchObject(
    ['list_inbox', 'read_site', 'read_record', 'draft_reply'].map((tool) => ({
      kind: 'agent.refused',
      by: 'ada',
      token: 'Night reader',
      fields: [tool],
    })),
  )
})

test('a draft and a proposal stand on the record for everybody, and end with message and status', async ({
  api,
}) => {
  const { boss, agent } = await setUp(api)
  const id = await submit(api)
  const path = `/api/contacts/${id}`
  const read = async () => (await boss.get(path)).body.data
  const { version } = await read()
  await agent.call('draft_reply', { id, text: 'First' })
  await agent.call('draft_reply', { id, text: 'Dear {name}' })
  await agent.call('propose_status', { id, status: 'handled', why: 'They said thanks.' })
  const detail = await read()
  expect(detail.version).toBe(version)
  expect(detail.drafts).toMatchObject([{ text: 'Dear {name}', by: 'ada', token: 'Night reader' }])
  expect(detail.proposal).toMatchObject({ status: 'handled', why: 'They said thanks.', by: 'ada' })
  const exported = await boss.post('/api/privacy/export', { email: detail.email })
  expect(exported.body.data.contacts).toMatchObject([
    {
      drafts: [{ text: 'Dear {name}' }],
      proposal: { status: 'handled', why: 'They said thanks.' },
    },
  ])
  const sent = await rows(api.deps.db, sql`select from mail where kind = 'message'`)
  expect(sent).toEqual([])

  const [draft] = detail.drafts
  expect((await boss.delete(`/api/drafts/${draft._id}`)).status).toBe(200)
  expect((await boss.delete(`/api/drafts/${draft._id}`)).status).toBe(404)
  expect((await boss.delete(`/api/proposals/${id}`)).status).toBe(200)
  expect(await read()).toMatchObject({ drafts: [], proposal: null })

  await agent.call('draft_reply', { id, text: 'Again' })
  await agent.call('propose_status', { id, status: 'handled', why: 'Again' })
  await boss.post(`${path}/messages`, { text: 'Hello' })
  await boss.put(path, { status: 'handled' })
  expect(await read()).toMatchObject({ drafts: [], proposal: null })
  await boss.put(path, { status: 'new' })
  expect((await read()).proposal).toBeNull()
  await agent.call('propose_status', { id, status: 'handled', why: 'Once more' })
  expect((await read()).proposal).toMatchObject({ why: 'Once more' })
  const { body } = await boss.put(path, { status: 'handled' })
  await boss.post('/api/undo', { event: body.meta.event })
  expect((await read()).proposal).toMatchObject({ why: 'Once more' })
  await boss.delete(path)
  await boss.post('/api/privacy/erase', { email: detail.email })
  for (const table of ['agent_drafts', 'agent_proposals'])
    expect(await rows(api.deps.db, sql`select from ${sql.identifier(table)}`)).toEqual([])
})

test('a token reads 60 records an hour', async ({ api }) => {
  const { agent } = await setUp(api)
  const id = await submit(api)
  await agent.call('read_record', { id })
  await rows(
    api.deps.db,
    sql`update rate_limits set hits = array_fill(now()::timestamptz(3), array[59]) where key like 'agent-records:%'`,
  )
  expect((await agent.call('read_record', { id })).isError).toBe(false)
  expect((await agent.call('read_record', { id })).isError).toBe(true)
  expect((await agent.call('list_inbox', { kind: 'contacts' })).isError).toBe(false)
})

test('an agent reads applications blind', async ({ api }) => {
  const { agent } = await setUp(api, ['read', 'contacts'])
  const id = await submit(api, 'applications', { name: 'Grace Hopper', email: 'grace@people.test' })
  for (const [name, args] of [
    ['list_inbox', { kind: 'applications' }],
    ['read_record', { id }],
  ] as const) {
    const { text } = await agent.call(name, args)
    expect(text).toContain('candidate')
    expect(text).not.toMatch(/Grace|people\.test/)
  }
})
