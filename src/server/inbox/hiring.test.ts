import { expect } from 'vitest'
import { signInAs } from '#server/auth/testing.ts'
import { addReply } from '#server/conversation/store.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { testOnAll } from '#server/db/testing.ts'
import { samples } from '#server/intake/samples.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { correct } from '#server/status-page/store/correct.ts'
import { type TestApi, test, testApi, withPositions } from '#server/testing.ts'
import { judging, positionIds, withContent } from '#site/content.ts'
import { idsOf, type Json, staff, submit } from './testing.ts'

const blind = withPositions({ named: {}, hidden: { blind: true } })
const { criteria } = judging('other')
const [{ key: first } = { key: '' }] = criteria

const person = {
  name: 'Wilhelmina Osterwald',
  email: 'mina@osterwald.example',
  phone: '+49 555 010203',
  location: 'Wuppertal',
  university: 'Bergische Hochschule',
  portfolio: 'https://osterwald.example/work',
  linkedin: 'https://linkedin.example/in/mina-osterwald',
  resumeUrl: 'https://drive.example/osterwald-resume',
}

const apply = (api: TestApi, changes: Record<string, unknown> = {}): Promise<string> =>
  submit(api, 'applications', {
    ...person,
    position: 'hidden',
    source: { referrer: person.linkedin, timeZone: 'Europe/Berlin' },
    ...changes,
  })

/** What an answer shows of the person. */
const traces = (answer: unknown): string[] => {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const words = [...Object.values(person), 'Wilhelmina', 'osterwald', 'Wupper', 'Europe/Berlin']
  return words.filter((word) => text.toLowerCase().includes(word.toLowerCase()))
}

const all = (value: number): Record<string, number> =>
  Object.fromEntries(criteria.map(({ key }) => [key, value]))

const part = (value: unknown) => ({ [first]: value })

test('every position has three to five criteria with words for 1 to 4', () => {
  for (const position of positionIds()) {
    const { criteria } = judging(position)
    expect([3, 4, 5], position).toContain(criteria.length)
    expect(new Set(criteria.map(({ key }) => key)).size).toBe(criteria.length)
    for (const { label, anchors } of criteria)
      expect([label !== '', anchors.length, anchors.includes('')]).toEqual([true, 4, false])
  }
})

testOnAll('others’ scores show when one’s own is in', async ({ db }) => {
  const answerBy = '2999-01-31'
  const api = testApi(db, {
    content: withPositions({ dated: { opening: { open: true, answerBy } } }),
  })
  const ada = await staff(api, 'editor', 'ada')
  const ben = await staff(api, 'editor', 'ben')
  const reviewer = await staff(api, 'reviewer')
  const id = await submit(api, 'applications', { position: 'dated' })
  const path = `/api/applications/${id}`
  const scoreFor = async (who: typeof ada) => (await who.get(path)).body.data.score

  const { body } = await ada.get(path)
  expect(body.data.criteria).toEqual(criteria)
  expect(body.data.score).toEqual({ mine: null, count: 0, others: null })
  expect(body.data.answerBy).toBe(answerBy)

  const scored = await ada.put(`${path}/score`, { criteria: all(4), comment: ' Sharp. ' })
  expect(scored.status).toBe(200)
  expect(scored.body.data).toMatchObject({
    _id: id,
    version: 1,
    score: { mine: { criteria: all(4), comment: 'Sharp.' }, count: 1, others: [] },
  })
  expect(await scoreFor(ben)).toEqual({ mine: null, count: 1, others: null })
  expect(await scoreFor(reviewer)).toEqual({ mine: null, count: 1, others: null })
  const [row] = (await ben.get('/api/applications')).body.data
  expect(row).toMatchObject({ score: { mine: null, count: 1, others: null }, answerBy })
  expect(row).not.toHaveProperty('criteria')
  const activity: Json[] = (await ben.get(path)).body.data.activity
  expect(activity.map(({ kind }) => kind)).toEqual(['created'])

  await ben.put(`${path}/score`, { criteria: part(1) })
  expect(await scoreFor(ben)).toMatchObject({ mine: { criteria: part(1) }, others: null })
  const [listed] = (await ben.get('/api/applications')).body.data
  expect(listed.score.others).toBeNull()
  await ben.put(`${path}/score`, { criteria: all(1) })
  expect(await scoreFor(ben)).toEqual({
    mine: { criteria: all(1), comment: null },
    count: 2,
    others: [{ by: 'ada', criteria: all(4), comment: 'Sharp.' }],
  })
  // A second one replaces the first.
  await ada.put(`${path}/score`, { criteria: all(2) })
  expect((await scoreFor(ben)).others).toEqual([{ by: 'ada', criteria: all(2), comment: null }])
  expect((await scoreFor(ada)).count).toBe(2)

  // A renamed account has its current name, a deleted one the name it had then.
  const superuser = await staff(api, 'superuser')
  await superuser.put(`/api/users/${ada.id}`, { username: 'ada.new' })
  expect((await scoreFor(ben)).others).toMatchObject([{ by: 'ada.new' }])
  await superuser.delete(`/api/users/${ada.id}`)
  expect((await scoreFor(ben)).others).toMatchObject([{ by: 'ada' }])
})

