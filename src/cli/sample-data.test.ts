import { expect, onTestFinished, test } from 'vitest'
import { sampleRecord } from '#cli/sample-records.ts'
import type { AuditEntry } from '#contract/audit.ts'
import { sql } from '#server/db/drizzle.ts'
import { connectRemote } from '#server/db/remote.ts'
import { rows } from '#server/db/rows.ts'
import { newPostgres } from '#server/db/testing.ts'
import { validate } from '#server/http/input.ts'
import { submit } from '#server/inbox/testing.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { testApi, withPositions } from '#server/testing.ts'
import { newDataDir, newFolder, runCommand, runHere, startHost } from '#tests/processes.ts'

test('every sample is a submission that the public forms would take, marked as a sample', () => {
  const emails = new Set<unknown>()
  for (const kind of kinds) {
    for (let n = 0; n < 200; n += 1) {
      const { fields } = sampleRecord(kind.path, n, 200)
      if (!kind.submit.body) throw new Error('No body')
      const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
      expect(validate(kind.submit.body, given)).toMatchObject({ name: fields.name })
      expect(fields.name).toContain('Sample')
      expect(fields.email).toMatch(/@people\.example$/)
      emails.add(fields.email)
    }
  }
  // A sender with another name has another address.
  expect(emails.size).toBe(200 * kinds.length)
})

test('the same sample comes again on every run, at times at which people work, and the texts differ among them', () => {
  const texts = new Set<unknown>()
  const now = new Date('2026-11-22T03:00:00Z')
  const arrivals: Date[] = []
  for (let n = 0; n < 500; n += 1) {
    const sample = sampleRecord('contacts', n, 500, now)
    expect(sampleRecord('contacts', n, 500, now)).toEqual(sample)
    texts.add(sample.fields.message)
    arrivals.push(new Date(now.getTime() - sample.age * 1_000))
  }
  expect(texts.size).toBe(500)
  const isWork = (at: Date) => at.getUTCDay() % 6 !== 0 && at.getUTCHours() >= 6
  const rest = arrivals.filter((at) => !isWork(at))
  expect(rest.length).toBeGreaterThan(10)
  expect(rest.length).toBeLessThan(50)
})

test('sample data fills the inbox and brings staff with passwords that work', async () => {
  const env = { DATA_DIR: newDataDir() }
  const made = await runCommand('sample-data', ['--contacts', '7', '--applications', '0'], env)
  expect(made.code).toBe(0)
  expect((await runHere('audit-check', [], env)).output).toContain('0 not sealed yet.')
  const [, email, password] = /(sample-reviewer\S+)\s+password: (\S+)/.exec(made.output) ?? []

  const { url } = await startHost(env)
  const signIn = async (address?: string, secret?: string): Promise<string> => {
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: address, password: secret }),
    })
    return ((await answer.json()) as { token: string }).token
  }
  const token = await signIn(email, password)
  const totals = async (path: string) => {
    const list = await fetch(`${url}/api/${path}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    return ((await list.json()) as { meta: { total: number } }).meta.total
  }
  expect(await totals('contacts')).toBe(7)
  expect(await totals('applications')).toBe(0)
  expect(await totals('consultations')).toBe(25)

  const [, generated] = /Generated password: (\S+)/.exec(made.output) ?? []
  const owner = await signIn('admin@localhost.test', generated)
  const audit = await fetch(`${url}/api/audit`, { headers: { Authorization: `Bearer ${owner}` } })
  const { data } = (await audit.json()) as { data: AuditEntry[] }
  expect(data.filter(({ via }) => via === 'command')).toMatchObject([
    { kind: 'sample_data', counts: { contacts: 7, applications: 0, consultations: 25 } },
    { kind: 'user.create', changes: { username: [null, 'sample-reviewer'] } },
    { kind: 'user.create', changes: { username: [null, 'sample-editor'] } },
    { kind: 'user.create', changes: { username: [null, 'sample-admin-2'] } },
    { kind: 'user.create', changes: { username: [null, 'sample-admin'] } },
  ])
})

test('sample data leaves the day by which an application is owed, as its published position says it', async () => {
  const { url } = await newPostgres('migrated')
  const { db, close } = await connectRemote({ kind: 'pg', url })
  onTestFinished(close)
  const opening = { open: true, answerBy: '2999-01-31' }
  const api = testApi(db, { content: withPositions({ published: { opening } }) })
  await submit(api, 'applications', { position: 'published' })
  const due = () => rows(db, sql`select due_at at time zone 'UTC' as at from applications`)
  const before = await due()
  expect(before).toEqual([{ at: expect.stringContaining('2999-01-31') }])
  const none = ['contacts', 'consultations', 'applications'].flatMap((path) => [`--${path}`, '0'])
  const env = { DATABASE_URL: url, DATA_DIR: newFolder() }
  expect(await runHere('sample-data', none, env)).toMatchObject({ code: 0 })
  expect(await due()).toEqual(before)
})

test('sample data refuses a database that another process has open', async () => {
  const env = { DATA_DIR: newDataDir() }
  const host = await startHost(env)
  const { code, output } = await runHere('sample-data', [], env)
  expect(code).toBe(1)
  expect(output).toContain(`process ${host.process.pid}`)
})
