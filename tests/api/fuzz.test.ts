import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { KindPath } from '#contract/inbox.ts'
import { routes } from '#server/app.ts'
import { signInAs } from '#server/auth/testing.ts'
import type { Route } from '#server/http/route.ts'
import { submit } from '#server/inbox/testing.ts'
import { samples } from '#server/intake/samples.ts'
import { type TestApi, test } from '#server/testing.ts'

/** Thousands of requests that no client of ours sends; each must be answered with 2xx, 3xx or 4xx. */

const nasty = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eevil',
  "'; drop table contacts; --",
  '%',
  '_%\\',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'null',
  '0',
  '-1',
  '1e999',
  '2026-02-30',
  '999999-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  'NaN',
  'x'.repeat(70_000),
  '😀'.repeat(300),
  '{"a":1}',
  'eyJhbGciOiJub25lIn0.e30.',
  '00000000-0000-0000-0000-000000000000',
  '01900000-0000-7000-8000-000000000001',
]

const text = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', maxLength: 40 }))

const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    Number.MAX_SAFE_INTEGER,
    1e308,
    [],
    {},
    [[]],
    [''],
  ),
  fc.array(text, { maxLength: 4 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
)

// Real field names beside invented ones, so that requests get past the first check of each call.
const fieldName = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      ...new Set(Object.values(samples).flatMap((sample) => Object.keys(sample))),
      ...[
        'status',
        'assignee',
        'box',
        'version',
        'ids',
        'action',
        'value',
        'event',
        'text',
        'keep',
      ],
      ...['username', 'password', 'role', 'currentPassword', 'newPassword', 'source', 'elapsedMs'],
      ...['challenge', 'response', 'code', 'recoveryCode', 'device', 'token', 'mustChangePassword'],
      ...['q', 'from', 'to', 'sort', 'limit', 'cursor', 'skip'],
      ...['agree', 'website', '__proto__', 'constructor', 'toString', 'type', 'data'],
    ),
  },
  text,
)

const valid = fc.constantFrom(
  ...Object.values(samples),
  { status: 'handled' },
  { box: 'spam' },
  { action: 'delete', ids: ['01900000-0000-7000-8000-000000000001'] },
  { text: 'A note' },
  { q: 'a', sort: 'name', limit: 2, skip: 0 },
  { keep: true },
  { challenge: 'x', code: '123456' },
  {
    challenge: 'x',
    response: {
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      response: {
        clientDataJSON: 'e30',
        attestationObject: 'oA',
        authenticatorData: 'AA',
        signature: 'AA',
      },
    },
    name: 'Phone',
  },
  { token: 'x', username: 'grace', password: 'nine wandering albatrosses' },
  { token: 'x', newPassword: 'nine wandering albatrosses' },
  { email: 'grace@staff.test', role: 'editor' },
)

const body = fc.oneof(
  fc.tuple(valid, fc.dictionary(fieldName, value, { maxKeys: 3 })).map(([base, changes]) => ({
    ...base,
    ...changes,
  })),
  fc.dictionary(fieldName, value, { maxKeys: 6 }),
  value,
)

const query = fc.dictionary(
  fc.constantFrom(
    ...[
      'box',
      'status',
      'q',
      'assignee',
      'from',
      'to',
      'sort',
      'limit',
      'cursor',
      'skip',
      'days',
      'x',
    ],
  ),
  text,
  { maxKeys: 4 },
)

const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'text/plain',
    'application/json; charset=latin1',
    '',
  ),
)

interface Shot {
  body: unknown
  query: Record<string, string>
  param: string
  contentType: string
  key: string | undefined
  method: string | undefined
  site: string | undefined
}

/** Placeholder for the id of an existing record. */
const RECORDS = ['record 0', 'record 1', 'record 2', 'record 3']

const shot: fc.Arbitrary<Shot> = fc.record({
  body,
  query,
  param: fc.oneof(text, fc.constantFrom(...RECORDS)),
  contentType,
  key: fc.option(fc.constantFrom('k1', 'k2', 'k3', 'key with space', '', 'x'.repeat(256)), {
    nil: undefined,
    freq: 3,
  }),
  method: fc.option(fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'), {
    nil: undefined,
    freq: 8,
  }),
  site: fc.option(fc.constantFrom('cross-site', 'same-origin', 'none', 'cross-site, none'), {
    nil: undefined,
    freq: 20,
  }),
})

