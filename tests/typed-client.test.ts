import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import createClient from 'openapi-fetch'
import openapiTS, { astToString } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { connectRemote } from '#server/db/remote.ts'
import { rows } from '#server/db/rows.ts'
import { newPostgres } from '#server/db/testing.ts'
import { newDataDir, startHost } from './processes.ts'

const [, recipe = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('docs/integrate.md', 'utf8')) ?? []

const recipeFile = './recipe.ts'

/** One call of each kind. What follows `@ts-expect-error` shows that the types refuse what the API would. */
const calls = `
import { connect } from '${recipeFile}'

type Client = ReturnType<typeof connect>

export const run = async (anybody: Client, staff: Client, program: Client) => {
  const sent = await anybody.POST('/api/contacts', {
    body: { name: 'Ada', email: 'ada@people.test', message: 'Hello there' },
  })
  // @ts-expect-error the message is missing
  await anybody.POST('/api/contacts', { body: { name: 'Ada', email: 'ada@people.test' } })
  const id: string = sent.data?.data._id ?? ''
  const params = { path: { id } }
  const listed = await program.GET('/api/contacts', { params: { query: { status: 'new', limit: 1 } } })
  // @ts-expect-error contacts have no such status
  await program.GET('/api/contacts', { params: { query: { status: 'pending' } } })
  const found = await program.POST('/api/contacts/search', { body: { q: 'there' } })
  const read = await program.GET('/api/contacts/{id}', { params })
  const name: string | undefined = read.data?.data.name
  const changed = await program.PUT('/api/contacts/{id}', { params, body: { status: 'handled' } })
  const refused = await program.DELETE('/api/contacts/{id}', { params })
  const code: string | undefined = refused.error?.code
  const csv = await staff.GET('/api/contacts/export.csv', { parseAs: 'text' })
  const text: string | undefined = csv.data
  const removed = await staff.DELETE('/api/contacts/{id}', { params })
  const tokens = await staff.GET('/api/me/tokens')
  return {
    matching: listed.data?.meta.matching,
    found: found.data?.data.length,
    name,
    status: changed.data?.data.status,
    code,
    columns: text?.split(',').length,
    removed: removed.data?.success,
    tokens: tokens.data?.data.map(({ name }) => name),
  }
}
`

test('a typed client is generated from the API’s description, compiles, and makes calls of each kind', async () => {
  const { url } = await newPostgres('migrated')
  const env = {
    DATABASE_URL: url,
    DATA_DIR: newDataDir(),
    AUTH_SECRET: 'a secret of this test that is long enough',
  }
  const password = 'a long and quiet walk'
  const host = await startHost({ ...env, ADMIN_PASSWORD: password })
  const document = await (await fetch(`${host.url}/api/openapi.json`)).json()
  const folder = join('.cache', 'typed-client')
  mkdirSync(folder, { recursive: true })
  const files = {
    'api.d.ts': astToString(await openapiTS(document)),
    'recipe.ts': recipe,
    'calls.ts': calls,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true },
        ...{ module: 'preserve', target: 'ES2024', lib: ['ES2024', 'DOM'], types: [] },
      },
      include: ['*.ts'],
    }),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const compiled = (): string => {
    try {
      return execFileSync('node_modules/.bin/tsc', ['--project', folder], { encoding: 'utf8' })
    } catch (error) {
      return String((error as { stdout: unknown }).stdout)
    }
  }
  expect(compiled()).toBe('')

  const at = join(import.meta.dirname, '..', folder)
  const { connect, remind } = await import(join(at, 'recipe.ts'))
  const { run } = await import(join(at, 'calls.ts'))
  const anybody = createClient<Record<string, never>>({ baseUrl: host.url })
  const post = async (path: string, body: object, token = '') => {
    const answer = await fetch(host.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { token: string; data: { token: string } }
  }
  const { token } = await post('/api/auth/login', { email: 'admin@localhost.test', password })
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const scopes = ['read', 'draft', 'write']
  const made = await post('/api/me/tokens', { name: 'n8n', scopes, expiresAt }, token)
  const program = connect(host.url, made.data.token)
  expect(await run(anybody, connect(host.url, token), program)).toEqual({
    matching: 1,
    found: 1,
    name: 'Ada',
    status: 'handled',
    code: 'forbidden',
    columns: expect.any(Number),
    removed: true,
    tokens: ['n8n'],
  })

  await post('/api/contacts', { name: 'Grace', email: 'grace@people.test', message: 'Hello' })
  const { db, close } = await connectRemote({ kind: 'pg', url })
  await rows(db, sql`update contacts set due_at = now() - interval '1 hour' where name = 'Grace'`)
  await remind(program, 'admin')
  const [grace] = await rows(
    db,
    sql`select u.username, (select count(*)::int from events e where e.target_id = r.id and e.kind = 'note') as notes
      from contacts r join users u on u.id = r.assignee_id where r.name = 'Grace'`,
  )
  await close()
  expect(grace).toEqual({ username: 'admin', notes: 1 })
})
