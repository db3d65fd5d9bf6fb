import { globSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { type KindPath, kindPaths } from '#contract/inbox.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { type TestApi, test, testApi, testOnEveryDriver } from '#server/testing.ts'
import { samples } from './samples.ts'

interface Answer {
  success: boolean
  code?: string
  fields?: Record<string, string[]>
  error?: string | string[]
  data?: { _id: string; createdAt: string; status?: string }
}

const post = async (
  api: TestApi,
  kind: KindPath,
  changes: Record<string, unknown> = {},
  options: { headers?: Record<string, string>; ip?: string } = {},
): Promise<{ status: number; answer: Answer; headers: Headers }> => {
  const body = { ...samples[kind], ...changes }
  const response = await api.request(`/api/${kind}`, { body, ...options })
  return {
    status: response.status,
    answer: (await response.json()) as Answer,
    headers: response.headers,
  }
}

const count = async (db: Database, table: string, where = 'true'): Promise<number> => {
  const [row] = await rows<{ n: number }>(
    db,
    sql.raw(`select count(*)::int as n from ${table} where ${where}`),
  )
  return row?.n ?? 0
}

const boxOf = async (db: Database, kind: KindPath, id: string) => {
  const [row] = await rows<{ box: string; spam: string[] | null }>(
    db,
    sql`select box, to_json(spam) as spam from ${sql.identifier(kind)} where id = ${id}::uuid`,
  )
  return row
}

const createSuperuser = (db: Database) =>
  db.execute(sql`insert into users (username, email, password_hash, role)
    values ('admin', 'admin@fledge.test', 'none', 'superuser')`)

for (const kind of kindPaths)
  testOnEveryDriver(
    `${kind}: a submission is stored with its event and both messages`,
    async ({ api, db }) => {
      await createSuperuser(db)
      const { status, answer } = await post(api, kind)
      expect(answer).toMatchObject({
        success: true,
        data: { _id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      })
      expect(status).toBe(201)
      expect(Date.parse(answer.data?.createdAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
      expect(await count(db, kind, "box = 'inbox' and version = 1")).toBe(1)
      expect(await count(db, 'events', "kind = 'created'")).toBe(1)
      const messages = await rows<{ kind: string; recipient: string; reply_to: string | null }>(
        db,
        sql`select kind, recipient, reply_to from mail where status = 'waiting' order by kind desc`,
      )
      expect(messages).toEqual([
        { kind: 'staff', recipient: 'admin@fledge.test', reply_to: samples[kind].email },
        { kind: 'acknowledgement', recipient: samples[kind].email, reply_to: null },
      ])
    },
  )

/** Addresses of pages whose path is a secret or names a record. */
const privatePages = [
  '/status/abcdefghijklmnopqrstuvwx',
  '/Status/abc?x=1',
  '//status/abc',
  '/%73tatus/abc',
  '/blog/../admin/contacts',
  '/admin',
  '/preview/abc',
  '/api/status/abc/messages',
]

test('no address of a sender’s page, a preview or the admin is taken as where somebody came from', async ({
  api,
  db,
}) => {
  const stored = async (source: Record<string, unknown>) => {
    const { answer } = await post(api, 'contacts', { source, message: JSON.stringify(source) })
    const [row] = await rows<{ source: unknown }>(
      db,
      sql`select source from contacts where id = ${answer.data?._id}::uuid`,
    )
    await rows(db, sql`delete from rate_limits`)
    return row?.source
  }
  for (const path of privatePages) {
    expect(await stored({ landingPage: path }), path).toBeNull()
    const referrer = new URL(path.replace(/^\/+/, '/'), 'https://fledge.test').href
    expect(await stored({ referrer, utm_source: 'x' }), referrer).toEqual({ utm_source: 'x' })
  }
  const kept = {
    landingPage: '/statuses',
    referrer: 'https://mail.example/blog/status/1?to=/status/x',
  }
  expect(await stored(kept)).toEqual(kept)
  for (const path of privatePages) {
    const referrer = `https://elsewhere.example${path}`
    expect(await stored({ referrer }), referrer).toEqual({ referrer: new URL(referrer).origin })
  }
  const app = 'android-app://com.example.mail'
  expect(await stored({ referrer: `${app}/status/x` })).toEqual({ referrer: app })
  const long = `https://mail.example/${'%C3%BC'.repeat(100)}`
  expect(await stored({ referrer: long })).toEqual({ referrer: long.slice(0, 300) })
})

test('addresses of such pages that were stored before are removed', async ({ api, db }) => {
  const kept = { landingPage: '/services', referrer: 'https://mail.example/x/status/1' }
  for (const kind of kindPaths)
    for (const source of [
      { landingPage: '/status/abc' },
      { landingPage: '/admin', utm_source: 'x' },
      { referrer: 'https://fledge.test/status/abc', timeZone: 'UTC' },
      kept,
    ]) {
      const { answer } = await post(api, kind, {})
      await rows(db, sql`delete from rate_limits`)
      const id = answer.data?._id ?? ''
      await rows(
        db,
        sql`update ${sql.identifier(kind)} set source = ${JSON.stringify(source)}::jsonb where id = ${id}::uuid`,
      )
    }
  const [file = ''] = globSync('drizzle/*_private-pages-forgotten.sql')
  for (const statement of readFileSync(file, 'utf8').split('--> statement-breakpoint'))
    await db.execute(sql.raw(statement))
  for (const kind of kindPaths) {
    const left = await rows<{ source: unknown }>(
      db,
      sql`select source from ${sql.identifier(kind)} order by id`,
    )
    expect(left.map(({ source }) => source)).toEqual([
      null,
      { utm_source: 'x' },
      { timeZone: 'UTC' },
      kept,
    ])
  }
})

testOnEveryDriver('one key makes one record, however concurrently it is sent', async ({ db }) => {
  const api = testApi(db)
  const headers = { 'Idempotency-Key': 'the same key'.replaceAll(' ', '-') }
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => post(api, 'contacts', {}, { headers })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(answers.map(({ answer }) => JSON.stringify(answer))).size).toBe(1)
  expect(await count(db, 'contacts')).toBe(1)
  const other = await post(api, 'contacts', { message: 'Another text' }, { headers })
  expect([other.status, other.answer.code]).toEqual([409, 'conflict'])
  expect((await post(api, 'consultations', {}, { headers })).status).toBe(201)
})

testOnEveryDriver(
  'the eleventh submission of an hour waits, also when all come at once',
  async ({ api, db }) => {
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, n) => post(api, 'contacts', { message: `Message ${n}` })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(3_500)
    expect(await count(db, 'contacts')).toBe(10)
    expect((await post(api, 'contacts', {}, { ip: '192.0.2.2' })).status).toBe(201)
  },
)

testOnEveryDriver('a /64 of IPv6 sends ten an hour, the /48 around it forty', async ({ db }) => {
  const api = testApi(db)
  const send = (n: number, ip: string) => post(api, 'contacts', { message: `Message ${n}` }, { ip })
  for (let n = 0; n < 10; n += 1) expect((await send(n, '2001:db8:7:1::/64')).status).toBe(201)
  expect((await send(10, '2001:db8:7:1::/64')).status).toBe(429)
  // A few at a time: all of them wait for one row, and on a busy machine the last would wait too long.
  const answers = []
  for (let n = 0; n < 33; n += 3)
    answers.push(
      ...(await Promise.all([0, 1, 2].map((k) => send(n + k, `2001:db8:7:${n + k + 2}::/64`)))),
    )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(30)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3)
  expect(await count(db, 'contacts')).toBe(40)
  expect((await send(99, '2001:db8:8:1::/64')).status).toBe(201)
})

test('a refused submission leaves its key free', async ({ api, db }) => {
  for (let n = 0; n < 10; n += 1) await post(api, 'contacts', { message: `Message ${n}` })
  const headers = { 'Idempotency-Key': 'k' }
  expect((await post(api, 'contacts', {}, { headers })).status).toBe(429)
  expect((await post(api, 'contacts', {}, { headers, ip: '192.0.2.9' })).status).toBe(201)
  expect(await count(db, 'idempotency_keys')).toBe(1)
})

test('a replay and an invalid body count against no limit', async ({ api }) => {
  const headers = { 'Idempotency-Key': 'again' }
  for (let n = 0; n < 15; n += 1) {
    expect((await post(api, 'contacts', {}, { headers })).status).toBe(201)
    expect((await post(api, 'contacts', { email: 'nobody' })).status).toBe(400)
  }
  for (let n = 0; n < 9; n += 1)
    expect((await post(api, 'contacts', { message: `Message ${n}` })).status).toBe(201)
  expect((await post(api, 'contacts', { message: 'One too many' })).status).toBe(429)
})

test('a key outside the rule is refused', async ({ api }) => {
  const send = (key: string) => post(api, 'contacts', {}, { headers: { 'Idempotency-Key': key } })
  for (const key of ['', 'with space', 'é', 'x'.repeat(256)]) {
    const { status, answer } = await send(key)
    expect([key, status, answer.code]).toEqual([key, 400, 'invalid'])
  }
  for (const key of ['!', '~'.repeat(255)]) expect((await send(key)).status, key).toBe(201)
})

test('a key that is forgotten while it is looked up is free again', async ({ api, db }) => {
  const headers = { 'Idempotency-Key': 'k' }
  const first = await post(api, 'contacts', {}, { headers })
  const session = new Proxy(db._.session, {
    get: (target, name) =>
      name === 'prepareQuery'
        ? (...query: Parameters<typeof target.prepareQuery>) => ({
            async execute(values: Record<string, unknown>) {
              const result = await target.prepareQuery(...query).execute(values)
              await db.execute(
                sql`delete from idempotency_keys where record_id = ${first.answer.data?._id}`,
              )
              return result
            },
          })
        : Reflect.get(target, name),
  })
  const forgetting = new Proxy(db, {
    get: (target, name) => (name === '_' ? { ...target._, session } : Reflect.get(target, name)),
  })
  const second = await post(testApi(forgetting), 'contacts', {}, { headers })
  expect(second.status).toBe(201)
  expect(second.answer.data?._id).not.toBe(first.answer.data?._id)
})

test('spam is set apart with its reason and the answer does not show it', async ({ api, db }) => {
  await createSuperuser(db)
  const links = 'http://a.example https://www.b.example www.c.example '.repeat(2)
  const cases: [Record<string, unknown>, string[]][] = [
    [{ website: 'https://spam.example' }, ['trap']],
    [{ elapsedMs: 1_499 }, ['too_fast']],
    [{ message: links }, ['links']],
    [{ message: links, elapsedMs: 3, website: 'x' }, ['trap', 'too_fast', 'links']],
  ]
  for (const [changes, reasons] of cases) {
    const { status, answer } = await post(api, 'contacts', changes)
    expect(status).toBe(201)
    expect(Object.keys(answer.data ?? {})).toEqual(['_id', 'createdAt'])
    expect(await boxOf(db, 'contacts', answer.data?._id ?? '')).toEqual({
      box: 'spam',
      spam: reasons,
    })
  }
  expect(await count(db, 'mail', "status = 'waiting'")).toBe(0)
  expect(await count(db, 'mail', "status = 'held'")).toBe(8)
})

test('five links and a calm hand are no spam', async ({ api, db }) => {
  const message =
    'https://www.a.example http://b.example www.c.example https://d.example www.e.example'
  const { answer } = await post(api, 'contacts', { message, elapsedMs: 1_500 })
  expect(await boxOf(db, 'contacts', answer.data?._id ?? '')).toEqual({ box: 'inbox', spam: null })
})

test('the third copy of a text is set apart, from any sender', async ({ api, db }) => {
  const boxes = []
  for (let n = 0; n < 3; n += 1) {
    const { answer } = await post(
      api,
      'contacts',
      { email: `someone${n}@mail.example` },
      { ip: `192.0.2.${n}` },
    )
    boxes.push(await boxOf(db, 'contacts', answer.data?._id ?? ''))
  }
  expect(boxes).toEqual([
    { box: 'inbox', spam: null },
    { box: 'inbox', spam: null },
    { box: 'spam', spam: ['repeat'] },
  ])
})

test('trapped submissions have a limit of their own', async ({ api }) => {
  for (let n = 0; n < 60; n += 1)
    expect((await post(api, 'contacts', { website: 'x', message: `Message ${n}` })).status).toBe(
      201,
    )
  expect((await post(api, 'contacts', { website: 'x' })).status).toBe(429)
  expect((await post(api, 'contacts')).status).toBe(201)
})

test('a trap never hides that a body is invalid', async ({ api }) => {
  expect((await post(api, 'contacts', { website: 'x', email: '' })).status).toBe(400)
})

test('one recipient is thanked at most three times a day, without regard to case', async ({
  api,
  db,
}) => {
  for (let n = 0; n < 5; n += 1)
    await post(api, 'contacts', {
      email: n % 2 ? 'A@b.example' : 'a@B.example',
      message: `Message ${n}`,
    })
  expect(await count(db, 'mail', "kind = 'acknowledgement'")).toBe(3)
})

test('what follows a plus sign in an address makes no other recipient', async ({ api, db }) => {
  for (const [n, email] of [
    'ada@b.example',
    'ada+1@b.example',
    'Ada+a+b@B.example',
    'ada+3@b.example',
    'ada@other.example',
  ].entries())
    await post(api, 'contacts', { email, message: `Message ${n}` })
  expect(await count(db, 'mail', "kind = 'acknowledgement'")).toBe(4)
})

test('acknowledgements never repeat free text', async ({ api, db }) => {
  const canary = 'Canary <script>alert(1)</script>'
  await post(api, 'contacts', { name: 'Cheap pills', message: canary })
  await post(api, 'consultations', { name: 'Cheap pills', company: 'Cheap pills', message: canary })
  const sent = await rows<{ body: string }>(
    db,
    sql`select subject || text || html as body from mail where kind = 'acknowledgement'`,
  )
  expect(sent).toHaveLength(2)
  for (const { body } of sent) expect(body).not.toMatch(/Canary|Cheap pills/)
})

test('staff mail escapes what was typed', async ({ api, db }) => {
  await createSuperuser(db)
  await post(api, 'contacts', { name: '<img src=x>', message: '<b>bold</b> & "quoted"' })
  const [message] = await rows<{ html: string; text: string }>(
    db,
    sql`select html, text from mail where kind = 'staff'`,
  )
  expect(message?.html).toContain('&lt;b&gt;bold&lt;/b&gt; &amp;')
  expect(message?.html).not.toContain('<img')
  expect(message?.text).toContain('<b>bold</b> & "quoted"')
})

test('every invalid field is named at once', async ({ api }) => {
  const { status, answer } = await post(api, 'applications', {
    name: ' ',
    email: 'a@b',
    yearOfStudy: '7',
    portfolio: 'javascript:alert(1)',
    resumeUrl: 'ftp://files.example/resume',
    coverLetter: 'nul \u0000',
  })
  expect(status).toBe(400)
  expect(Object.keys(answer.fields ?? {}).sort()).toEqual(
    ['coverLetter', 'email', 'name', 'portfolio', 'resumeUrl', 'yearOfStudy'].sort(),
  )
  expect(answer.error).toHaveLength(6)
})

test('consent is true or absent; a form must tick the box', async ({ api, db }) => {
  expect((await post(api, 'consultations', { agree: false })).status).toBe(400)
  expect((await post(api, 'consultations', { agree: 'yes' })).status).toBe(400)
  expect((await post(api, 'consultations', { agree: true })).status).toBe(201)
  expect((await post(api, 'consultations')).status).toBe(201)
  expect(await count(db, 'consultations', 'consent_at is not null')).toBe(1)
  const form = new URLSearchParams(samples.consultations as Record<string, string>)
  expect((await api.request('/api/consultations', { body: form })).status).toBe(400)
  form.set('agree', 'on')
  const thanked = await api.request('/api/consultations', { body: form })
  expect([thanked.status, thanked.headers.get('Location')]).toEqual([303, '/thanks/consultations'])
})

test('a form may not carry a file', async ({ api }) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(samples.contacts)) form.set(name, String(value))
  expect((await api.request('/api/contacts', { body: form })).status).toBe(303)
  form.set('resume', new File(['x'], 'x.pdf'))
  expect((await api.request('/api/contacts', { body: form })).status).toBe(415)
})

