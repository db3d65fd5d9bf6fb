import fc from 'fast-check'
import { expect } from 'vitest'
import { kindPaths } from '#contract/inbox.ts'
import { kinds } from '#contract/kinds.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { samples } from '#server/intake/samples.ts'
import { testOnAll } from '#server/testing.ts'
import { backdate, idsOf, type Staff, staff, submit, test } from './testing.ts'

for (const kind of kindPaths)
  testOnAll(`${kind}: a list is newest first and counts every status and box`, async ({ api }) => {
    const reviewer = await staff(api, 'reviewer')
    const first = await submit(api, kind)
    const spam = await submit(api, kind, { website: 'filled by a robot' })
    const second = await submit(api, kind)
    const answer = await reviewer.get(`/api/${kind}`)
    expect(answer.status).toBe(200)
    expect(idsOf(answer)).toEqual([second, first])
    const { statuses } = kinds[kind]
    expect(answer.body.meta).toEqual({
      total: 2,
      matching: 2,
      counts: { ...Object.fromEntries(statuses.map((status) => [status, 0])), [statuses[0]]: 2 },
      boxes: { inbox: 2, spam: 1, trash: 0 },
      groups: {
        ...{ late: 0, due: 0, open: 0, snoozed: 0, waiting: 0, done: 0 },
        [kind === 'applications' ? 'open' : 'due']: 2,
      },
      drafts: 0,
      nextCursor: null,
    })
    expect(idsOf(await reviewer.get(`/api/${kind}?box=spam`))).toEqual([spam])
    expect(idsOf(await reviewer.get(`/api/${kind}?box=trash`))).toEqual([])
  })

for (const kind of kindPaths)
  testOnAll(`${kind}: a record carries its fields and everything staff need`, async ({ api }) => {
    const reviewer = await staff(api, 'reviewer')
    const source = { utm_source: 'newsletter', referrer: 'https://search.example/?q=web' }
    const contract = kinds[kind]
    const asksConsent = 'consent' in contract.fields
    const id = await submit(api, kind, { source, ...(asksConsent ? { agree: true } : {}) })
    const { body } = await reviewer.get(`/api/${kind}/${id}`)
    const { agree: _, ...sent } = samples[kind]
    expect(body.data).toMatchObject({
      ...sent,
      [kind === 'applications' ? 'coverLetter' : 'message']: expect.stringMatching(/^Text number/),
      _id: id,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.data.createdAt,
      status: contract.statuses[0],
      [contract.who]: null,
      [contract.at]: null,
      assignee: null,
      box: 'inbox',
      spam: null,
      source,
      version: 1,
      expiresAt: expect.stringMatching(/^\d{4}-/),
      activity: [{ kind: 'created', by: null, at: body.data.createdAt }],
      related: [],
    })
    expect(contract.record.safeParse(body.data).success).toBe(true)
    if (!asksConsent) expect(body.data).not.toHaveProperty('consent')
    else
      expect(body.data.consent).toEqual({
        at: body.data.createdAt,
        terms: expect.stringMatching(/^\d{4}-\d\d$/),
      })
    const { activity: _1, related: _2, mail: _3, writing: _4, criteria: _5, ...read } = body.data
    const { draft: _6, drafts: _7, proposal: _8, offers: _9, ...listed } = read
    expect((await reviewer.get(`/api/${kind}`)).body.data).toEqual([listed])
  })

test('an optional field that was left out is null', async ({ api, reviewer }) => {
  const id = await submit(api, 'applications', { phone: '', portfolio: null })
  const { body } = await reviewer.get(`/api/applications/${id}`)
  expect(body.data).toMatchObject({ phone: null, portfolio: null, linkedin: null, consent: null })
})

