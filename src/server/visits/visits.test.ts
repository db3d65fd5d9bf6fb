import { expect } from 'vitest'
import type { SourceRow } from '#contract/visits.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { testOnAll } from '#server/db/testing.ts'
import { type Json, type Staff, staff, submit } from '#server/inbox/testing.ts'
import { type TestApi, test, testApi } from '#server/testing.ts'

const pages = ['/', '/services', '/blog', '/apply']
const publicPage = async (path: string) =>
  pages.includes(new URL(`https://fledge.test${path}`).pathname) ? '<main>Text</main>' : undefined

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/605.1.15'

const visit = async (api: TestApi, beacon: object | string, headers: Record<string, string> = {}) =>
  (
    await api.request('/api/visits', {
      body: typeof beacon === 'string' ? beacon : JSON.stringify(beacon),
      headers: { 'Content-Type': 'text/plain;charset=UTF-8', 'User-Agent': phone, ...headers },
    })
  ).status

const times = async (count: number, work: () => Promise<unknown>) => {
  for (let n = 0; n < count; n += 1) await work()
}

const setUp = async (db: Database) => {
  const api = testApi(db, { publicPage })
  return { api, boss: await staff(api) }
}

const sources = async (boss: Staff, days = 7): Promise<Record<string, SourceRow>> => {
  const { body } = await boss.get(`/api/stats/sources?days=${days}`)
  return Object.fromEntries(body.data.map((row: SourceRow) => [row.source, row]))
}

testOnAll('visits stand in the figures at once, by source and by landing page', async ({ db }) => {
  const { api, boss } = await setUp(db)
  const search = { page: '/services?q=1#x', source: 'https://WWW.Search.example/?q=secret' }
  await times(6, () => visit(api, { ...search, wide: true }))
  await times(5, () => visit(api, { page: '/', campaign: 'spring', source: 'mail.example' }))
  await times(30, () => visit(api, { page: '/nowhere', wide: false }))
  await times(2, () => visit(api, { page: '/services', source: 'rare.example' }))
  await visit(api, { page: '/', begun: true, campaign: 'spring' })
  await submit(api, 'contacts', { source: { utm_source: 'spring', landingPage: '/' } })
  const done = await submit(api, 'consultations', { source: { landingPage: '/<script>' } })
  await boss.put(`/api/consultations/${done}`, { status: 'completed' })
  const { body } = await boss.get('/api/stats/sources?days=7')
  const figures = { begun: 0, sent: 0, answered: 0, inTime: 0, accepted: 0, rate: null }
  expect(body.data).toEqual([
    {
      ...{ ...figures, source: 'direct', visits: 30, sent: 1 },
      ...{ answered: 1, inTime: 1, accepted: 1, rate: 0.0333 },
    },
    { ...figures, source: 'www.search.example', visits: 6 },
    { ...figures, source: 'spring', visits: 5, begun: 1, sent: 1 },
    { ...figures, source: 'other', visits: 2 },
  ])
  expect(body.meta.pages).toMatchObject([
    { page: 'other', visits: 30, sent: 1, rate: 0.0333 },
    { page: '/services', visits: 8 },
    { page: '/', visits: 5, begun: 1, sent: 1 },
  ])
  const stored = await rows<{ all: string }>(db, sql`select v::text as all from visit_counts v`)
  expect(JSON.stringify(stored)).not.toMatch(/secret|iPhone|192\.0|nowhere/)
})

test('visits and submissions from an app or an IPv6 host have one source', async ({ db }) => {
  const { api, boss } = await setUp(db)
  const sent = [
    ['android-app://com.google.android.gm/', 'com.google.android.gm'],
    ['http://[2001:db8::5]:8080/wiki', '[2001:db8::5]'],
  ] as const
  for (const [referrer, source] of sent) {
    await times(5, () => visit(api, { page: '/', source: referrer }))
    await submit(api, 'contacts', { source: { referrer, landingPage: '/' } })
    expect(await sources(boss)).toMatchObject({ [source]: { visits: 5, sent: 1 } })
  }
  const { bySource } = (await boss.get('/api/stats?days=7')).body.data
  expect(bySource).toEqual(Object.fromEntries(sent.map(([, source]) => [source, 1])))
})