const write = (content: unknown, type: string): string =>
  type.startsWith('application/x-www') && typeof content === 'object' && content !== null
    ? new URLSearchParams(
        Object.entries(content).map(([name, entry]) => [
          name,
          typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? ''),
        ]),
      ).toString()
    : (JSON.stringify(content) ?? '')

/** A valid body of the staff calls, by the end of their path. */
const staffBodies: Record<string, (records: readonly string[]) => object> = {
  ':id': () => ({ box: 'spam' }),
  notes: () => ({ text: 'A note' }),
  keep: () => ({ keep: true }),
  search: () => ({ q: 'a', sort: 'name', limit: 2, skip: 0 }),
  bulk: (ids) => ({ ids, action: 'spam', value: false }),
}

// A complete body with one or two invalid fields passes more checks than random input does.
const nearlyRight = (path: string, content: unknown, records: readonly string[]): unknown => {
  const sample =
    samples[path.slice('/api/'.length) as KindPath] ??
    staffBodies[path.split('/').at(-1) ?? '']?.(records)
  const changes = typeof content === 'object' ? Object.entries(content ?? {}).slice(-1) : []
  return sample ? { ...sample, ...Object.fromEntries(changes) } : content
}

interface Caller {
  token: string
  records: readonly string[]
}

const fire = (
  api: TestApi,
  { endpoint }: Route,
  { token, records }: Caller,
  given: Shot,
  n: number,
) => {
  const param = records[RECORDS.indexOf(given.param)] ?? given.param
  const path = endpoint.path.replace(/:\w+/, () =>
    encodeURIComponent(param.toWellFormed()).slice(0, 2_000),
  )
  const search = new URLSearchParams(
    Object.entries(given.query).map(([name, entry]) => [name, entry.slice(0, 3_000)]),
  )
  const method = given.method ?? endpoint.method
  const takesBody = method !== 'GET' && method !== 'HEAD'
  return api.request(`${path}?${search}`, {
    method,
    token,
    // One IP per request; otherwise the limit answers instead of the handlers.
    ip: `198.51.${n >> 8}.${n & 255}`,
    headers: {
      ...(takesBody && given.contentType ? { 'Content-Type': given.contentType } : {}),
      ...(given.key === undefined ? {} : { 'Idempotency-Key': given.key }),
      ...(given.site ? { 'Sec-Fetch-Site': given.site } : {}),
    },
    ...(takesBody
      ? { body: write(nearlyRight(endpoint.path, given.body, records), given.contentType) }
      : {}),
  })
}

// Logging out and deleting the own account would end the run: they have other tests.
const ends = ['/api/auth/logout', '/api/auth/password']
const RUNS = 6_000

test('no input from a client causes a 5xx', { timeout: 300_000 }, async ({ api }) => {
  const { token } = await signInAs(api.deps, 'superuser')
  await signInAs(api.deps, 'admin')
  const records = await Promise.all(RECORDS.map(() => submit(api)))
  const targets = routes.filter(({ endpoint }) => !ends.includes(endpoint.path))
  let n = 0
  let signedOut = 0
  const statuses = new Map<number, number>()
  for (const given of fc.sample(shot, { numRuns: RUNS, seed: 20_261_120 })) {
    const target = targets[n % targets.length] as Route
    const response = await fire(api, target, { token, records }, given, n)
    n += 1
    const answer = await response.text()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    if (response.status >= 500)
      expect.fail(
        `${target.endpoint.method} ${target.endpoint.path} ${response.status} ${JSON.stringify(given).slice(0, 600)} ${JSON.stringify(api.logged.slice(-2))}`,
      )
    // A wrong code or passkey is a 401 too, and no sign that the session has ended.
    if (answer.includes('"code":"unauthenticated"')) signedOut += 1
    expect(answer).not.toMatch(/\$argon2|node_modules|at \w+ \(/)
  }
  // The run proves something only while requests reach the handlers.
  for (const status of [200, 201, 400, 403, 404, 405, 415])
    expect(statuses.get(status), `answers with ${status}`).toBeGreaterThan(5)
  expect(signedOut, 'the session lives').toBe(0)
})