test('a score is refused for what the position does not ask', async ({ api }) => {
  const editor = await staff(api, 'editor')
  const admin = await staff(api, 'admin')
  const reviewer = await staff(api, 'reviewer')
  const id = await submit(api, 'applications', { position: 'other' })
  const path = `/api/applications/${id}/score`
  const refused: unknown[] = [
    {},
    { criteria: {} },
    { criteria: null },
    { criteria: [4, 4] },
    { criteria: 'work' },
    { criteria: part(0) },
    { criteria: part(5) },
    { criteria: part(2.5) },
    { criteria: part('3') },
    { criteria: part(null) },
    { criteria: { ...part(3), 'of-no-position': 3 } },
    { criteria: { ...part(3), toString: 3 } },
    { criteria: { ...part(3), 'a\u0000b': 3 } },
    { criteria: { ...part(3), '\ud800': 3 } },
    { criteria: { ...part(3), '': 3 } },
    { criteria: JSON.parse('{"__proto__": 3}') },
  ]
  for (const body of refused) {
    const answer = await editor.put(path, body)
    expect([answer.status, Object.keys(answer.body.fields ?? {})], JSON.stringify(body)).toEqual([
      400,
      ['criteria'],
    ])
  }
  const long = await editor.put(path, { criteria: part(3), comment: 'x'.repeat(2_001) })
  expect([long.status, Object.keys(long.body.fields)]).toEqual([400, ['comment']])
  expect((await editor.put(path, { criteria: part(3), comment: '' })).status).toBe(200)
  expect((await reviewer.put(path, { criteria: part(3) })).status).toBe(403)
  const contact = await submit(api)
  for (const other of ['x', '018f0000-0000-7000-8000-000000000000', contact])
    for (const call of [
      editor.put(`/api/applications/${other}/score`, { criteria: { 'of-no-position': 3 } }),
      editor.post(`/api/applications/${other}/reveal`),
    ])
      expect((await call).status, other).toBe(404)
  await admin.delete(`/api/applications/${id}`)
  expect((await editor.put(path, { criteria: part(3) })).status).toBe(404)
  expect((await editor.post(`/api/applications/${id}/reveal`)).status).toBe(404)
})