testOnAll('status, assignee, text and dates narrow a list together', async ({ api, db }) => {
  const editor = await staff(api, 'editor', 'Ed.Itor')
  const plain = await submit(api, 'consultations', { name: 'Plain' })
  const taken = await submit(api, 'consultations', { name: 'Taken' })
  const done = await submit(api, 'consultations', { name: 'Done' })
  await editor.put(`/api/consultations/${taken}`, { assignee: 'ed.itor' })
  await editor.put(`/api/consultations/${done}`, { status: 'completed', assignee: 'ed.itor' })
  await backdate(db, 'consultations', plain, sql`'2025-03-09T23:59:59.999Z'`)
  await backdate(db, 'consultations', taken, sql`'2025-03-10T00:00:00Z'`)
  await backdate(db, 'consultations', done, sql`'2025-03-10T23:59:59.999Z'`)

  const expected: [string, string[], number, number][] = [
    ['assignee=ED.ITOR', [done, taken], 2, 1],
    ['assignee=none', [plain], 1, 1],
    ['assignee=nobody.of.that.name', [], 0, 0],
    ['assignee=Ed.Itor&status=completed', [done], 1, 1],
    ['status=completed', [done], 1, 2],
    ['status=', [done, taken, plain], 3, 2],
    ['from=2025-03-10', [done, taken], 2, 1],
    ['to=2025-03-09', [plain], 1, 1],
    ['from=2025-03-10&to=2025-03-10', [done, taken], 2, 1],
    ['from=2025-03-10&to=2025-03-10&status=completed', [done], 1, 1],
    ['to=2025-03-10T00:00:00Z', [taken, plain], 2, 2],
    ['to=2025-03-10T02:00:00%2B02:00', [taken, plain], 2, 2],
    ['from=2025-03-10T00:00:00.001Z', [done], 1, 0],
    ['from=0000-01-01&to=9999-12-31', [done, taken, plain], 3, 2],
    ['q=TAKEN&assignee=Ed.Itor', [taken], 1, 1],
    ['q=taken&assignee=none', [], 0, 0],
  ]
  for (const [query, ids, matching, pending] of expected) {
    const answer = await editor.get(`/api/consultations?${query}`)
    expect([query, idsOf(answer)]).toEqual([query, ids])
    expect(answer.body.meta).toMatchObject({ total: 3, matching, counts: { pending } })
    expect(Object.keys(answer.body.meta.counts)).toEqual(kinds.consultations.statuses)
  }
})

testOnAll(
  'search is literal, ignores case, and looks at the fields that hold words',
  async ({ api }) => {
    const reviewer = await staff(api, 'reviewer')
    const percent = await submit(api, 'applications', {
      name: 'Åsa 100% O’Neil',
      email: 'Upper.Case@Mail.example',
      university: 'École d’été',
      major: 'back\\slash_underscore',
      coverLetter: 'First line.\nSecond "line".',
      location: 'Nowhere else',
    })
    await submit(api, 'applications', { name: 'Other person', major: 'backXslash' })
    const found = async (q: string): Promise<string[]> =>
      idsOf(await reviewer.get(`/api/applications?q=${encodeURIComponent(q)}`))
    for (const q of [
      'åSA',
      '100%',
      '0% o',
      'UPPER.case@',
      'éCOLE D’É',
      '\\slash_',
      'second "LINE"',
      '  åsa ',
    ])
      expect([q, await found(q)]).toEqual([q, [percent]])
    for (const q of ['Nowhere', '1%0', 'b_ckX', '%', 'asa', 'line.second'])
      expect([q, (await found(q)).includes(percent) && q !== '%']).toEqual([q, false])
    expect(await found('%')).toEqual([percent])
    expect(await found('')).toHaveLength(2)
  },
)

test('a search by JSON answers as the list does', async ({ api }) => {
  const reader = await staff(api, 'reviewer')
  for (const name of ['Ada', 'Grace', 'Alan']) await submit(api, 'contacts', { name })
  for (const parameters of [
    {},
    { q: 'a', sort: 'name', limit: 2 },
    { q: 'ada' },
    { status: 'new', assignee: 'none', from: '2020-01-01', skip: 1 },
    { box: 'trash', limit: '1' },
  ]) {
    const address = new URLSearchParams(Object.entries(parameters).map(([k, v]) => [k, String(v)]))
    const listed = await reader.get(`/api/contacts?${address}`)
    expect(await reader.post('/api/contacts/search', parameters)).toEqual(listed)
    const cursor = listed.body.meta.nextCursor
    if (!cursor) continue
    const next = await reader.get(`/api/contacts?${address}&cursor=${cursor}`)
    expect(await reader.post('/api/contacts/search', { ...parameters, cursor })).toEqual(next)
  }
})