test('visits and submissions of a campaign with a long name have one source', async ({ db }) => {
  const { api, boss } = await setUp(db)
  const campaign = 'x'.repeat(400)
  await times(5, () => visit(api, { page: '/', campaign }))
  await submit(api, 'contacts', { source: { utm_source: campaign, landingPage: '/' } })
  expect(Object.values(await sources(boss))).toMatchObject([{ visits: 5, sent: 1 }])
})

test('a page is counted under the address that it has, without what a detour to it says', async ({
  db,
}) => {
  const { api, boss } = await setUp(db)
  const detours = [
    '/jane@person.example/../services',
    '/jane@person.example/%2e%2E/services',
    '/jane@person.example\\..\\services#jane',
    '/./services?jane',
    // Cut after its dots, this one would lead to the first page.
    `${'/jane@person.example'.padEnd(297, 'x')}/..x`,
  ]
  for (const page of detours) expect(await visit(api, { page })).toBe(204)
  const { body } = await boss.get('/api/stats/sources?days=7')
  expect(body.meta.pages).toMatchObject([
    { page: '/services', visits: 4 },
    { page: '/', visits: 1 },
  ])
  const stored = await rows<{ all: string }>(db, sql`select v::text as all from visit_counts v`)
  expect(JSON.stringify(stored)).not.toContain('jane')
})