test('a blind answer says nothing of who it is', async ({ db }) => {
  const api = testApi(db, { content: blind })
  const admin = await staff(api, 'admin')
  const id = await apply(api, { position: 'named' })
  await submit(api, 'contacts', { email: person.email })
  const path = `/api/applications/${id}`
  await admin.post(`${path}/messages`, { text: 'Dear {name}, thank you. {name}!' })
  await admin.post(`${path}/notes`, { text: `Rang ${person.name}.` })
  await admin.put(path, { email: 'new@osterwald.example' })

  const { status, body } = await admin.get(`${path}?blind=1`)
  expect([status, traces(body)]).toEqual([200, []])
  expect(body.data).toMatchObject({
    _id: id,
    candidate: expect.any(Number),
    major: samples.applications.major,
    coverLetter: expect.any(String),
    yearOfStudy: 2,
    source: null,
    score: { mine: null, count: 0, others: null },
  })
  for (const name of [...Object.keys(person), 'related', 'mail'])
    expect(body.data).not.toHaveProperty(name)
  const texts = body.data.activity.map(({ text }: Json) => text).filter(Boolean)
  expect(texts).toEqual(['Dear {name}, thank you. {name}!', 'Rang {name}.'])
  const { candidate } = body.data
  expect([candidate > 0, candidate < 1_000_000]).toEqual([true, true])

  for (const list of [
    await admin.get('/api/applications?blind=1'),
    await admin.post('/api/applications/search', { blind: 1 }),
    await admin.post('/api/applications/search', { blind: '1', sort: 'due', status: 'new' }),
  ]) {
    expect([list.status, traces(list.body)]).toEqual([200, []])
    expect(list.body.data).toMatchObject([{ _id: id, candidate }])
  }
  const csv = await (await admin.fetch('/api/applications/export.csv?blind=1')).text()
  expect(traces(csv)).toEqual([])
  expect(csv.split('\r\n')[0]).toMatch(
    /^position,yearOfStudy,major,coverLetter,_id,.*,version,candidate$/,
  )
  expect(csv).toContain(String(candidate))

  // So do the answers of changes that are asked for blind, a refused one too.
  const conflict = await admin.put(`${path}?blind=1`, { status: 'reviewing', version: 1 })
  expect([conflict.status, traces(conflict.body)]).toEqual([409, []])
  const changed = await admin.put(`${path}?blind=1`, { status: 'reviewing' })
  expect([changed.status, traces(changed.body)]).toEqual([200, []])
  const { activity } = changed.body.data
  expect(activity.at(-1)).toMatchObject({ kind: 'status', from: 'new', to: 'reviewing' })
  for (const status of [200, 409]) {
    const claimed = await admin.post(`${path}/claim?blind=1`)
    expect([claimed.status, traces(claimed.body)]).toEqual([status, []])
  }
  await admin.delete(path)
  const restored = await admin.post(`${path}/restore?blind=1`)
  expect([restored.status, traces(restored.body)]).toEqual([200, []])

  // Without the parameter, and of a kind that hides nothing, everything is there.
  expect((await admin.get(path)).body.data).toMatchObject({
    ...person,
    email: 'new@osterwald.example',
  })
  expect((await admin.get('/api/contacts?blind=1')).body.data).toMatchObject([
    { email: person.email },
  ])
})

testOnAll(
  'announcements name no applicant before their reader has scored or revealed',
  async ({ db }) => {
    const api = testApi(db, { content: blind })
    const [boss, other] = [await staff(api, 'superuser'), await staff(api, 'superuser', 'other')]
    const id = await apply(api)
    const announced = () =>
      rows<{
        recipient: string
        subject: string
        text: string
        html: string
        reply_to: string | null
      }>(
        db,
        sql`select recipient, subject, text, html, reply_to from mail where kind = 'staff' order by recipient`,
      )
    const arrived = await announced()
    expect(arrived).toHaveLength(2)
    expect(traces(arrived)).toEqual([])
    for (const { subject, reply_to } of arrived)
      expect([subject, reply_to]).toEqual([expect.stringMatching(/^Candidate \d+: /), null])

    await boss.put(`/api/applications/${id}/score`, { criteria: all(3) })
    await rows(db, sql`delete from mail`)
    const reply = () =>
      withContent(blind, () =>
        addReply(api.deps, kindByPath.applications, id, {
          kind: 'reply',
          text: 'One more thing.',
          from: 'alt@osterwald.example',
        }),
      )
    await reply()
    const [known, hidden] = (await announced()).toSorted((a, b) =>
      b.recipient.localeCompare(a.recipient),
    )
    expect(known).toMatchObject({ recipient: 'superuser@staff.test', reply_to: person.email })
    expect(known?.subject).toContain(person.name)
    expect(hidden?.subject).toMatch(/^Candidate \d+: reply/)
    expect([hidden?.reply_to, traces(hidden)]).toEqual([null, []])
    expect(hidden?.text).toContain('One more thing.')

    await other.post(`/api/applications/${id}/reveal`)
    await rows(db, sql`delete from mail`)
    await reply()
    expect((await announced()).map(({ reply_to }) => reply_to)).toEqual([
      person.email,
      person.email,
    ])
  },
)