test('a search takes blank and null as absent, and names what is wrong', async ({ api }) => {
  const reader = await staff(api, 'reviewer')
  const blank = { q: null, status: '', limit: null, cursor: null, unknown: 1 }
  expect((await reader.post('/api/contacts/search', blank)).status).toBe(200)
  for (const [field, value] of [
    ['limit', 0],
    ['limit', 201],
    ['limit', 1.5],
    ['limit', true],
    ['skip', -1],
    ['skip', 1e300],
    ['q', 7],
    ['q', ['a']],
    ['status', 'unknown'],
    ['box', {}],
    ['sort', 'email'],
    ['cursor', 'x'],
    ['from', 20_200_101],
  ] as const) {
    const answer = await reader.post('/api/contacts/search', { [field]: value })
    expect(answer.status, field).toBe(400)
    expect(Object.keys(answer.body.fields), field).toEqual([field])
  }
  for (const body of [[], null, 7])
    expect((await reader.post('/api/contacts/search', body)).status).toBe(400)
})

testOnAll('a list sorts by time and by name, both ways', async ({ api }) => {
  const reviewer = await staff(api, 'reviewer')
  const names = ['beta', 'Alpha', 'gamma']
  const ids: string[] = []
  for (const name of names) ids.push(await submit(api, 'contacts', { name }))
  const [beta, alpha, gamma] = ids as [string, string, string]
  const sorted: Record<string, string[]> = {
    createdAt: [beta, alpha, gamma],
    '-createdAt': [gamma, alpha, beta],
    name: [alpha, beta, gamma],
    '-name': [gamma, beta, alpha],
  }
  for (const [sort, order] of Object.entries(sorted)) {
    expect(idsOf(await reviewer.get(`/api/contacts?sort=${sort}`))).toEqual(order)
    expect(idsOf(await reviewer.get(`/api/contacts?sort=${sort}&q=a`))).toEqual(order)
  }
})