test('bodies that are too large, of another type or no JSON are told apart', async ({
  api,
  db,
}) => {
  const headers = { 'Content-Type': 'application/json' }
  const send = (body: BodyInit, type = headers) =>
    api.request('/api/contacts', { body, headers: type })
  expect((await send('x'.repeat(65 * 1024))).status).toBe(413)
  expect((await send('{}', { 'Content-Type': 'text/plain' })).status).toBe(415)
  for (const body of ['{', '', '[1', new Uint8Array([0x22, 0xff, 0x22]) as unknown as string])
    expect((await send(body)).status).toBe(400)
  for (const body of ['[]', 'null', '1', '"x"', '['.repeat(10_000) + ']'.repeat(10_000)])
    expect((await send(body)).status).toBe(400)
  expect((await send('{"__proto__": {"name": "x"}, "name": "y"}')).status).toBe(400)
  expect(await count(db, 'contacts')).toBe(0)
})

test('a preferred date is the UTC day it means', async ({ api, db }) => {
  const day = String(samples.consultations.preferredDate)
  await post(api, 'consultations', { preferredDate: `${day}T23:30:00.000Z` })
  const [row] = await rows<{ day: string }>(
    db,
    sql`select preferred_date::text as day from consultations`,
  )
  expect(row?.day).toBe(day)
  for (const preferredDate of [
    '2027-02-30',
    '2027-02-30T10:00:00Z',
    '2001-01-01',
    '2999-01-01',
    'soon',
  ])
    expect((await post(api, 'consultations', { preferredDate })).status).toBe(400)
})

test('a form without a script that is sent twice makes one record', async ({ api }) => {
  const send = (changes: Record<string, string> = {}) =>
    api.request('/api/contacts', {
      body: new URLSearchParams({ ...(samples.contacts as Record<string, string>), ...changes }),
    })
  const answers = await Promise.all([send(), send(), send({ name: 'Somebody else' })])
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  expect(await count(api.deps.db, 'contacts')).toBe(2)
})