test('a blind list is neither searched nor sorted by what it hides', async ({ db }) => {
  const api = testApi(db, { content: blind })
  const reviewer = await staff(api, 'reviewer')
  const id = await apply(api, { coverLetter: 'I bake bread.' })
  const known = await apply(api, { position: 'named', coverLetter: 'I paint.' })
  await apply(api, { position: 'named', website: 'a robot was here' })
  for (const [query, field] of [
    ['blind=1&q=bread', 'q'],
    ['blind=1&sort=name', 'sort'],
    ['blind=1&sort=-name', 'sort'],
    ['blind=2', 'blind'],
    ['blind=true', 'blind'],
    ['position=king', 'position'],
  ]) {
    const { status, body } = await reviewer.get(`/api/applications?${query}`)
    expect([query, status, Object.keys(body.fields ?? {})]).toEqual([query, 400, [field]])
  }
  const found = async (q: string) =>
    idsOf(await reviewer.post('/api/applications/search', { q, blind: 'auto' }))
  expect(await found('osterwald')).toEqual([known])
  expect(await found('bergische')).toEqual([known])
  expect(await found('bread')).toEqual([id])
  expect(await found('computer science')).toEqual([known, id])

  // What is hidden comes last in an order by name, whatever the name.
  const aaron = await apply(api, { name: 'Aaron', coverLetter: 'I fold.' })
  const zoe = await apply(api, { name: 'Zoe', position: 'named' })
  const byName = async (sort: string) => {
    const path = `/api/applications?blind=auto&sort=${sort}&limit=3`
    const first = await reviewer.get(path)
    const rest = await reviewer.get(`${path}&cursor=${first.body.meta.nextCursor}`)
    return [...idsOf(first), ...idsOf(rest)]
  }
  const shown = await reviewer.get('/api/applications?sort=name&limit=1')
  const mixed = `/api/applications?blind=auto&sort=name&limit=1&cursor=${shown.body.meta.nextCursor}`
  expect((await reviewer.get(mixed)).status).toBe(400)
  expect(await byName('name')).toEqual([known, zoe, id, aaron])
  expect(await byName('-name')).toEqual([zoe, known, aaron, id])

  expect(idsOf(await reviewer.get('/api/applications?position=hidden'))).toEqual([aaron, id])
  expect((await reviewer.get('/api/applications?position=hidden')).body.meta).toMatchObject({
    matching: 2,
    total: 4,
    counts: { new: 2 },
  })
})

test('a position that asks for it is blind until one’s own score is in or the name was shown', async ({
  db,
}) => {
  const api = testApi(db, { content: blind })
  const ada = await staff(api, 'editor', 'ada')
  const ben = await staff(api, 'editor', 'ben')
  const superuser = await staff(api, 'superuser')
  const id = await apply(api)
  const open = await apply(api, { position: 'named', name: 'Open' })
  const path = `/api/applications/${id}`
  const nameFor = async (who: typeof ada) => {
    const { data } = (await who.get(`${path}?blind=auto`)).body
    const rows: Json[] = (await who.get('/api/applications?blind=auto')).body.data
    expect(rows.map(({ name }) => name)).toEqual(['Open', data.name])
    return data.name
  }
  expect(await nameFor(ada)).toBe(undefined)
  expect((await ada.get(`/api/applications/${open}?blind=auto`)).body.data.name).toBe('Open')
  const csv = await (await superuser.fetch('/api/applications/export.csv?blind=auto')).text()
  const lines = (record: string) => csv.split('\r\n').filter((line) => line.includes(record))
  expect(lines(open)).toEqual([expect.stringMatching(/^Open,/)])
  expect([lines(id).length, traces(lines(id))]).toEqual([1, []])

  await ada.put(`${path}/score`, { criteria: all(3) })
  expect(await nameFor(ada)).toBe(person.name)
  expect(await nameFor(ben)).toBe(undefined)

  const revealed = await ben.post(`${path}/reveal`)
  expect(revealed.status).toBe(200)
  expect(revealed.body.data).toMatchObject({ ...person, version: 1, related: [{}], mail: [{}, {}] })
  expect(revealed.body.data.activity.at(-1)).toMatchObject({ kind: 'revealed', by: 'ben' })
  expect(await nameFor(ben)).toBe(person.name)
  const [entry] = (await superuser.get('/api/audit')).body.data.filter(
    ({ kind }: Json) => kind === 'revealed',
  )
  expect(entry).toMatchObject({ by: 'ben', target: { kind: 'applications', _id: id } })
  expect(traces(entry)).toEqual([])
})

