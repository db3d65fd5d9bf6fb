import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, expect, onTestFinished, vi } from 'vitest'
import type { Release } from '#contract/content/desk.ts'
import { startRenderer } from '#host/render-process.ts'
import { loadSite } from '#host/site.ts'
import { signInAs } from '#server/auth/testing.ts'
import { followLive } from '#server/content/live.ts'
import { publishDay } from '#server/content/publish.ts'
import { failCutOff, readFiles, readSite, showAgain } from '#server/content/store/releases.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { test as databaseTest } from '#server/db/testing.ts'
import { testApi } from '#server/testing.ts'
import { content, serviceIds, setPublished } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import { openBuild } from '#site/publish/draw.ts'

/** The built site with its renderer, as `npm run serve` has them. */

// biome-ignore lint/suspicious/noExplicitAny: answers are read as they come
type Json = Record<string, any>

const SITE = 'http://127.0.0.1:4321'

type Renderer = NonNullable<ReturnType<typeof startRenderer>>

/** One process draws for all tests: loading what it draws with takes seconds. */
const renderers: Partial<Record<'draw' | 'rebuild', Renderer>> = {}
afterAll(() => {
  for (const renderer of Object.values(renderers)) renderer.stop()
})

const openDesk = async (db: Database, way: 'draw' | 'rebuild' = 'draw') => {
  const renderer = renderers[way] ?? startRenderer(SITE, way)
  if (!renderer) throw new Error('The site is not built')
  renderers[way] = renderer
  const site = loadSite('dist')
  const contentChanged = followLive({ db, log: () => {} }, renderer, (files) => site.show(files))
  const api = testApi(db, { renderer, contentChanged })
  onTestFinished(() => setPublished({}))
  const { id, token } = await signInAs(api.deps, 'superuser')
  const call = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await api.request(`/api/content${path}`, { method, token, body })
    return (await response.json()) as Json
  }
  return {
    api,
    id,
    token,
    renderer,
    site,
    call,
    policy: (path: string) =>
      site.respond(new Request(SITE + path)).headers.get('Content-Security-Policy'),
    page: async (path: string) => (await site.respond(new Request(SITE + path))).text(),
    /** Publishes all drafts, and answers how it ended. */
    publish: async (release: number): Promise<Release> => {
      const { data } = await call('POST', '/publish', { release })
      await api.settled()
      return (await call('GET', `/releases/${data.n}`)).data
    },
    /** Changes fields of an entry's draft. */
    edit: async (collection: string, id: string, change: (value: Json) => Json): Promise<Json> => {
      const { data } = await call('GET', `/${collection}/${id}`)
      return call('PUT', `/${collection}/${id}`, {
        value: { ...data.value, ...change(data.value) },
      })
    },
  }
}

const withCareers = databaseTest.skipIf(isOff('/careers'))

const question = content().faq[0]?.id ?? ''

databaseTest('every page that is drawn again equals the build’s, byte by byte', async () => {
  const build = await openBuild(process.cwd())
  const serverPages = JSON.parse(readFileSync('.build/server-pages.json', 'utf8'))
  const built = (file: string): string =>
    existsSync(`dist/${file}`)
      ? readFileSync(`dist/${file}`, 'utf8')
      : serverPages[file.replace(/\.html$/, '')]?.html
  const drawn = await build.drawPages(SITE, content())
  const pages = drawn.filter(({ file }) => !isOff(`/${file.replace(/\.html$/, '')}`))
  const files = pages.map(({ file }) => file).filter((file) => file.endsWith('.html'))
  const own = Object.keys(build.table.drawn).filter((file) => !file.startsWith('admin'))
  expect(files.sort()).toEqual(own.sort())
  const differing = pages.filter(({ file, body }) => {
    const page = file.endsWith('.html') ? build.finish(file, body) : body
    return page !== built(file)
  })
  expect(differing.map(({ file }) => file)).toEqual([])
})