test('a filter that means nothing is refused by name', async ({ reviewer }) => {
  const first = await reviewer.get('/api/contacts')
  expect(first.status).toBe(200)
  const refused: [string, string][] = [
    ['box=attic', 'box'],
    ['status=pending', 'status'],
    ['sort=email', 'sort'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=ten', 'limit'],
    ['from=2025-02-30', 'from'],
    ['to=yesterday', 'to'],
    ['cursor=x', 'cursor'],
    ['skip=-1', 'skip'],
    ['skip=1.5', 'skip'],
    ['skip=ten', 'skip'],
    ['skip=1e3', 'skip'],
    ['skip=12345678', 'skip'],
    ['skip=%00', 'skip'],
    ['cursor=%00', 'cursor'],
    ['q=%00', 'q'],
    [`q=${'x'.repeat(201)}`, 'q'],
    ['assignee=%07', 'assignee'],
  ]
  for (const [query, field] of refused) {
    const { status, body } = await reviewer.get(`/api/contacts?${query}`)
    expect([query, status, body.code, Object.keys(body.fields)]).toEqual([
      query,
      400,
      'invalid',
      [field],
    ])
  }
})

/** Follows cursors to the end; `meanwhile` happens after each page. */
const walk = async (
  reader: Staff,
  path: string,
  meanwhile: (page: number) => Promise<void> = async () => {},
): Promise<string[]> => {
  const seen: string[] = []
  let cursor: string | null = null
  let page = 0
  do {
    const answer = await reader.get(`${path}${cursor ? `&cursor=${cursor}` : ''}`)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    seen.push(...idsOf(answer))
    cursor = answer.body.meta.nextCursor
    await meanwhile(page)
    page += 1
  } while (cursor)
  return seen
}

testOnAll(
  'cursors walk a list whole, each record once, also where times or names are equal',
  async ({ api, db }) => {
    const editor = await staff(api, 'editor')
    const ids: string[] = []
    for (let i = 0; i < 12; i += 1)
      ids.push(await submit(api, 'contacts', { name: i % 2 ? 'Same' : 'Other' }))
    for (const id of ids.slice(0, 7))
      await backdate(db, 'contacts', id, sql`'2025-01-01T00:00:00Z'`)
    for (const id of ids.slice(3, 9))
      await editor.put(`/api/contacts/${id}`, { assignee: 'editor' })
    for (const query of [
      ...['due', 'createdAt', '-createdAt', 'name', '-name'].map((sort) => `sort=${sort}`),
      'sort=due&assignee=none',
      'sort=createdAt&q=text',
      'sort=-createdAt&from=2020-01-01',
      'sort=name&status=new',
      'sort=-name&assignee=editor',
    ]) {
      const whole = idsOf(await editor.get(`/api/contacts?${query}`))
      expect(await walk(editor, `/api/contacts?limit=3&${query}`)).toEqual(whole)
      expect(whole).toHaveLength(query.includes('assignee') ? 6 : 12)
    }
  },
)

test('a jump lands where its place is counted from the start or a cursor', async ({ api }) => {
  const editor = await staff(api, 'editor')
  for (let i = 0; i < 6; i += 1) await submit(api, 'contacts', { name: i % 2 ? 'Same' : 'Other' })
  for (const query of ['sort=createdAt', 'sort=-name&status=new', 'q=text', 'assignee=none']) {
    const list = `/api/contacts?${query}`
    const whole = idsOf(await editor.get(list))
    for (const skip of [0, 3, 6, 9_999_999]) {
      const answer = await editor.get(`${list}&limit=2&skip=${skip}`)
      expect(idsOf(answer)).toEqual(whole.slice(skip, skip + 2))
      expect(answer.body.meta.matching).toBe(6)
      expect(answer.body.meta.nextCursor === null).toBe(skip > 3)
    }
    const { nextCursor } = (await editor.get(`${list}&limit=1&skip=1`)).body.meta
    const further = `${list}&limit=2&skip=1&cursor=${nextCursor}`
    expect(idsOf(await editor.get(further))).toEqual(whole.slice(3, 5))
  }
})

test('a cursor belongs to its list, filter and sort', async ({ api, reviewer }) => {
  for (let i = 0; i < 3; i += 1) await submit(api, 'contacts')
  const { nextCursor } = (await reviewer.get('/api/contacts?limit=1')).body.meta
  expect((await reviewer.get(`/api/contacts?limit=2&cursor=${nextCursor}`)).status).toBe(200)
  for (const other of [
    'contacts?sort=name',
    'contacts?q=text',
    'contacts?status=new',
    'contacts?box=spam',
    'contacts?assignee=none',
    'contacts?from=2020-01-01',
    'consultations?',
  ])
    expect([other, (await reviewer.get(`/api/${other}&cursor=${nextCursor}`)).status]).toEqual([
      other,
      400,
    ])
})

test('no forged cursor gets further than a refusal', async ({ api, reviewer }) => {
  for (let i = 0; i < 2; i += 1) await submit(api, 'contacts')
  for (const sort of ['name', '-createdAt']) {
    const { nextCursor } = (await reviewer.get(`/api/contacts?limit=1&sort=${sort}`)).body.meta
    const [list, key, id] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString())
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.tuple(
            fc.constant(list),
            fc.oneof(fc.constant(key), fc.string({ unit: 'binary' })),
            fc.oneof(fc.constant(id), fc.string()),
          ),
          fc.json(),
          fc.string(),
        ),
        async (forged) => {
          const text = Array.isArray(forged) ? JSON.stringify(forged) : String(forged)
          const cursor = Buffer.from(text).toString('base64url')
          const { status } = await reviewer.get(
            `/api/contacts?limit=1&sort=${sort}&cursor=${cursor}`,
          )
          expect([200, 400]).toContain(status)
        },
      ),
      {
        numRuns: 60,
        examples: [
          [[list, '0000-01-01T00:00:00Z', id]],
          [[list, '9999-12-31', id]],
          [[list, '2026-11-20T09:30:00-23:59', id]],
          [[list, 'a\u0000b', id]],
        ],
      },
    )
  }
})