test('a part of a score opens no name, and its first version stays in the log', async ({ db }) => {
  const api = testApi(db, { content: blind })
  const ada = await staff(api, 'editor', 'ada')
  const superuser = await staff(api, 'superuser')
  const path = `/api/applications/${await apply(api)}`
  const begun = await ada.put(`${path}/score`, { criteria: part(4), comment: 'Canary.' })
  expect([begun.status, traces(begun.body)]).toEqual([200, []])
  expect(traces((await ada.get(`${path}?blind=auto`)).body)).toEqual([])
  expect(traces((await ada.get('/api/applications?blind=auto')).body)).toEqual([])
  const whole = await ada.put(`${path}/score`, { criteria: all(1) })
  expect(whole.body.data).toMatchObject(person)

  const logged = async (): Promise<Json[]> =>
    (await superuser.get('/api/audit')).body.data.filter(({ kind }: Json) => kind === 'score')
  expect((await logged()).map(({ by, criteria }) => [by, criteria])).toEqual([
    ['ada', all(1)],
    ['ada', part(4)],
  ])
  const first = sql`select text from events where kind = 'score' order by id limit 1`
  expect(await rows(db, first)).toEqual([{ text: 'Canary.' }])
  expect((await superuser.post('/api/privacy/erase', { email: person.email })).status).toBe(200)
  expect(await rows(db, first)).toEqual([{ text: null }])
  expect(await logged()).toHaveLength(2)
})

test('a plain read of a blind application by somebody who does not know it yet is logged', async ({
  db,
}) => {
  const api = testApi(db, { content: blind })
  const reviewer = await staff(api, 'reviewer')
  const [ada, ben, eve] = [
    await staff(api, 'editor', 'ada'),
    await staff(api, 'editor', 'ben'),
    await staff(api, 'editor', 'eve'),
  ]
  const superuser = await staff(api, 'superuser')
  const path = `/api/applications/${await apply(api)}`
  const open = `/api/applications/${await apply(api, { position: 'named' })}`
  const revealed = async (): Promise<string[]> =>
    (await superuser.get('/api/audit')).body.data
      .filter(({ kind }: Json) => kind === 'revealed')
      .map(({ by }: Json) => by)

  await reviewer.get(`${path}?blind=auto`)
  await reviewer.get(`${path}?blind=1`)
  await reviewer.get(open)
  await ada.put(`${path}/score`, { criteria: all(3) })
  await ada.get(path)
  await ben.post(`${path}/reveal`)
  await ben.get(path)
  expect(await revealed()).toEqual(['ben'])

  expect((await reviewer.get(path)).body.data).toMatchObject(person)
  await reviewer.get(path)
  expect(await revealed()).toEqual(['reviewer', 'ben'])
  expect((await reviewer.get(`${path}?blind=auto`)).body.data).toMatchObject(person)
  // So is the whole record as the answer of a change that changes nothing.
  expect((await eve.put(path, {})).body.data).toMatchObject(person)
  expect(await revealed()).toEqual(['eve', 'reviewer', 'ben'])
})

test('the answer to a message names nobody to those who read blind', async ({ db }) => {
  const api = testApi(db, { content: blind })
  const ada = await staff(api, 'editor', 'ada')
  const path = `/api/applications/${await apply(api)}`
  const text = 'Dear {name}, {position}.'
  for (const query of ['?blind=1', '?blind=auto']) {
    const { status, body } = await ada.post(`${path}/messages${query}`, { text })
    expect([status, traces(body)]).toEqual([201, []])
    const { activity } = (await ada.get(`${path}${query}`)).body.data
    expect(body.data).toEqual(activity.at(-1))
    expect(body.data.text).toBe('Dear {name}, The hidden.')
  }
  await ada.put(`${path}/score`, { criteria: all(3) })
  const scored = await ada.post(`${path}/messages?blind=auto`, { text })
  expect(scored.body.data.text).toContain(`Dear ${person.name}`)
})

test('a blind answer hides every name that the sender has had', async ({ db }) => {
  const api = testApi(db, { content: blind })
  const admin = await staff(api, 'admin')
  const id = await apply(api, { name: 'Mina', position: 'named' })
  const path = `/api/applications/${id}`
  await admin.post(`${path}/messages`, { text: 'Dear {name}' })
  const rename = async (name: string) => {
    const record = { kind: kindByPath.applications, id }
    const limit = { key: 'corrections', max: 2, windowSeconds: 60 }
    await correct(db, record, { corrected: { name }, limit })
  }
  await rename(person.name)
  await admin.post(`${path}/messages`, { text: 'Hello {name}' })
  await rename('Mina Osterwald')
  await admin.post(`${path}/notes`, { text: `Mina, ${person.name} and Mina Osterwald are one.` })
  const { body } = await admin.get(`${path}?blind=1`)
  expect(body.data.activity.flatMap(({ text }: Json) => text ?? [])).toEqual([
    'Dear {name}',
    'Hello {name}',
    '{name}, {name} and {name} are one.',
  ])
  expect(
    (await admin.get(path)).body.data.activity.flatMap(({ text }: Json) => text ?? []),
  ).toEqual([
    'Dear Mina',
    `Hello ${person.name}`,
    `Mina, ${person.name} and Mina Osterwald are one.`,
  ])
})

