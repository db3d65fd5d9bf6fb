import fc from 'fast-check'
import { expect } from 'vitest'
import { kindPaths } from '#contract/inbox.ts'
import { kinds } from '#contract/kinds.ts'
import { signInAs } from '#server/auth/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { csvLine } from '#server/http/csv.ts'
import { samples } from '#server/intake/samples.ts'
import { testOnAll, turnsDuring } from '#server/testing.ts'
import { type Json, type Staff, staff, submit, test } from './testing.ts'

/** Reads RFC 4180 by the book, independently of what wrote it. */
const parseCsv = (text: string): string[][] => {
  const lines: string[][] = []
  let line: string[] = []
  let rest = text
  while (rest !== '') {
    const cell = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest)
    if (!cell) throw new Error(`Not CSV: ${rest.slice(0, 40)}`)
    line.push(cell[1] === undefined ? (cell[2] ?? '') : cell[1].replaceAll('""', '"'))
    if (cell[3] !== ',') {
      lines.push(line)
      line = []
    }
    rest = rest.slice(cell[0].length)
  }
  return lines
}

const fetchCsv = async (
  reader: Staff,
  path: string,
): Promise<{ header: string[]; records: Record<string, string>[] }> => {
  const response = await reader.fetch(path)
  expect(response.status).toBe(200)
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [header = [], ...lines] = parseCsv(new TextDecoder().decode(bytes))
  return {
    header,
    records: lines.map((cells) =>
      Object.fromEntries(header.map((name, i) => [name, cells[i] ?? 'missing'])),
    ),
  }
}

for (const kind of kindPaths)
  testOnAll(
    `${kind}: the export has a row for each record and a column for each field`,
    async ({ api }) => {
      const admin = await staff(api, 'admin')
      const source = { utm_source: 'news, "weekly"' }
      const id = await submit(api, kind, { source, name: '=1+1' })
      await submit(api, kind, { website: 'x' })
      const { header, records } = await fetchCsv(admin, `/api/${kind}/export.csv`)
      expect(header).toEqual([
        ...kinds[kind].fieldNames,
        '_id',
        'createdAt',
        'updatedAt',
        'status',
        kinds[kind].who,
        kinds[kind].at,
        'assignee',
        'box',
        'spam',
        'source',
        'consent',
        'version',
      ])
      const stored = (await admin.get(`/api/${kind}/${id}`)).body.data
      expect(records).toHaveLength(1)
      expect(records[0]).toMatchObject({
        _id: id,
        name: "'=1+1",
        email: stored.email,
        createdAt: stored.createdAt,
        status: stored.status,
        assignee: '',
        spam: '',
        source: JSON.stringify(source),
        version: '1',
      })
      const spam = await fetchCsv(admin, `/api/${kind}/export.csv?box=spam`)
      expect(spam.records).toMatchObject([{ box: 'spam', spam: '["trap"]' }])
    },
  )

test('the export is an attachment that is not stored, and its making is logged', async ({
  db,
  admin,
}) => {
  const response = await admin.fetch('/api/contacts/export.csv?q=private&status=new&to=2999-01-01')
  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('Content-Disposition')).toMatch(
    /^attachment; filename="contacts-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  await response.text()
  const logged = await rows(
    db,
    sql`select kind, "by", target_kind, to_json(fields) as fields from events`,
  )
  expect(logged).toEqual([
    { kind: 'export', by: 'admin', target_kind: 'contacts', fields: ['status', 'q', 'to'] },
  ])
})

test('the export holds the whole filtered list in its order, however long', async ({ api, db }) => {
  const admin = await staff(api, 'admin')
  await rows(
    db,
    sql`insert into contacts (name, email, message, search, text_hash, status, created_at)
      select 'N' || (i * 7919) % 2501, 'x@mail.example', 'text ' || i, 'text ' || i, i::text,
        case when i % 5 = 0 then 'handled' else 'new' end, now() - (i / 3) * interval '1 minute'
      from generate_series(1, 2501) i`,
  )
  const whole = await fetchCsv(admin, '/api/contacts/export.csv?limit=999&cursor=%00&sort=name')
  expect(whole.records).toHaveLength(2_501)
  expect(new Set(whole.records.map((r) => r._id)).size).toBe(2_501)
  const names = whole.records.map((r) => r.name?.toLowerCase() ?? '')
  expect(names).toEqual(names.toSorted())
  const some = await fetchCsv(admin, '/api/contacts/export.csv?status=handled&q=text 1')
  const listed = (await admin.get('/api/contacts?status=handled&q=text 1&limit=200')).body
  expect(some.records).toHaveLength(listed.meta.matching)
  expect(some.records.slice(0, 200).map((r) => r._id)).toEqual(listed.data.map((r: Json) => r._id))
  expect((await admin.get('/api/contacts/export.csv?status=pending')).status).toBe(400)
})

test('calls are answered while a long list is exported', async ({ api, db }) => {
  const admin = await staff(api, 'admin')
  await rows(
    db,
    sql`insert into contacts (name, email, message, search, text_hash)
      select 'N', 'x@mail.example', 'text', 'text', i::text from generate_series(1, 5000) i`,
  )
  const { body } = await admin.fetch('/api/contacts/export.csv')
  expect(await turnsDuring(() => new Response(body).text())).toBeGreaterThan(4)
})