test('what stays is seen exactly once by a walk, whatever comes and goes meanwhile', async ({
  db,
  admin,
}) => {
  const insert = async (name: string): Promise<string> => {
    const [row] = await rows<{ id: string }>(
      db,
      sql`insert into contacts (name, email, message, search, text_hash)
        values (${name}, 'x@mail.example', 'text', ${`${name}\ntext`}, ${name}) returning id`,
    )
    return row?.id ?? ''
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 4, maxLength: 12 }),
      fc.array(
        fc.oneof(
          fc.record({ insert: fc.constantFrom('a', 'b', 'c', 'd') }),
          fc.record({ remove: fc.nat(11) }),
        ),
        { maxLength: 8 },
      ),
      fc.constantFrom('createdAt', '-createdAt', 'name', '-name'),
      fc.constantFrom('', '&q=text'),
      async (names, events, sort, filter) => {
        await db.execute(sql`truncate contacts, record_counts`)
        const ids: string[] = []
        for (const name of names) ids.push(await insert(name))
        const removed = new Set<string>()
        const seen = await walk(
          admin,
          `/api/contacts?limit=2&sort=${sort}${filter}`,
          async (page) => {
            const event = events[page]
            if (event && 'insert' in event) await insert(event.insert)
            const id = event && 'remove' in event ? ids[event.remove] : undefined
            if (!id || removed.has(id)) return
            removed.add(id)
            await admin.delete(`/api/contacts/${id}`)
          },
        )
        expect(new Set(seen).size).toBe(seen.length)
        for (const id of ids) if (!removed.has(id)) expect(seen).toContain(id)
        const { counts, boxes, matching } = (await admin.get('/api/contacts')).body.meta
        expect(boxes.trash).toBe(removed.size)
        expect(matching).toBe(counts.new)
      },
    ),
    { numRuns: 15 },
  )
})

testOnAll(
  'related records are those of the address without case, in any kind and box',
  async ({ api }) => {
    const admin = await staff(api, 'admin')
    const email = 'Same.Person@mail.example'
    const message = await submit(api, 'contacts', { email })
    const request = await submit(api, 'consultations', { email: email.toUpperCase() })
    const spam = await submit(api, 'applications', { email: email.toLowerCase(), website: 'x' })
    const gone = await submit(api, 'contacts', { email })
    await admin.delete(`/api/contacts/${gone}`)
    await submit(api, 'contacts', { email: 'another@mail.example' })
    const { body } = await admin.get(`/api/contacts/${message}`)
    expect(body.data.related).toMatchObject([
      { kind: 'contacts', _id: gone, status: 'new', box: 'trash' },
      { kind: 'applications', _id: spam, status: 'new', box: 'spam' },
      { kind: 'consultations', _id: request, status: 'pending', box: 'inbox' },
    ])
  },
)

test('an id that is unknown, malformed or of another kind is a 404', async ({ api, admin }) => {
  const id = await submit(api, 'contacts')
  for (const other of [
    '01890000-0000-7000-8000-000000000000',
    'x',
    id.toUpperCase(),
    '%00',
    `${id}x`,
  ]) {
    expect((await admin.get(`/api/contacts/${other}`)).status).toBe(404)
    expect((await admin.put(`/api/contacts/${other}`, { status: 'handled' })).status).toBe(404)
    expect((await admin.delete(`/api/contacts/${other}`)).status).toBe(404)
    expect((await admin.post(`/api/contacts/${other}/restore`)).status).toBe(404)
    expect((await admin.post(`/api/contacts/${other}/notes`, { text: 'x' })).status).toBe(404)
  }
  expect((await admin.get(`/api/consultations/${id}`)).status).toBe(404)
  expect((await admin.put(`/api/consultations/${id}`, { status: 'contacted' })).status).toBe(404)
  // An unknown id comes before a bad field.
  expect((await admin.put(`/api/consultations/${id}`, { status: 'nonsense' })).status).toBe(404)
  expect((await admin.post(`/api/consultations/${id}/notes`, { text: '' })).status).toBe(404)
  expect((await admin.get(`/api/consultations/${id}?blind=perhaps`)).status).toBe(404)
  expect((await admin.get(`/api/consultations/${id}/activity?cursor=x`)).status).toBe(404)
})