databaseTest(
  'an edit is live on every page that shows it, under a policy that covers each inline block, and on no other',
  async ({ db }) => {
    const desk = await openDesk(db)
    const before = await desk.page('/about')
    await desk.edit('faq', question, () => ({ question: 'Is <b>this</b> live?' }))
    const release = await desk.publish(0)
    expect(release).toMatchObject({ n: 1, state: 'live', problems: [], by: expect.any(String) })
    expect(release.pages).toContain('/faq')
    expect(await desk.page('/faq')).toContain('Is &lt;b&gt;this&lt;/b&gt; live?')
    expect(await desk.page('/about')).toBe(before)
    expect((await desk.call('GET', '')).meta).toMatchObject({ release: 1, changed: 0 })
    expect((await desk.call('GET', `/faq/${question}`)).data).toMatchObject({
      state: 'same',
      published: { question: 'Is <b>this</b> live?' },
    })

    const files = (await readSite(db, 1, desk.renderer.build)) ?? {}
    const bodies = await readFiles(
      db,
      Object.values(files).flatMap((hash) => hash ?? []),
    )
    for (const [file, hash] of Object.entries(files)) {
      if (!file.endsWith('.html') || !hash) continue
      const html = brotliDecompressSync(bodies.get(hash) ?? Buffer.alloc(0)).toString()
      const path = file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`
      const policy = desk.policy(path)
      for (const [, attributes = '', text = ''] of html.matchAll(
        /<(?:style|script)\b([^>]*)>(.+?)<\/(?:style|script)>/gs,
      )) {
        if (/\ssrc=|ld\+json/.test(attributes)) continue
        const digest = createHash('sha256').update(text).digest('base64')
        expect(policy).toContain(`'sha256-${digest}'`)
      }
    }
  },
)

databaseTest('a publish that changes nothing leaves every byte', async ({ db }) => {
  const desk = await openDesk(db)
  const release = await desk.publish(0)
  expect(release).toMatchObject({ state: 'live', pages: [], problems: [] })
  expect(await readSite(db, 1, desk.renderer.build)).toEqual({})
  // From here on the fields of documents are in the database's order.
  expect(await desk.publish(1)).toMatchObject({ state: 'live', pages: [], problems: [] })
  expect(await readSite(db, 2, desk.renderer.build)).toEqual({})
})

databaseTest('a dead link is named by entry and field, and the site stays', async ({ db }) => {
  const desk = await openDesk(db)
  const before = await desk.page('/faq')
  await desk.edit('faq', question, () => ({ more: { label: 'Read on', href: '/nowhere' } }))
  const release = await desk.publish(0)
  expect(release.state).toBe('failed')
  expect(release.problems).toContainEqual({
    collection: 'faq',
    id: question,
    path: ['more', 'href'],
    message: '/faq: links to /nowhere, which does not exist',
  })
  expect(await desk.page('/faq')).toBe(before)
  expect((await desk.call('GET', '')).meta).toMatchObject({ release: 0, changed: 1 })
})

withCareers('a page’s problem is named by the field whose text causes it', async ({ db }) => {
  const desk = await openDesk(db)
  const [one, other] = content().positions
  const { data } = await desk.call('GET', `/positions/${other?.id}`)
  await desk.edit('positions', one?.id ?? '', () => ({ title: data.value.title }))
  await desk.edit('faq', question, () => ({ question: 'Is this harmless?' }))
  const { state, problems } = await desk.publish(0)
  expect(state).toBe('failed')
  expect(problems[0]).toMatchObject({
    collection: 'positions',
    id: one?.id,
    path: ['title'],
    message: expect.stringContaining('shares its title'),
  })
})

withCareers(
  'a changed address leads on from the old one, through later changes too',
  async ({ db }) => {
    const desk = await openDesk(db)
    const { id = '', data: value } = content().positions.at(-1) ?? {}
    const rename = async (from: string, to: string) => {
      await desk.call('POST', '/positions', { id: to, value })
      await desk.call('DELETE', `/positions/${from}`)
    }
    const target = (path: string) => {
      const { status, headers } = desk.site.respond(new Request(SITE + path))
      return [status, headers.get('Location')]
    }
    const article = content().blog[0]?.id ?? ''
    const href = `/careers/${id}`
    const link = { type: 'text', text: 'Apply', marks: [{ type: 'link', attrs: { href } }] }
    await desk.edit('blog', article, ({ body }) => ({
      body: { ...body, content: [...body.content, { type: 'paragraph', content: [link] }] },
    }))
    await rename(id, 'another-address')
    expect(await desk.publish(0)).toMatchObject({ state: 'live', problems: [] })
    expect(await desk.page(`/blog/${article}`)).toContain('href="/careers/another-address"')
    expect(target(`/careers/${id}`)).toEqual([301, '/careers/another-address'])
    await rename('another-address', 'a-third-address')
    expect(await desk.publish(1)).toMatchObject({ state: 'live', problems: [] })
    expect(target(`/careers/${id}`)).toEqual([301, '/careers/a-third-address'])
    expect(target('/careers/another-address')).toEqual([301, '/careers/a-third-address'])
    await rename('a-third-address', id)
    expect(await desk.publish(2)).toMatchObject({ state: 'live', problems: [] })
    expect(target(`/careers/${id}`)).toEqual([200, null])
    expect(target('/careers/another-address')).toEqual([301, `/careers/${id}`])
  },
)

databaseTest.skipIf(isOff('/blog'))(
  'former addresses lead to pages that the site shows, of legal pages too, and nowhere else',
  async ({ db }) => {
    const desk = await openDesk(db)
    const target = (path: string) => {
      const { status, headers } = desk.site.respond(new Request(SITE + path))
      return [status, headers.get('Location')]
    }
    const article = content().blog[0] ?? { id: '', data: {} }
    const [legal] = content().legal
    const words = (text: string) => ({ content: [{ type: 'text', text }] })
    const body = {
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, ...words('Storage') },
        { type: 'paragraph', ...words('A key for the theme.') },
      ],
    }
    const value = { ...legal?.data, title: 'What we store', body }
    const description = 'What this site stores on the device of a visitor, and for how long.'
    await desk.call('POST', '/legal', { id: 'storage', value: { ...value, description } })
    await desk.call('POST', '/blog', { id: 'renamed', value: article.data })
    await desk.call('DELETE', `/blog/${article.id}`)
    expect(await desk.publish(0)).toMatchObject({ state: 'live', problems: [] })
    expect(target(`/blog/${article.id}`)).toEqual([301, '/blog/renamed'])

    await desk.call('POST', '/legal', { id: 'stored-data', value: { ...value, description } })
    await desk.call('DELETE', '/legal/storage')
    await desk.edit('brand', 'brand', ({ features }) => ({
      features: { ...features, blog: false },
    }))
    expect(await desk.publish(1)).toMatchObject({ state: 'live', problems: [] })
    expect(target('/storage')).toEqual([301, '/stored-data'])
    expect(target(`/blog/${article.id}`)).toEqual([404, null])
  },
)

databaseTest(
  'the sitemap names each page once, with the day of its last change',
  async ({ db }) => {
    const desk = await openDesk(db)
    const read = async () =>
      new Map(
        [
          ...(await desk.page('/sitemap-0.xml')).matchAll(
            /<url><loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?<\/url>/g,
          ),
        ].map(([, page, day]) => [new URL(page ?? '').pathname, day] as const),
      )
    const built = await read()
    await desk.edit('faq', question, () => ({ question: 'When was this changed?' }))
    const { pages } = await desk.publish(0)
    const first = await read()
    expect([...first.keys()].sort()).toEqual([...built.keys()].sort())
    const differing = [...first].filter(([page, day]) => built.get(page) !== day)
    expect(differing.map(([page]) => page).sort()).toEqual(pages)
    await desk.edit('company', 'company', ({ story }) => ({ story: [...story, 'One more.'] }))
    await desk.publish(1)
    const second = await read()
    expect(second.get('/faq')).toBe(first.get('/faq'))
    expect(second.get('/about')).not.toBe(first.get('/about'))
  },
)

databaseTest.skipIf(isOff('/blog'))(
  'each category of articles has a mark of its own, however many there are',
  async () => {
    const build = await openBuild(process.cwd())
    const all = structuredClone(content())
    const more = ['Kestrels', 'Owls', 'Swifts', 'Terns', 'Wrens']
    all.pages.blog.categories.push(...more)
    const page = await build.drawPage(SITE, all, '/blog')
    for (const name of more.map((category) => category.toLowerCase()))
      expect(page?.body).toContain(`:root:has(#${name}:target) [href="#${name}"]`)
  },
)

databaseTest('a page that becomes too large is told of once, in plain words', async ({ db }) => {
  const desk = await openDesk(db)
  const noise = (_: unknown, index: number) =>
    createHash('sha256').update(String(index)).digest('hex')
  const intro = Array.from({ length: 500 }, noise).join(' ')
  await desk.edit('pages', 'pages', ({ home }) => ({ home: { ...home, intro } }))
  expect((await desk.publish(0)).notices).toContainEqual(
    expect.stringMatching(
      /^The home page works, but has become large: [\d.]+ KB are sent, \d+ % more/,
    ),
  )
  await desk.edit('faq', question, () => ({ question: 'Is the home page named again?' }))
  const { pages, notices } = await desk.publish(1)
  expect(pages).not.toContain('/')
  expect(notices).toEqual([])
})

databaseTest(
  'a changed brand is in images, icons, manifest and admin, and what is switched off is gone',
  async ({ db }) => {
    const desk = await openDesk(db)
    const image = await desk.page('/og/about.png')
    await desk.edit('brand', 'brand', ({ features }) => ({
      name: 'Kestrel & Co',
      accent: '#06214d',
      mark: 'M4 4h24v24H4z',
      features: Object.fromEntries(Object.keys(features).map((name) => [name, false])),
    }))
    expect(await desk.publish(0)).toMatchObject({
      state: 'live',
      problems: [],
      notices: [expect.stringContaining('#06214d cannot be read in the dark theme')],
    })
    expect(await desk.page('/og/about.png')).not.toBe(image)
    expect(await desk.page('/icon.svg')).toContain('d="M4 4h24v24H4z"')
    expect(await desk.page('/icon.svg')).toContain('data-accent="#06214d"')
    expect(JSON.parse(await desk.page('/site.webmanifest')).name).toBe('Kestrel & Co')
    const admin = await desk.page('/admin')
    expect(admin).toContain('| Kestrel &amp; Co</title>')
    const accent =
      /<style>(@layer tokens\{:root:root\{--accent:.*?)<\/style>/s.exec(admin)?.[1] ?? ''
    expect(desk.policy('/admin')).toContain(createHash('sha256').update(accent).digest('base64'))
    const facts = JSON.parse(/<script id="site"[^>]*>(.*?)<\/script>/s.exec(admin)?.[1] ?? '')
    expect(facts).toMatchObject({ name: 'Kestrel & Co', features: { blog: false } })
    const sitemap = await desk.page('/sitemap-0.xml')
    const home = await desk.page('/')
    for (const path of [
      '/blog',
      '/og/blog.png',
      '/rss.xml',
      '/careers',
      '/admin/applications',
      '/work',
      '/plan/consultation',
    ]) {
      expect([path, desk.site.respond(new Request(SITE + path)).status]).toEqual([path, 404])
      expect(sitemap).not.toContain(`${SITE}${path}`)
      expect(home).not.toContain(`href="${path}`)
    }
    // Senders of earlier applications correct them still.
    expect(isOff('/status/correct-applications', facts.features)).toBe(false)
    // Its script would fail without the questions.
    expect(await desk.page('/consultation')).not.toContain('plan-when-day')
  },
)

databaseTest('problems of a document stop a release before anything is drawn', async ({ db }) => {
  const desk = await openDesk(db)
  await desk.edit('faq', question, () => ({ question: '' }))
  const answer = await desk.call('POST', '/publish', { release: 0 })
  expect(answer).toMatchObject({
    code: 'invalid',
    data: {
      problems: [{ collection: 'faq', id: question, path: ['question'] }],
    },
  })
  expect((await desk.call('GET', '/releases')).data).toEqual([])
})

const longAgo = new Date(Date.now() - 3 * 86_400_000)

const closedYesterday = () => ({
  open: true,
  closesAt: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
})

/** As if the release had been drawn while a position that is closed now was open. */
const drawnBefore = (db: Database, n: number, at = longAgo) =>
  rows(
    db,
    sql`update content_releases set at = ${at.toISOString()}::timestamptz
      where n = ${n}::int returning n`,
  )

withCareers(
  'a position that closes by its date is closed on its page the next day',
  async ({ db }) => {
    const desk = await openDesk(db)
    await desk.edit('openings', content().openings[0]?.id ?? '', closedYesterday)
    await desk.publish(0)
    const deps = { db, log: () => {} }
    expect(await publishDay(deps, desk.renderer, longAgo)).toBeUndefined()
    // It went live while the position was closed: what counts is when it began.
    await drawnBefore(db, 1)
    const release = await publishDay(deps, desk.renderer, longAgo)
    expect(release).toMatchObject({ n: 2, state: 'live', by: null })
    expect(await publishDay(deps, desk.renderer, longAgo)).toBeUndefined()
  },
)

withCareers('a day that cannot be drawn is tried three times', async ({ db }) => {
  const desk = await openDesk(db)
  await desk.edit('openings', content().openings[0]?.id ?? '', closedYesterday)
  await desk.publish(0)
  await drawnBefore(db, 1)
  const deps = { db, log: () => {} }
  const draw = () => Promise.reject(new Error('It cannot be drawn'))
  const states: unknown[] = []
  for (let n = 0; n < 4; n += 1)
    states.push((await publishDay(deps, { ...desk.renderer, draw }, longAgo))?.state)
  expect(states).toEqual(['failed', 'failed', 'failed', undefined])
  // A day later.
  await rows(db, sql`update content_releases set at = at - interval '1 day' returning n`)
  expect((await publishDay(deps, desk.renderer, longAgo))?.state).toBe('live')
})

withCareers('positions that no page shows publish nothing', async ({ db }) => {
  const desk = await openDesk(db)
  const opening = { open: true, closesAt: '2030-07-02' }
  await desk.edit('openings', content().openings[0]?.id ?? '', () => opening)
  await desk.edit('brand', 'brand', ({ features }) => ({
    features: { ...features, careers: false },
  }))
  await desk.publish(0)
  await drawnBefore(db, 1, new Date('2030-07-01'))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-07-04') })
  onTestFinished(() => void vi.useRealTimers())
  expect(await publishDay({ db, log: () => {} }, desk.renderer, longAgo)).toBeUndefined()
})

databaseTest('a published site shows a new year without anybody publishing', async ({ db }) => {
  const desk = await openDesk(db)
  const deps = { db, log: () => {} }
  const lastYear = new Date(Date.UTC(new Date().getUTCFullYear() - 1, 11, 31))
  await desk.edit('brand', 'brand', ({ features }) => ({
    features: { ...features, careers: false },
  }))
  await desk.publish(0)
  await drawnBefore(db, 1, lastYear)
  expect(await publishDay(deps, desk.renderer, lastYear)).toMatchObject({ n: 2, state: 'live' })
  expect(await publishDay(deps, desk.renderer, lastYear)).toBeUndefined()
})

databaseTest('a whole build publishes where it is chosen', async ({ db }) => {
  const desk = await openDesk(db, 'rebuild')
  await desk.edit('faq', question, () => ({ question: 'Is this built?' }))
  const release = await desk.publish(0)
  expect(release).toMatchObject({ state: 'live', problems: [] })
  expect(release.pages).toContain('/faq')
  expect(release.pages).not.toContain('/about')
  expect(await desk.page('/faq')).toContain('Is this built?')
})

databaseTest('one release at a time, and only after the live one was seen', async ({ db }) => {
  const desk = await openDesk(db)
  await desk.edit('faq', question, () => ({ question: 'First?' }))
  const [first, second] = await Promise.all([
    desk.call('POST', '/publish', { release: 0 }),
    desk.call('POST', '/publish', { release: 0 }),
  ])
  expect([first.code, second.code].filter(Boolean)).toEqual(['busy'])
  await desk.api.settled()
  for (const release of [0, 2 ** 31])
    expect((await desk.call('POST', '/publish', { release })).code).toBe('conflict')
})

databaseTest(
  'a release that its process has not finished is failed at the next start',
  async ({ db }) => {
    const desk = await openDesk(db)
    await desk.edit('faq', question, () => ({ question: 'Is this cut off?' }))
    await desk.call('POST', '/publish', { release: 0 })
    await failCutOff(db)
    await desk.api.settled()
    const { data } = await desk.call('GET', '/releases/1')
    expect(data).toMatchObject({
      state: 'failed',
      problems: [{ message: expect.stringContaining('cut off') }],
    })
    expect((await desk.call('GET', '')).meta).toMatchObject({ release: 0, changed: 1 })
  },
)

databaseTest(
  'an older release is shown again at once, and brought back as drafts',
  async ({ db }) => {
    const desk = await openDesk(db)
    await desk.edit('faq', question, () => ({ question: 'First?' }))
    await desk.publish(0)
    const first = await desk.page('/faq')
    await desk.edit('faq', question, () => ({ question: 'Second?' }))
    await desk.publish(1)
    expect(await desk.page('/faq')).toContain('Second?')

    const shown = await desk.call('POST', '/releases/1/show')
    expect(shown.data).toMatchObject({ n: 3, state: 'live', shows: 1 })
    expect(shown.data.pages).toContain('/faq')
    expect(await desk.page('/faq')).toBe(first)
    expect((await desk.call('GET', '/releases')).data.map(({ state }: Json) => state)).toEqual([
      'live',
      'replaced',
      'replaced',
    ])

    const back = await desk.call('POST', '/releases/2/bring-back')
    expect(back.data.changed).toEqual([{ collection: 'faq', id: question }])
    expect(await desk.page('/faq')).toBe(first)
    expect((await desk.call('GET', '/changes')).data).toMatchObject([
      { collection: 'faq', id: question, fields: [{ from: 'First?', to: 'Second?' }] },
    ])

    // Compared with a release that is not live any more.
    const site = { build: desk.renderer.build, files: {}, bodies: [] }
    const late = { site, moved: {}, pages: [], changes: [], seen: 1 }
    expect(await showAgain(db, 2, late, { id: desk.id, username: 'ada' })).toBeUndefined()
  },
)

withCareers(
  'an older release shown again keeps former addresses, and its positions follow the day',
  async ({ db }) => {
    const desk = await openDesk(db)
    const { id = '', data: value } = content().positions.at(-1) ?? {}
    const target = (path: string) => {
      const { status, headers } = desk.site.respond(new Request(SITE + path))
      return [status, headers.get('Location')]
    }
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const [opening] = content().openings
    await desk.edit('openings', opening?.id ?? '', () => ({
      open: true,
      closesAt: day(-1).slice(0, 10),
    }))
    await desk.publish(0)
    // As if it had been drawn while the position was open.
    await rows(
      db,
      sql`update content_releases set at = ${day(-3)}::timestamptz, live_at = ${day(-3)}::timestamptz
        returning n`,
    )
    await desk.call('POST', '/positions', { id: 'renamed', value })
    await desk.call('DELETE', `/positions/${id}`)
    await desk.publish(1)
    expect(target(`/careers/${id}`)).toEqual([301, '/careers/renamed'])

    expect((await desk.call('POST', '/releases/1/show')).data.state).toBe('live')
    expect(target(`/careers/${id}`)).toEqual([200, null])
    expect(target('/careers/renamed')).toEqual([301, `/careers/${id}`])
    expect((await desk.call('POST', '/releases/2/show')).data.state).toBe('live')
    expect(target(`/careers/${id}`)).toEqual([301, '/careers/renamed'])
    expect(target('/careers/renamed')).toEqual([200, null])

    await desk.call('POST', '/releases/3/show')
    const deps = { db, log: () => {} }
    expect(await publishDay(deps, desk.renderer, new Date())).toMatchObject({ n: 6, state: 'live' })
    await desk.api.deps.contentChanged?.()
    expect(target('/careers/renamed')).toEqual([301, `/careers/${id}`])
    expect(await publishDay(deps, desk.renderer, new Date())).toBeUndefined()
  },
)

databaseTest(
  'a preview is the page with the drafts, each text named by its field',
  async ({ db }) => {
    const desk = await openDesk(db)
    await desk.edit('faq', question, () => ({ question: 'Is this a draft?' }))
    const { api, token } = desk
    const response = await api.request('/api/content/preview?path=/faq', { token })
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'self'")
    const html = await response.text()
    expect(html).toContain(`data-entry="faq/${question}" data-field="question">Is this a draft?`)
    expect(html).not.toMatch(/[\uE000-\uE002]/)
    expect(await desk.page('/faq')).not.toContain('Is this a draft?')
    const home = await (await api.request('/api/content/preview?path=/', { token })).text()
    for (const { id } of content().testimonials)
      expect(home.includes(`"testimonials/${id}" data-field="quote">“`), id).toBe(true)
    const [service = ''] = serviceIds()
    const form = encodeURIComponent(`/consultation-form?service=${service}`)
    const chosen = await api.request(`/api/content/preview?path=${form}`, { token })
    expect(await chosen.text()).toContain(`name="service" value="${service}"`)
    for (const path of ['/nowhere', '/rss.xml'])
      expect((await api.request(`/api/content/preview?path=${path}`, { token })).status).toBe(404)
    await desk.call('POST', '/faq', { id: 'begun', value: { question: 'Is this only begun?' } })
    expect((await api.request('/api/content/preview?path=/faq', { token })).status).toBe(200)
    const body = { type: 'doc', content: [null] }
    for (const { id } of content().blog.slice(0, 1)) {
      await desk.edit('blog', id, () => ({ body }))
      for (const path of ['/faq', `/blog/${id}`])
        expect((await api.request(`/api/content/preview?path=${path}`, { token })).status).toBe(200)
    }
    expect((await api.request('/api/content/preview?path=//evil', { token })).status).toBe(400)

    const link = await desk.call('POST', '/preview/link', { path: '/faq' })
    const shared = await api.request(new URL(link.data.url).pathname)
    expect(await shared.text()).toContain('Is this a draft?')
    expect((await api.request('/preview/unknown')).status).toBe(404)
  },
)

databaseTest('a preview is drawn also while the renderer before it ends', async ({ db }) => {
  const { renderer } = await openDesk(db)
  await renderer.preview(content(), '/faq')
  renderer.stop()
  expect((await renderer.preview(content(), '/faq')).status).toBe(200)
})

databaseTest(
  'another process shows what is live, also with texts of a release that it has not drawn',
  async ({ db }) => {
    const desk = await openDesk(db)
    await desk.edit('faq', question, () => ({ question: 'Everywhere?' }))
    const { pages } = await desk.publish(0)
    const day = '2026-01-31T12:00:00.000Z'
    await rows(db, sql`update content_releases set live_at = ${day}::timestamptz returning n`)
    const other = loadSite('dist')
    const refresh = followLive(
      { db, log: () => {} },
      { ...desk.renderer, build: 'another build' },
      (files) => other.show(files),
    )
    await refresh()
    const read = (path: string) => other.respond(new Request(SITE + path)).text()
    expect(await read('/faq')).toContain('Everywhere?')
    // Pages that it changed have its day.
    const dated = [
      ...(await read('/sitemap-0.xml')).matchAll(/<loc>([^<]*)<\/loc><lastmod>([^<]*)/g),
    ]
      .filter(([, , lastmod]) => lastmod === day)
      .map(([, page = '']) => new URL(page).pathname)
    expect(dated.sort()).toEqual(pages)
  },
)
