import { expect } from 'vitest'
import { resetDemo, setUpDemo } from '#netlify/demo.ts'
import { checkAuditLog, sealAuditLog } from '#server/audit/seal.ts'
import { signInAs } from '#server/auth/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { newPostgres } from '#server/db/testing.ts'
import { staff } from '#server/inbox/testing.ts'
import { samples } from '#server/intake/samples.ts'
import { test } from '#server/testing.ts'
import { newFolder, runCommand, runHere } from '#tests/processes.ts'

test('a demonstration forgets what visitors left and shows the same records again', async ({
  api,
  db,
}) => {
  const { token } = await signInAs(api.deps, 'reviewer')
  const names = async () => {
    const list = await api.request('/api/contacts?limit=200', { token })
    const { data, meta } = (await list.json()) as {
      data: { name: string }[]
      meta: { total: number }
    }
    expect(meta.total).toBe(data.length)
    return data.map(({ name }) => name)
  }
  await setUpDemo(db, false)
  const first = await names()
  await api.request('/api/contacts', { body: samples.contacts })
  expect(await names()).toContain(samples.contacts.name)
  const editor = await staff(api, 'editor')
  await editor.post('/api/content/faq', { id: 'a-draft', value: {} })
  const { body } = await editor.get('/api/contacts?limit=1')
  const path = `/api/contacts/${body.data[0]._id}`
  await editor.put(path, { status: 'handled' })
  for (const call of ['notes', 'messages'])
    await editor.post(`${path}/${call}`, { text: 'A word to be forgotten' })
  await rows(
    db,
    sql`insert into offers (record_id, state, title, text, lines, currency, valid_until, terms, answer_name)
      select id, 'accepted', 'A shop', '', '[]', 'USD', now(), '', 'A visitor' from consultations limit 1`,
  )
  await sealAuditLog(api.deps)
  await resetDemo(db)
  expect(await names()).toEqual(first)
  expect((await editor.get('/api/content/faq/a-draft')).status).toBe(404)
  expect(await rows(db, sql`select from events where events::text like '%forgotten%'`)).toEqual([])
  expect(await rows(db, sql`select from offers`)).toEqual([])
  // What staff did stays in the audit log, whose chain is whole.
  const kinds = await rows(db, sql`select kind from events where by = 'editor' order by kind`)
  expect(kinds).toEqual([{ kind: 'message' }, { kind: 'status' }])
  expect(await checkAuditLog(db)).toMatchObject({ problem: null })
  expect(first.length).toBe(40)
})

test('nothing is deleted in a database that was not set up as a demonstration', async ({
  api,
  db,
}) => {
  await api.request('/api/contacts', { body: samples.contacts })
  const count = async () =>
    (await rows<{ n: number }>(db, sql`select count(*) as n from contacts`))[0]?.n
  expect(await resetDemo(db)).toBe(false)
  expect(await count()).toBe(1)
  expect(await setUpDemo(db, false)).toBe(1)
  expect(await resetDemo(db)).toBe(false)
  expect(await count()).toBe(1)

  expect(await setUpDemo(db, true)).toBe(0)
  expect(await count()).toBe(40)
  await resetDemo(db)
})

test('the set-up of a demonstration asks for the database’s name before it deletes records', async () => {
  const { url } = await newPostgres('migrated')
  const name = new URL(url).pathname.slice(1)
  const env = { DATABASE_URL: url, DATA_DIR: newFolder() }
  await runHere('sample-data', ['--contacts', '3'], env)
  expect(await runHere('demo-setup', [], env)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`npm run demo-setup -- ${name}`),
  })
  expect((await runHere('demo-setup', ['another'], env)).code).toBe(1)
  expect((await runCommand('demo-setup', [name], env)).code).toBe(0)
  // Again, as after a change of the samples: it is a demonstration already.
  expect((await runHere('demo-setup', [], env)).code).toBe(0)
  expect((await runHere('demo-setup', [], { DATA_DIR: env.DATA_DIR })).output).toContain(
    'Set DATABASE_URL',
  )
})