test('mail, retention and other records of a person do not tell whose a blind application is', async ({
  db,
}) => {
  const api = testApi(db, { content: blind })
  const ada = await staff(api, 'editor', 'ada')
  const id = await apply(api)
  const known = await apply(api, { position: 'named', coverLetter: 'I paint.' })
  const contact = await submit(api, 'contacts', { email: person.email })
  const { candidate } = (await ada.get(`/api/applications/${id}?blind=auto`)).body.data
  await rows(
    db,
    sql`update mail set status = 'failed', last_error = '550 no mailbox for <' || upper(recipient) || '>'
      where record_kind = 'applications' and kind = 'acknowledgement'`,
  )
  await rows(db, sql`update applications set created_at = now() - interval '5 years'`)

  const mailOf = async (query: string): Promise<Json[]> =>
    (await ada.get(`/api/mail?status=failed${query}`)).body.data
  const relatedTo = async (record: string, query: string): Promise<string[]> =>
    (await ada.get(`/api/${record}${query}`)).body.data.related.map(({ _id }: Json) => _id)
  const expiring = async (query: string): Promise<Json[]> =>
    (await ada.get(`/api/privacy/retention${query}`)).body.data

  const [knownMail, hiddenMail] = await mailOf('&blind=auto')
  expect(knownMail).toMatchObject({ to: person.email, record: { _id: known } })
  expect(hiddenMail).toMatchObject({
    candidate,
    lastError: '550 no mailbox for <…>',
    record: { _id: id },
  })
  expect(traces(hiddenMail)).toEqual([])
  expect(traces(await mailOf('&blind=1'))).toEqual([])
  expect(await relatedTo(`contacts/${contact}`, '?blind=auto')).toEqual([known])
  expect(await relatedTo(`applications/${known}`, '?blind=auto')).toEqual([contact])
  expect(await relatedTo(`contacts/${contact}`, '?blind=1')).toEqual([])
  const byId = new Map((await expiring('?blind=auto')).map((one) => [one._id, one]))
  expect(byId.get(id)).toEqual({
    kind: 'applications',
    _id: id,
    candidate,
    expiresAt: expect.any(String),
  })
  expect(byId.get(known)).toMatchObject({ name: person.name })
  expect(traces(await expiring('?blind=1'))).toEqual([])
  const [, failed] = await mailOf('')
  const retried = await ada.post(`/api/mail/${failed._id}/retry?blind=auto`)
  expect([retried.status, traces(retried.body)]).toEqual([200, []])

  // Without the parameter everything is there.
  expect((await mailOf('')).map(({ to }) => to)).toEqual([person.email])
  expect(await relatedTo(`contacts/${contact}`, '')).toEqual([known, id])
  expect((await expiring('')).map(({ name }) => name)).toEqual([person.name, person.name])

  // Nor is anything hidden once one’s own score is in.
  await ada.put(`/api/applications/${id}/score`, { criteria: all(3) })
  expect(await relatedTo(`contacts/${contact}`, '?blind=auto')).toEqual([known, id])
  expect((await expiring('?blind=auto')).map(({ name }) => name)).toEqual([
    person.name,
    person.name,
  ])
})

test('a score and a reveal under a key count once', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'editor')
  const id = await submit(api, 'applications', { position: 'other' })
  const headers = { 'Idempotency-Key': 'once' }
  const score = (value: number) =>
    api.request(`/api/applications/${id}/score`, {
      method: 'PUT',
      body: { criteria: part(value) },
      token,
      headers,
    })
  const first = await (await score(3)).json()
  expect(await (await score(3)).json()).toEqual(first)
  expect((await score(2)).status).toBe(409)
  const reveal = () =>
    api.request(`/api/applications/${id}/reveal`, { method: 'POST', token, headers })
  const answers = await Promise.all([reveal(), reveal()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const activity: Json[] = ((await (await reveal()).json()) as Json).data.activity
  expect(activity.filter(({ kind }) => kind === 'revealed')).toHaveLength(1)
})