test('the export by due time holds each record once where many were done at one moment', async ({
  db,
  admin,
}) => {
  await rows(
    db,
    sql`insert into contacts (name, email, message, search, text_hash, status, waiting_for, created_at)
      select 'N', 'x@mail.example', 'text ' || i, 'text ' || i, i::text, 'handled', null, '2026-01-02T08:00:00Z'
      from generate_series(1, 1500) i`,
  )
  const { records } = await fetchCsv(admin, '/api/contacts/export.csv?sort=due')
  expect(records).toHaveLength(1_500)
  expect(new Set(records.map((r) => r._id)).size).toBe(1_500)
})

test('an export by JSON is that of the same parameters in the address', async ({ api, admin }) => {
  for (const name of ['Ada', 'Grace']) await submit(api, 'contacts', { name })
  const listed = await (await admin.fetch('/api/contacts/export.csv?q=ada')).text()
  const { token } = await signInAs(api.deps, 'admin', 'another')
  const body = { q: 'ada', limit: 'ignored', cursor: 7 }
  const sent = await api.request('/api/contacts/export.csv', { body, token })
  expect(sent.headers.get('Content-Disposition')).toContain('attachment')
  expect(await sent.text()).toBe(listed)
  expect(listed).toContain('Ada')
  expect(listed).not.toContain('Grace')
  const wrong = await api.request('/api/contacts/export.csv', { body: { box: 'x' }, token })
  expect(wrong.status).toBe(400)
})

test('no formula begins after a separator within a cell', () => {
  const cells: [string, string][] = [
    ['a;=1+1', "a;'=1+1"],
    ['a\t@b', "a\t'@b"],
    ['a\n-b\r\n＝c', "a\n'-b\r\n'＝c"],
    [';+;+', ";'+;'+"],
    ['a; =b', 'a; =b'],
    ['a=b-c', 'a=b-c'],
    ['=a;=b', "'=a;'=b"],
    ['\t=a', "'\t'=a"],
  ]
  for (const [text, safe] of cells) expect(parseCsv(csvLine([text]))).toEqual([[safe]])
})

test('whatever a cell holds comes back, and none begins a formula', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .tuple(fc.constantFrom(...'=+-@＝＋－＠\t\r,"\n\''), fc.string())
      .map(([first, rest]) => first + rest),
  )
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (cells) => {
      const [line = []] = parseCsv(csvLine(cells))
      expect(line).toHaveLength(cells.length)
      for (const [i, cell] of line.entries()) {
        expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r]|[;\t\r\n][=+\-@＝＋－＠]/)
        const original = cells[i] ?? ''
        const within = cell.replace(/(?<=[;\t\r\n])'(?=[=+\-@＝＋－＠])/g, '')
        expect(/^[=+\-@＝＋－＠\t\r]/.test(original) ? within.slice(1) : within).toBe(
          original.replace(/(?<=[;\t\r\n])'(?=[=+\-@＝＋－＠])/g, ''),
        )
      }
    }),
    { numRuns: 500 },
  )
})

test('an export asks who is there, and every superuser is told', async ({ api }) => {
  const { db } = api.deps
  const admin = await staff(api, 'admin')
  await staff(api, 'superuser')
  await staff(api, 'superuser', 'second')
  await submit(api)
  await rows(db, sql`update sessions set step_up_until = now() - interval '1 second'`)
  for (const answer of [
    await admin.get('/api/contacts/export.csv'),
    await admin.post('/api/contacts/export.csv', {}),
  ])
    expect([answer.status, answer.body.code]).toEqual([403, 'step_up_required'])
  const told = () =>
    rows<{ recipient: string; text: string }>(
      db,
      sql`select recipient, text from mail where kind = 'account' order by recipient`,
    )
  expect(await told()).toEqual([])
  await rows(db, sql`update sessions set step_up_until = now() + interval '1 minute'`)
  expect((await admin.fetch('/api/contacts/export.csv?q=private')).status).toBe(200)
  const mails = await told()
  expect(mails.map(({ recipient }) => recipient)).toEqual([
    'second@staff.test',
    'superuser@staff.test',
  ])
  expect(mails[0]?.text).toContain('admin exported contacts as CSV')
  expect(mails[0]?.text).toContain('filtered by q')
  expect(mails[0]?.text).not.toContain('private')
})

test('with labels the export says what people see', async ({ api, admin }) => {
  await submit(api, 'consultations')
  const { service } = samples.consultations
  const { header, records } = await fetchCsv(admin, '/api/consultations/export.csv?labels=1')
  expect(header).toContain('Status')
  expect(header).not.toContain('status')
  expect(records[0]).toMatchObject({ Status: 'Pending', Box: 'inbox' })
  const codes = await fetchCsv(admin, '/api/consultations/export.csv')
  expect(codes.records[0]).toMatchObject({ status: 'pending', service })
  expect((await admin.get('/api/consultations/export.csv?labels=2')).status).toBe(400)
})