test('what is no visit is answered with 204 and not counted', async ({ db }) => {
  const { api, boss } = await setUp(db)
  const beacon = { page: '/', wide: true }
  for (const [body, headers] of [
    [beacon, { 'Sec-GPC': '1' }],
    [beacon, { DNT: '1' }],
    [beacon, { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
    [beacon, { 'User-Agent': 'Mozilla/5.0 AppleWebKit/537.36; bingbot/2.0' }],
    [beacon, { 'User-Agent': 'Mozilla/5.0 (compatible; Google-InspectionTool/1.0)' }],
    [beacon, { 'User-Agent': 'WhatsApp/2.23.20.0 A' }],
    [{ ...beacon, source: 'https://fledge.test/blog' }, {}],
    [{ ...beacon, page: '/admin/contacts' }, {}],
    [{ ...beacon, page: '/status/abc' }, {}],
    [{ ...beacon, page: '/%73tatus/abc' }, {}],
    [{ ...beacon, page: '/blog/../api/status/abc' }, {}],
    [{ ...beacon, page: 'https://elsewhere.example/' }, {}],
    [{ page: 5 }, {}],
    ['', {}],
    ['no JSON', { 'Content-Type': 'application/json' }],
    ['[1]', { 'Content-Type': 'application/octet-stream' }],
    ['null', {}],
    ['x'.repeat(65_536), {}],
  ] as const)
    expect([body, await visit(api, body, headers)]).toEqual([body, 204])
  expect(await visit(api, 'x'.repeat(65_537))).toBe(413)
  expect(await sources(boss)).toEqual({})
  // A phone that is called like a robot is none.
  await visit(api, beacon, { 'User-Agent': 'Mozilla/5.0 (Linux; Android 12; CUBOT NOTE) Chrome/1' })
  expect((await sources(boss)).other?.visits).toBe(1)
})

test('who reads the figures waits for visits that another call is storing', async ({ db }) => {
  const { api } = await setUp(db)
  await times(5, () => visit(api, { page: '/', campaign: 'spring' }))
  const other = api.deps.visits.fold()
  await api.deps.visits.fold()
  expect(await rows(db, sql`select sum(visits)::int as n from visit_counts`)).toEqual([{ n: 5 }])
  await other
})

test('nothing is counted while visits are switched off', async ({ db }) => {
  const { api, boss } = await setUp(db)
  await boss.put('/api/settings', { visits: false })
  expect(await visit(api, { page: '/' })).toBe(204)
  expect(await sources(boss)).toEqual({})
  await boss.put('/api/settings', { visits: true })
  await visit(api, { page: '/' })
  expect((await sources(boss)).other?.visits).toBe(1)
})

test('a day names two hundred sources, and a text in place of one breaks nothing', async ({
  db,
}) => {
  const { api, boss } = await setUp(db)
  for (let n = 0; n < 210; n += 1)
    await times(5, () => visit(api, { page: '/', campaign: `campaign ${n}` }))
  await api.deps.visits.fold()
  await times(5, () => visit(api, { page: '/', campaign: 'late' }))
  const named = await sources(boss)
  expect(Object.keys(named)).toHaveLength(201)
  expect(named.other?.visits).toBe(55)
  const odd = { page: `/${'x'.repeat(5_000)}`, source: '://\u0000', campaign: '\ud800\u202e=1+1' }
  expect(await visit(api, odd)).toBe(204)
  expect((await boss.get('/api/stats/sources?days=7')).status).toBe(200)
})

test('the CSV holds the same rows, and no formula', async ({ db }) => {
  const { api, boss } = await setUp(db)
  await times(5, () => visit(api, { page: '/', campaign: '=1+1' }))
  const csv = await boss.fetch('/api/stats/sources.csv?days=7')
  expect(csv.headers.get('Content-Disposition')).toContain('attachment')
  expect((await csv.text()).replace('\uFEFF', '').split('\r\n')).toEqual([
    'source,visits,begun,sent,answered,inTime,accepted,rate',
    "'=1+1,5,0,0,0,0,0,",
    '',
  ])
  for (const days of ['1', '14', 'x'])
    expect((await boss.get(`/api/stats/sources?days=${days}`)).status).toBe(400)
})

/** Numbers that look random and are the same in each run. */
const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
  return seed / 0x7fffffff
}

test('of a simulated month of 10,000 visits the figures are within 10 %, submissions exact', async ({
  db,
}) => {
  const { api, boss } = await setUp(db)
  const next = random(7)
  const pick = <T>(of: readonly [T, ...T[]]): T => of[Math.floor(next() * of.length)] ?? of[0]
  const real: Record<string, number> = {}
  const sent: Record<string, number> = {}
  for (let n = 0; n < 10_000; n += 1) {
    const source = pick(['search.example', 'social.example', 'direct', 'rare.example', 'spring'])
    const page = pick(['/', '/services', '/blog'])
    real[source] = (real[source] ?? 0) + 1
    const from =
      source === 'direct'
        ? {}
        : source === 'spring'
          ? { campaign: source, source: 'mail.example' }
          : { source: `https://${source}/` }
    // Scripts and signals against tracking: some visitors send no beacon that counts.
    const headers: Record<string, string> = next() < 0.04 ? { 'Sec-GPC': '1' } : {}
    await visit(api, { page, ...from, wide: next() < 0.5 }, headers)
    // Robots, steps within the site and tabs that are opened from it.
    if (next() < 0.2) await visit(api, { page }, { 'User-Agent': 'SomeCrawler/1.0' })
    if (next() < 0.5) await visit(api, { page, source: 'https://fledge.test/' })
    if (n % 100 === 0) {
      const source_ = source === 'direct' ? {} : source === 'spring' ? { utm_source: source } : {}
      const referrer =
        source === 'direct' || source === 'spring' ? {} : { referrer: `https://${source}/` }
      await submit(api, 'contacts', { source: { ...source_, ...referrer, landingPage: page } })
      sent[source] = (sent[source] ?? 0) + 1
    }
    if (n % 2_500 === 0) await api.deps.visits.fold()
  }
  const found = await sources(boss, 30)
  for (const [source, count] of Object.entries(real)) {
    const { visits = 0 } = found[source] ?? {}
    expect([source, Math.abs(visits - count) / count < 0.1]).toEqual([source, true])
    expect([source, found[source]?.sent]).toEqual([source, sent[source]])
  }
  const columns = await rows<{ name: string }>(
    db,
    sql`select column_name as name from information_schema.columns where table_name = 'visit_counts'`,
  )
  expect(columns.map(({ name }) => name).toSorted()).toEqual([
    'begun',
    'day',
    'page',
    'source',
    'visits',
    'wide',
  ])
  const logged: Json = api.logged.filter(({ route }) => route === '/api/visits')
  expect(Object.keys(logged[0]).toSorted()).toEqual([
    'event',
    'level',
    'method',
    'ms',
    'requestId',
    'route',
    'status',
  ])
})
