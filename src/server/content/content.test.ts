import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { money } from '#contract/content/brand.ts'
import { type Content, contentProblems, isReserved } from '#contract/content/collections.ts'
import { entryId } from '#contract/content/fields.ts'
import { routes } from '#server/app.ts'
import { signInAs } from '#server/auth/testing.ts'
import { movedAddresses } from '#server/content/documents.ts'
import { followLive } from '#server/content/live.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { timeLeft, withTimeLimit } from '#server/db/time-limit.ts'
import type { LogEntry } from '#server/deps.ts'
import { testApi, test as usual, wholeSite } from '#server/testing.ts'
import { content, setPublished } from '#site/content.ts'
import { isUsed } from '#site/features.ts'
import { as, call, type Json, ownArticle, rendererThat } from './testing.ts'

const test = usual.extend('editor', ({ api }) => as(api, 'editor'))

const seed: Content = content()
const question = seed.faq[0] ?? { id: '', data: {} }

test('an editor reads each collection with its schema and entries in their order', async ({
  editor,
}) => {
  const { body: all } = await editor('GET', '')
  expect(all.meta).toMatchObject({ release: 0, state: 'live', at: null, by: null, changed: 0 })
  for (const { collection, entries, single } of all.data) {
    const { status, body } = await editor('GET', `/${collection}`)
    expect(status).toBe(200)
    expect(body.data).toHaveLength(entries)
    expect(single ? 1 : entries).toBe(entries)
    expect(body.meta.schema).toMatchObject({ type: 'object' })
    expect(body.meta.version).toBe(0)
    if (!single)
      expect(body.data.map(({ id }: Json) => id)).toEqual(
        seed[collection as 'faq'].map(({ id }) => id),
      )
    for (const { state, problems } of body.data)
      expect({ state, problems }).toEqual({ state: 'same', problems: 0 })
    if (entries === 0) continue
    const { id } = body.data.at(-1)
    const one = await editor('GET', `/${collection}/${id}`)
    expect(one.body.data).toMatchObject({ id, state: 'same', version: 0, problems: [] })
    expect(one.body.data.value).toEqual(one.body.data.published)
  }
})

test('texts of a part that is switched off are left out of the list, but for unpublished changes', async ({
  api,
}) => {
  const superuser = await as(api, 'superuser')
  const listed = async () =>
    (await superuser('GET', '')).body.data.map(({ collection }: Json) => collection)
  const all = await listed()
  const features = { blog: true, careers: false, work: true, plan: false }
  await superuser('PUT', '/brand/brand', { value: { ...seed.brand, features } })
  const off = ['positions', 'openings', 'hiring', 'plan']
  expect(await listed()).toEqual(all.filter((name: string) => !off.includes(name)))
  for (const [method, path, body] of [
    ['GET', '/positions', undefined],
    ['GET', '/plan/plan', undefined],
    ['POST', '/positions', { id: 'new-position' }],
    ['PUT', '/positions/order', {}],
  ] as const)
    expect([path, (await superuser(method, path, body)).status]).toEqual([path, 404])
  await superuser('POST', '/brand/brand/discard')
  await superuser('POST', '/positions', { id: 'new-position' })
  await superuser('PUT', '/brand/brand', { value: { ...seed.brand, features } })
  expect(await listed()).toContain('positions')
  expect((await superuser('GET', '/positions/new-position')).status).toBe(200)
})

test('an entry that others name can be removed alone, and a position goes with its dates and criteria', async ({
  editor,
}) => {
  const [position] = seed.openings
  const [page] = seed['service-pages']
  // Scores of applications without a position have no entry of their own.
  expect((await editor('DELETE', '/positions/other')).status).toBe(404)
  const named = Object.entries({
    positions: position?.id,
    faq: page?.data.questions[0],
    work: page?.data.work,
    blog: seed.blog[0]?.data.related[0],
  }).filter(([, id]) => id !== undefined)
  for (const [collection, id] of named)
    expect((await editor('DELETE', `/${collection}/${id}`)).status).toBe(200)
  const { data } = (await editor('GET', '/changes')).body
  expect(data.flatMap(({ problems }: Json) => problems)).toEqual([])
  const removed = data.map(({ collection, id }: Json) => `${collection}/${id}`)
  const gone = (['openings', 'hiring'] as const).filter((name) =>
    seed[name].some(({ id }) => id === position?.id),
  )
  const whole = [...named, ...gone.map((collection) => [collection, position?.id])]
  expect(removed.sort()).toEqual(whole.map(([collection, id]) => `${collection}/${id}`).sort())
})

test('an entry names what uses it, and what its removal breaks elsewhere counts at once', async ({
  db,
}) => {
  const [price] = seed['consultation-services']
  const [page] = seed['service-pages']
  if (!price) throw new Error('The content has too few entries')
  const answer = [`It costs {price:${price.id}}.`]
  const more = { label: 'Read on', href: page ? `/services/${page.id}#price` : '/' }
  const data = { question: 'What is it?', answer, category: 'services' as const, more }
  const faq = [...seed.faq, { id: 'own', data }]
  const editor = await as(testApi(db, { content: { ...seed, faq } }), 'editor')
  const own = { collection: 'faq', id: 'own', title: 'What is it?', label: 'Questions' }
  const usedBy = async (path: string) => (await editor('GET', path)).body.data.usedBy
  expect(await usedBy(`/consultation-services/${price.id}`)).toContainEqual(own)
  if (page) {
    expect(await usedBy(`/service-pages/${page.id}`)).toContainEqual(own)
    expect(await usedBy(`/faq/${page.data.questions[0]}`)).toContainEqual(
      expect.objectContaining({ collection: 'service-pages', id: page.id }),
    )
  }
  expect((await editor('GET', '/changes')).body.meta).toEqual({ problems: [] })
  await editor('DELETE', `/consultation-services/${price.id}`)
  expect((await editor('GET', '/changes')).body.meta.problems).toContainEqual({
    collection: 'faq',
    id: 'own',
    path: ['answer', 0],
    message: `There is nothing for {price:${price.id}}.`,
  })
  const rows = (await editor('GET', '/faq')).body.data
  expect(rows.at(-1)).toMatchObject({ id: 'own', state: 'same', problems: 1 })
})

test('each field of a schema has its own title, also where documents share a kind of field', async ({
  editor,
}) => {
  const { properties } = (await editor('GET', '/faq')).body.meta.schema
  expect(properties.question).toMatchObject({ title: 'Question', input: 'line' })
  expect(properties.more.properties.label).toMatchObject({ title: 'Label' })
  const openings = (await editor('GET', '/openings')).body.meta.schema.properties
  expect(openings.closesAt).toMatchObject({ title: 'Closes at', input: 'day' })
  const work = (await editor('GET', '/work')).body.meta.schema.properties
  const result = work.result.anyOf.find((one: { properties?: object }) => one.properties).properties
  // Sentences have room for several lines, also in a case that is not written yet.
  for (const field of [work.situation, work.constraint, result.meaning, result.method])
    expect(field.input, field.title).toBe('text')
  const pages = (await editor('GET', '/service-pages')).body.meta.schema.properties
  expect(pages.work.input).toBe('reference:work')
  expect(pages.questions.items.input).toBe('reference:faq')
  const { plate } = (await editor('GET', '/work')).body.meta.schema.properties
  expect(plate.properties.drawing.input).toBe('picture')
  expect((await editor('GET', '/work')).body.meta.schema.then).toEqual({ required: ['result'] })
})

test('a reviewer may not open the desk, and an unknown collection or entry is a 404', async ({
  api,
}) => {
  const reviewer = await as(api, 'reviewer')
  expect((await reviewer('GET', '')).status).toBe(403)
  const editor = await as(api, 'editor')
  expect((await editor('GET', '/nothing')).status).toBe(404)
  expect((await editor('GET', '/constructor')).status).toBe(404)
  expect((await editor('GET', '/faq/nothing')).status).toBe(404)
  expect((await editor('PUT', '/faq/nothing', { value: {} })).status).toBe(404)
  expect((await editor('DELETE', '/faq/nothing')).status).toBe(404)
  expect((await editor('POST', '/faq/nothing/discard')).status).toBe(404)
  expect((await editor('DELETE', '/faq/%00')).status).toBe(404)
  expect((await editor('POST', '/faq/%00/discard')).status).toBe(404)
  // An unknown entry is a 404 before its fields are judged.
  expect((await editor('PUT', '/faq/nothing', {})).status).toBe(404)
  expect((await editor('POST', '/nothing', { id: 5 })).status).toBe(404)
  expect((await editor('PUT', '/nothing/order', {})).status).toBe(404)
  expect((await editor('POST', '/releases/9/bring-back', { entries: 'x' })).status).toBe(404)
})

test('a draft is kept beside what is published, and discarding it returns to that', async ({
  editor,
}) => {
  const value = { ...question.data, question: 'Is this another question?' }
  const path = `/faq/${question.id}`
  const saved = await editor('PUT', path, { value, version: 0 })
  expect(saved.body.data).toMatchObject({ state: 'changed', version: 1, value })
  expect(saved.body.data.published).toEqual(question.data)
  expect((await editor('GET', '/changes')).body.data).toEqual([
    {
      collection: 'faq',
      id: question.id,
      title: 'Is this another question?',
      state: 'changed',
      fields: [
        {
          path: ['question'],
          label: 'Question',
          from: seed.faq[0]?.data.question,
          to: value.question,
        },
      ],
      problems: [],
    },
  ])
  expect((await editor('GET', '')).body.meta.changed).toBe(1)

  const same = await editor('PUT', path, { value, version: 1 })
  expect(same.body.data.version).toBe(1)
  const back = await editor('POST', `${path}/discard`)
  expect(back.body.data).toMatchObject({ state: 'same', version: 2 })
  expect(back.body.data.value).toEqual(question.data)
  expect((await editor('POST', `${path}/discard`)).status).toBe(200)
  expect((await editor('GET', '/changes')).body.data).toEqual([])
})

test('of two editors the second gets a 409 with what is stored', async ({ api, editor }) => {
  const path = `/faq/${question.id}`
  const mine = { ...question.data, question: 'Mine?' }
  const theirs = { ...question.data, question: 'Theirs?' }
  const answers = await Promise.all(
    [mine, theirs].map((value) => editor('PUT', path, { value, version: 0 })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const lost = answers.find(({ status }) => status === 409)
  const won = answers.find(({ status }) => status === 200)
  expect(lost?.body).toMatchObject({ code: 'conflict', data: { value: won?.body.data.value } })

  // Without a version the last writer wins, and the audit log has it.
  const other = await as(api, 'editor', 'grace')
  const seen = await other('PUT', path, { value: { ...mine, question: 'Seen?' }, version: 1 })
  expect(seen.status).toBe(200)
  await editor('PUT', path, { value: { ...mine, question: 'Unseen?' } })
  await editor('PUT', path, { value: { ...mine, question: 'My own?' } })
  await other('POST', `${path}/discard`)
  const log = await rows(
    api.deps.db,
    sql`select by, fields from events where kind = 'content_replaced' order by id`,
  )
  const fields = [`faq.${question.id}`]
  expect(log).toEqual([
    { by: 'editor', fields },
    { by: 'grace', fields },
  ])
})

test('a draft with problems is stored, and each problem names its field', async ({ editor }) => {
  const value = { ...question.data, question: 'No question mark', answer: [] }
  const { status, body } = await editor('PUT', `/faq/${question.id}`, { value })
  expect(status).toBe(200)
  const paths = body.data.problems.map(({ path }: Json) => path.join('.'))
  expect(paths.sort()).toEqual(['answer', 'question'])
  expect((await editor('GET', '/faq')).body.data[0]).toMatchObject({ problems: 2 })
  const odd = { ...question.data, odd: 1 }
  const stored = await editor('PUT', `/faq/${question.id}`, { value: odd })
  expect(stored.body.data.problems).toMatchObject([{ path: ['odd'] }])
})

test('a line break or an invisible character in a text of one line is a problem', async ({
  editor,
}) => {
  const problemsWith = async (changes: object) => {
    const value = { ...question.data, ...changes }
    return (await editor('PUT', `/faq/${question.id}`, { value })).body.data.problems
  }
  for (const sign of ['\n', '\u200b', '\u202e', '\t']) {
    const [first, ...more] = await problemsWith({ question: `Why${sign}so?` })
    expect([sign, first?.path, more]).toEqual([sign, ['question'], []])
  }
  expect(await problemsWith({ answer: ['One line.\nAnother.'] })).toEqual([])
  expect(await problemsWith({ answer: [' \n '] })).toMatchObject([
    { path: ['answer', 0], message: 'Write a text.' },
  ])
})

test('what cannot be stored is refused: no object, NUL, lone surrogates, deep nesting, 200 KiB', async ({
  api,
}) => {
  const { token } = await signInAs(api.deps, 'editor')
  const put = (value: unknown) => call(api, token, 'PUT', `/faq/${question.id}`, { value })
  for (const value of [null, 'text', [], { a: '\0' }, { a: '\ud800' }, { '\0': 1 }]) {
    const { status, body } = await put(value)
    expect(status).toBe(400)
    expect(body.fields).toHaveProperty('value')
  }
  const deep = `{"value":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`
  const headers = { 'Content-Type': 'application/json' }
  const init = { method: 'PUT', token, body: deep, headers }
  expect((await api.request(`/api/content/faq/${question.id}`, init)).status).toBe(400)
  expect((await put({ question: 'x'.repeat(210_000) })).status).toBe(413)
  expect((await put({ question: 'x'.repeat(300_000) })).status).toBe(413)
})

test('a new entry stands at the end, and is gone when it is discarded or removed', async ({
  editor,
}) => {
  const value = { ...question.data, question: 'What is new here?' }
  const added = await editor('POST', '/faq', { value })
  expect(added.status).toBe(201)
  expect(added.body.data).toMatchObject({
    id: 'what-is-new-here',
    state: 'new',
    published: null,
    version: 1,
  })
  const rows = (await editor('GET', '/faq')).body.data
  expect(rows.at(-1)).toMatchObject({ id: 'what-is-new-here', state: 'new' })
  expect(
    (await editor('POST', '/faq', { id: 'what-is-new-here', value })).body.fields,
  ).toHaveProperty('id')
  expect((await editor('POST', '/faq', { id: question.id })).status).toBe(400)
  for (const id of ['Upper', 'a b', 'order', '../x', '', 'x'.repeat(81)])
    expect((await editor('POST', '/faq', { id })).status).toBe(400)
  expect((await editor('DELETE', '/faq/what-is-new-here')).status).toBe(200)
  expect((await editor('GET', '/faq/what-is-new-here')).status).toBe(404)
  expect((await editor('GET', '/faq')).body.data).toHaveLength(seed.faq.length)
})

test('an entry takes no address that the site or the program has already', async ({ api }) => {
  const superuser = await as(api, 'superuser')
  const reserved = [
    ['work', 'index'],
    ['positions', 'other'],
    ['consultation-services', 'custom'],
    ['legal', 'admin'],
  ] as const
  for (const [collection, id] of reserved.filter(([collection]) => isUsed(seed, collection))) {
    const value = seed[collection][0]?.data
    const { status, body } = await superuser('POST', `/${collection}`, { id, value })
    expect([status, body.fields]).toEqual([400, { id: [expect.stringContaining('another page')] }])
    const added = { ...seed, [collection]: [...seed[collection], { id, data: value }] }
    expect(contentProblems(added)).toContainEqual(
      expect.objectContaining({ collection, id, path: [] }),
    )
  }
  const { body } = await superuser('POST', '/legal', { value: { title: 'Status' } })
  expect(body.data.id).toBe('status-2')
})

test('an entry that leaves the address of another page takes nobody along', () => {
  const [page] = seed.legal
  const withPage = (id: string) =>
    ({ ...seed, legal: [...seed.legal, { id, data: page?.data }] }) as Content
  expect(movedAddresses(withPage('faq'), withPage('questions'), {})).toEqual({})
  expect(movedAddresses(withPage('storage'), withPage('questions'), {})).toEqual({
    '/storage': '/questions',
  })
})

test('an address leads to the entry most like it, also where several change at once', () => {
  const [page] = seed.legal
  const added = (id: string, title: string) => ({ id, data: { ...page?.data, title } })
  const withPages = (...pages: ReturnType<typeof added>[]) =>
    ({ ...seed, legal: [...seed.legal, ...pages] }) as Content
  const before = withPages(added('one', 'One'), added('two', 'Two'))
  expect(
    movedAddresses(before, withPages(added('second', 'Two'), added('first', 'One')), {}),
  ).toEqual({ '/one': '/first', '/two': '/second' })
  expect(
    movedAddresses(before, withPages(added('other', 'Other'), added('one', 'One')), {}),
  ).toEqual({ '/two': '/other' })
})

test('every first part of an address is kept from legal pages', () => {
  const pages = globSync('src/pages/*').map((file) => basename(file, '.astro'))
  const calls = routes.map(({ endpoint }) => endpoint.path.split('/')[1] ?? '')
  const taken = [...pages, ...calls, 'og'].filter((name) => entryId.safeParse(name).success)
  expect(taken.filter((name) => !isReserved('legal', name))).toEqual([])
})

test('a removed entry stays until the next release and can be brought back', async ({ editor }) => {
  const last = seed.faq.at(-1)?.id ?? ''
  expect((await editor('DELETE', `/faq/${last}`)).status).toBe(200)
  const rows = (await editor('GET', '/faq')).body.data
  expect(rows.find(({ id }: Json) => id === last)).toMatchObject({ state: 'removed' })
  expect((await editor('GET', `/faq/${last}`)).body.data.value).toBeNull()
  const back = await editor('POST', `/faq/${last}/discard`)
  expect(back.body.data.state).toBe('same')
})

test('the order is a draft of its own, with a version', async ({ editor }) => {
  const ids = seed.faq.map(({ id }) => id).reverse()
  const ordered = await editor('PUT', '/faq/order', { ids, version: 0 })
  expect(ordered.body.data).toEqual({ ids, version: 1 })
  expect((await editor('GET', '/faq')).body.data.map(({ id }: Json) => id)).toEqual(ids)
  for (const version of [0, 2 ** 31, Number.MAX_SAFE_INTEGER])
    expect((await editor('PUT', '/faq/order', { ids, version })).status).toBe(409)
  expect((await editor('PUT', '/faq/order', { ids: ids.slice(1) })).status).toBe(400)
  expect((await editor('GET', '/changes')).body.data).toMatchObject([
    { collection: 'faq', id: 'order', state: 'changed' },
  ])
  const back = await editor('PUT', '/faq/order', { ids: [...ids].reverse(), version: 1 })
  expect(back.body.data.version).toBe(2)
  expect((await editor('GET', '/changes')).body.data).toEqual([])
})

test('an order ends with the new entry that it moved', async ({ editor }) => {
  await editor('POST', '/faq', { id: 'new-one', value: seed.faq[0]?.data })
  const ids = ['new-one', ...seed.faq.map(({ id }) => id)]
  await editor('PUT', '/faq/order', { ids })
  const names = async () => (await editor('GET', '/changes')).body.data.map(({ id }: Json) => id)
  expect(await names()).toEqual(['new-one', 'order'])
  await editor('DELETE', '/faq/new-one')
  expect(await names()).toEqual([])
})

test('only a superuser changes what belongs to the owner', async ({ api, editor }) => {
  const admin = await as(api, 'admin')
  const value = { ...seed.brand, name: 'Another' }
  expect((await editor('GET', '/brand/brand')).status).toBe(200)
  for (const staff of [editor, admin]) {
    expect((await staff('PUT', '/brand/brand', { value })).status).toBe(403)
    expect((await staff('POST', '/brand/brand/discard')).status).toBe(403)
    // The right is checked before the body is read.
    expect((await staff('PUT', '/brand/brand', '{bad')).status).toBe(403)
    expect((await staff('POST', '/legal', { id: 5 })).status).toBe(403)
    expect((await staff('PUT', '/legal/order', {})).status).toBe(403)
  }
  const superuser = await as(api, 'superuser')
  expect((await superuser('PUT', '/brand/brand', { value })).body.data.state).toBe('changed')
  expect((await superuser('DELETE', '/brand/brand')).status).toBe(400)
})

test('an editor reads a legal page, and only a superuser changes it', async ({ api }) => {
  const [page] = seed.legal
  if (!page) throw new Error('There is no legal page')
  const value = { ...page.data, title: 'Another title' }
  for (const role of ['editor', 'admin'] as const) {
    const staff = await as(api, role)
    expect((await staff('GET', `/legal/${page.id}`)).body.data.value).toEqual(page.data)
    expect((await staff('PUT', `/legal/${page.id}`, { value })).status).toBe(403)
    expect((await staff('POST', '/legal', { id: 'imprint', value })).status).toBe(403)
    expect((await staff('DELETE', `/legal/${page.id}`)).status).toBe(403)
  }
  const superuser = await as(api, 'superuser')
  const saved = await superuser('PUT', `/legal/${page.id}`, { value })
  expect(saved.body.data).toMatchObject({ state: 'changed', problems: [] })
})

test('an article is added with nothing in it yet', async ({ editor }) => {
  const value = { title: '', tags: [], related: [], body: { type: 'doc', content: [] } }
  const added = await editor('POST', '/blog', { value })
  expect(added).toMatchObject({ status: 201, body: { data: { state: 'new' } } })
})

test('the text of an article is a document, whose problems and changes name their block', async ({
  db,
}) => {
  const article = ownArticle('first')
  const api = testApi(db, { content: { ...wholeSite(), blog: [article] } })
  const editor = await as(api, 'editor')
  const { schema } = (await editor('GET', '/blog')).body.meta
  expect(schema.properties.body).toMatchObject({ input: 'richtext', title: 'Text' })
  expect(schema.properties.category.enum).toEqual(seed.pages.blog.categories)

  const { body } = article.data
  const blocks = body.type === 'doc' ? body.content : []
  const added = { type: 'paragraph', content: [{ type: 'text', text: 'This is new.' }] }
  const withBlocks = (content: unknown[]) => ({ ...article.data, body: { type: 'doc', content } })
  const put = (value: unknown) => editor('PUT', '/blog/first', { value })
  const sound = await put(withBlocks([...blocks, added]))
  expect(sound.body.data).toMatchObject({ state: 'changed', problems: [] })
  expect((await editor('GET', '/changes')).body.data[0].fields).toEqual([
    { path: ['body'], label: 'Text', from: '', to: 'This is new.' },
  ])

  const marks = [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }]
  const broken = await put(
    withBlocks([
      { type: 'paragraph', content: [{ type: 'text', text: 'Click', marks }] },
      { type: 'figure', attrs: { src: '/media/ab12' } },
      { type: 'html', text: '<b>no</b>' },
      null,
    ]),
  )
  const paths = broken.body.data.problems.map(({ path }: Json) => path)
  expect(paths).toContainEqual(['body', 'content', 0, 'content', 0, 'marks', 0, 'attrs', 'href'])
  expect(paths).toContainEqual(['body', 'content', 1, 'attrs', 'alt'])
  expect(paths).toContainEqual(['body', 'content', 2, 'type'])
  expect(paths).toContainEqual(['body', 'content', 3])
})

test('publishing is an admin’s, names the release it has seen, and needs a build that can draw', async ({
  api,
}) => {
  const editor = await as(api, 'editor')
  expect((await editor('POST', '/publish', { release: 0 })).status).toBe(403)
  const admin = await as(api, 'admin')
  expect((await admin('POST', '/publish', {})).status).toBe(400)
  const { status, body } = await admin('POST', '/publish', { release: 0 })
  expect(status).toBe(503)
  expect(body.code).toBe('unavailable')
})

test('what waits for a release to be live leaves at once', async ({ api: { deps } }) => {
  let deliveries = 0
  const api = testApi(deps.db, {
    renderer: rendererThat(async () => ({ files: new Map(), problems: [], notices: [] })),
    deliver: async () => {
      deliveries += 1
    },
  })
  const admin = await as(api, 'admin')
  for (const release of [0, 1]) {
    const value = { ...question.data, question: `Is this release ${release}?` }
    await admin('PUT', `/faq/${question.id}`, { value })
    await admin('POST', '/publish', { release })
    await api.settled()
    expect((await admin('GET', '')).body.meta.release).toBe(release + 1)
    expect(deliveries).toBe(release + 1)
  }
  await admin('POST', '/releases/1/show')
  await api.settled()
  expect(deliveries).toBe(3)
})

test('drawing a release may take longer than the call that began it', async ({ api: { deps } }) => {
  const left: number[] = []
  const renderer = rendererThat(async () => {
    left.push(timeLeft())
    return { files: new Map(), problems: [], notices: [] }
  })
  const api = testApi(deps.db, { renderer })
  const admin = await as(api, 'admin')
  const value = { ...question.data, question: 'Is this slow?' }
  await admin('PUT', `/faq/${question.id}`, { value })
  await withTimeLimit(120_000, () => admin('POST', '/publish', { release: 0 }))
  await api.settled()
  expect(left).toEqual([Number.POSITIVE_INFINITY])
})

test('a release is under way while its process lives, and is failed within a minute after that', async ({
  db,
}) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const drawing = Promise.withResolvers<void>()
  const renderer = rendererThat(async () => {
    await drawing.promise
    return { files: new Map(), problems: [], notices: [] }
  })
  const api = testApi(db, { renderer })
  const admin = await as(api, 'admin')
  await admin('POST', '/publish', { release: 0 })
  const state = async () => (await admin('GET', '/releases/1')).body.data.state
  const aMinuteLater = () =>
    rows(
      db,
      sql`update content_releases
        set at = at - interval '1 minute', alive_at = alive_at - interval '1 minute'`,
    )
  await aMinuteLater()
  expect(await state()).toBe('failed')
  await vi.advanceTimersByTimeAsync(15_000)
  await vi.waitUntil(async () => (await state()) === 'drawing')
  expect((await admin('POST', '/publish', { release: 0 })).body.code).toBe('busy')
  vi.clearAllTimers()
  await aMinuteLater()
  expect((await admin('POST', '/publish', { release: 0 })).status).toBe(202)
  drawing.resolve()
  await api.settled()
  expect(await state()).toBe('failed')
  expect((await admin('GET', '')).body.meta).toMatchObject({ release: 2, state: 'live' })
})

const publishChange = async (admin: Awaited<ReturnType<typeof as>>, release: number) => {
  const value = { ...question.data, question: `Is this release ${release}?` }
  await admin('PUT', `/faq/${question.id}`, { value })
  await admin('POST', '/publish', { release })
}

test('releases go live one after another, also when the clock was set back', async ({ db }) => {
  const renderer = rendererThat(async () => ({ files: new Map(), problems: [], notices: [] }))
  const api = testApi(db, { renderer })
  const admin = await as(api, 'admin')
  for (const release of [0, 1, 2]) {
    await publishChange(admin, release)
    await api.settled()
    expect((await admin('GET', '')).body.meta.release).toBe(release + 1)
    await rows(db, sql`update content_releases set live_at = live_at + interval '1 hour'`)
  }
  const { body } = await admin('POST', '/releases/1/show')
  expect(body.data).toMatchObject({ n: 4, state: 'live' })
})

test('an older release is shown at once, and the one that is being drawn then says so', async ({
  db,
}) => {
  const drawing = Promise.withResolvers<void>()
  let draws = 0
  const renderer = rendererThat(async () => {
    draws += 1
    if (draws === 3) await drawing.promise
    return { files: new Map(), problems: [], notices: [] }
  })
  const api = testApi(db, { renderer })
  const admin = await as(api, 'admin')
  for (const release of [0, 1, 2]) {
    await publishChange(admin, release)
    if (release < 2) await api.settled()
  }
  expect((await admin('POST', '/releases/1/show')).body.data).toMatchObject({ n: 4, state: 'live' })
  drawing.resolve()
  await api.settled()
  const { body } = await admin('GET', '/releases/3')
  expect(body.data).toMatchObject({
    state: 'failed',
    problems: [{ message: expect.stringContaining('Another release went live') }],
  })
  const { meta } = (await admin('GET', '')).body
  expect(meta).toMatchObject({ release: 4, changed: 1 })
})

test('a build is asked for when an older release is shown, as when one is published', async ({
  db,
}) => {
  const asked: string[] = []
  const renderer = {
    ...rendererThat(async () => ({ files: new Map(), problems: [], notices: [] })),
    async onLive() {
      asked.push('build')
      // The hook of a build may be slow, and nobody waits for it.
      if (asked.length > 2) await new Promise(() => {})
      throw new Error('The build hook answers 500')
    },
  }
  const api = testApi(db, { renderer })
  const admin = await as(api, 'admin')
  for (const release of [0, 1]) {
    const value = { ...question.data, question: `Is this release ${release}?` }
    await admin('PUT', `/faq/${question.id}`, { value })
    await admin('POST', '/publish', { release })
    await api.settled()
  }
  expect(asked).toHaveLength(2)
  expect((await admin('POST', '/releases/1/show')).status).toBe(200)
  expect(asked).toHaveLength(3)
})

test('a live release that this build cannot draw is told of, and not stored as drawn', async ({
  db,
}) => {
  await rows(
    db,
    sql`insert into content_releases (n, state, documents, changes, moved, live_at)
      values (1, 'published', ${JSON.stringify(seed)}::jsonb, '[]', '{}', now())`,
  )
  onTestFinished(() => setPublished({}))
  let draws = 0
  const renderer = rendererThat(async () => {
    draws += 1
    return { files: new Map(), problems: [{ page: '/faq', message: 'No.' }], notices: [] }
  })
  const log: LogEntry[] = []
  const shows: number[] = []
  const look = followLive({ db, log: (entry) => log.push(entry) }, renderer, ({ size }) =>
    shows.push(size),
  )
  await look()
  await look()
  expect([draws, shows]).toEqual([1, []])
  expect(log).toEqual([
    { level: 'error', event: 'release_not_drawn', release: 1, page: '/faq', message: 'No.' },
  ])
  expect(await rows(db, sql`select 1 from content_sites`)).toEqual([])
})

test('where drawing the live release breaks off, its facts hold all the same, and two more looks try again', async ({
  db,
}) => {
  const documents = { ...seed, brand: { ...seed.brand, name: 'Kestrel' } }
  await rows(
    db,
    sql`insert into content_releases (n, state, documents, changes, moved, live_at)
      values (1, 'published', ${JSON.stringify(documents)}::jsonb, '[]', '{}', now())`,
  )
  onTestFinished(() => setPublished({}))
  let draws = 0
  const renderer = rendererThat(async () => {
    draws += 1
    throw new Error('The renderer has ended')
  })
  const log: LogEntry[] = []
  const shows: number[] = []
  const look = followLive({ db, log: (entry) => log.push(entry) }, renderer, ({ size }) =>
    shows.push(size),
  )
  expect(await look()).toBe(false)
  expect(content().brand.name).toBe('Kestrel')
  for (let n = 0; n < 4; n += 1) await look()
  expect([draws, shows]).toEqual([3, []])
  const message = 'Error: The renderer has ended'
  const line = { level: 'error', event: 'release_not_drawn', release: 1, message }
  expect(log).toEqual([line, line, line])
})

test('a link to a preview ends when its maker may not edit any more', async ({ api: { deps } }) => {
  const renderer = {
    build: 'test',
    draw: async () => ({ files: new Map(), problems: [], notices: [] }),
    redirects: () => '',
    preview: async ({ faq, blog }: Content, path: string) => {
      const isBroken = faq.some(({ id }) => id === 'broken')
      const isThere = path === '/faq' || blog.some(({ id }) => path === `/blog/${id}`)
      return { status: isBroken ? 500 : isThere ? 200 : 404, html: 'Draft', csp: '' }
    },
  }
  const api = testApi(deps.db, { renderer, content: wholeSite() })
  const boss = await signInAs(api.deps, 'superuser')
  const end = {
    demoted: { method: 'PUT', body: { role: 'reviewer' } },
    deleted: { method: 'DELETE' },
  }
  for (const [username, request] of Object.entries(end)) {
    const { id, token } = await signInAs(api.deps, 'editor', username)
    const { body } = await call(api, token, 'POST', '/preview/link', { path: '/faq' })
    const { pathname } = new URL(body.data.url)
    expect((await api.request(pathname)).status).toBe(200)
    await api.request(`/api/users/${id}`, { ...request, token: boss.token })
    const ended = await api.request(pathname)
    expect([ended.status, await ended.text()]).toEqual([404, expect.stringMatching(/has ended/)])
  }
  const editor = await as(api, 'editor', 'grace')
  expect((await editor('GET', '/preview?path=/nowhere')).status).toBe(404)
  for (const path of ['/faq/', '/faq?x=1', '/faq/?x=/y/', '/faq#first']) {
    const shown = `/api/content/preview?path=${encodeURIComponent(path)}`
    expect((await api.request(shown, { token: boss.token })).status, path).toBe(200)
  }
  await editor('POST', '/faq', { id: 'broken' })
  const undrawn = await editor('GET', '/preview?path=/nowhere')
  expect(undrawn).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/cannot be drawn yet/) },
  })
  // The desk shows the reason in its frame.
  const link = (await editor('POST', '/preview/link', { path: '/nowhere' })).body.data.url
  const { status, headers } = await api.request(new URL(link).pathname)
  expect([status, headers.get('X-Frame-Options')]).toEqual([400, 'SAMEORIGIN'])
  expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'self'")
  // What another draft lacks does not hide the draft of this page.
  await editor('POST', '/blog', { id: 'unfinished' })
  const kept = (await editor('POST', '/preview/link', { path: '/blog/unfinished' })).body.data.url
  expect((await api.request(new URL(kept).pathname)).status).toBe(200)
  // A draft of the brand may switch the part off.
  await call(api, boss.token, 'PUT', '/brand/brand', {
    value: { ...seed.brand, features: { blog: false, careers: true, work: true, plan: true } },
  })
  expect((await api.request(new URL(kept).pathname)).status).toBe(404)
  await call(api, boss.token, 'PUT', '/brand/brand', { value: { ...seed.brand, features: null } })
  expect((await api.request(new URL(kept).pathname)).status).toBe(200)
})

test('a link to a preview takes no path that cannot be stored', async ({ db }) => {
  const renderer = rendererThat(async () => ({ files: new Map(), problems: [], notices: [] }))
  const editor = await as(testApi(db, { renderer }), 'editor')
  for (const path of ['/\0', '/\ud800', '//faq', 'faq', '', `/${'x'.repeat(2_048)}`, null]) {
    const { status, body } = await editor('POST', '/preview/link', { path })
    expect([path, status, body.fields]).toEqual([path, 400, { path: [expect.any(String)] }])
  }
  expect((await editor('GET', '/preview?path=/%00')).status).toBe(400)
  expect((await editor('POST', '/preview/link', { path: '/faq' })).status).toBe(201)
})

test('the content of the files has no problems', () => {
  expect(contentProblems(seed)).toEqual([])
})

test('a release that an earlier version stored is shown with what this one asks for beside', async ({
  api,
  db,
}) => {
  const { faq, plan: _, ...documents } = structuredClone(seed)
  const [first, ...others] = faq
  const own = seed.positions.slice(0, 1).map(({ data }) => ({ id: 'own', data }))
  const lacking = {
    ...documents,
    positions: [
      ...seed.positions,
      ...own.map(({ id, data }) => ({ id, data: { ...data, employment: undefined } })),
    ],
    brand: { ...seed.brand, name: 'Kestrel', claim: undefined },
    faq: [{ ...first, data: { ...first?.data, question: 'Mine?', answer: undefined } }],
  }
  await rows(
    db,
    sql`insert into content_releases (n, state, documents, changes, moved, live_at)
      values (1, 'published', ${JSON.stringify(lacking)}::jsonb, '[]', '{}', now())`,
  )
  expect(others.length).toBeGreaterThan(0)
  await followLive({ db, log: () => {} }, undefined, () => {})()
  onTestFinished(() => setPublished({}))
  expect(contentProblems(content())).toEqual([])
  const { brand, faq: shown, plan, positions } = content()
  expect(positions).toEqual([...seed.positions, ...own])
  expect(brand).toEqual({ ...seed.brand, name: 'Kestrel' })
  expect(shown).toEqual([{ id: first?.id, data: { ...first?.data, question: 'Mine?' } }])
  expect(plan).toEqual(seed.plan)
  const editor = await as(api, 'editor')
  const path = `/faq/${first?.id}`
  expect((await editor('GET', path)).body.data).toMatchObject({ problems: [] })
  // The texts of the files can be brought back from before the first release.
  const back = await editor('POST', '/releases/0/bring-back', {
    entries: [{ collection: 'faq', id: first?.id }],
  })
  expect(back.body.data.changed).toEqual([{ collection: 'faq', id: first?.id }])
  expect((await editor('GET', path)).body.data).toMatchObject({
    state: 'changed',
    value: first?.data,
  })
})

test('bringing back a release ends the drafts of texts that are published as they were then', async ({
  editor,
}) => {
  const [first, second] = seed.faq
  const path = `/faq/${first?.id}`
  const edit = (id: string | undefined, data: object) =>
    editor('PUT', `/faq/${id}`, { value: { ...data, question: 'Another?' } })
  await edit(first?.id, first?.data ?? {})
  await edit(second?.id, second?.data ?? {})
  await editor('POST', '/faq', { id: 'mine', value: first?.data })
  const entries = [{ collection: 'faq', id: first?.id }]
  const one = await editor('POST', '/releases/0/bring-back', { entries })
  expect(one.body.data.changed).toEqual(entries)
  expect((await editor('GET', path)).body.data).toMatchObject({ state: 'same', value: first?.data })
  const all = await editor('POST', '/releases/0/bring-back')
  expect(all.body.data.changed).toEqual([{ collection: 'faq', id: second?.id }])
  // An entry that was never published has no earlier text.
  expect((await editor('GET', '/faq/mine')).body.data.state).toBe('new')
})

test('an opening is listed by the title of its position, and both say whether it is open', async ({
  editor,
}) => {
  const [position] = seed.positions
  const rows = (await editor('GET', '/openings')).body.data
  expect(rows.find(({ id }: Json) => id === position?.id).title).toBe(position?.data.title)
  if (!position) return
  const note = async (collection: string) =>
    (await editor('GET', `/${collection}`)).body.data.find(({ id }: Json) => id === position.id)
      .note
  for (const [open, words] of [
    [true, 'Open'],
    [false, 'Closed'],
  ] as const) {
    await editor('PUT', `/openings/${position.id}`, { value: { open } })
    expect([await note('positions'), await note('openings')]).toEqual([words, words])
  }
})

test('an entry whose title is emptied keeps its published title in lists and changes', async ({
  editor,
}) => {
  const [position] = seed.positions
  if (!position) throw new Error('The content has no position')
  const { id, data } = position
  await editor('PUT', `/positions/${id}`, { value: { ...data, title: '' } })
  const rows = (await editor('GET', '/positions')).body.data
  expect(rows.find((row: Json) => row.id === id).title).toBe(data.title)
  const changes = (await editor('GET', '/changes')).body.data
  expect(changes.find(({ collection }: Json) => collection === 'positions').title).toBe(data.title)
})

test('a service is listed with its price, a quote with whose it is, also in drafts that are wrong', async ({
  api,
}) => {
  const owner = await as(api, 'superuser')
  const noteOf = async (collection: string, id: string) =>
    (await owner('GET', `/${collection}`)).body.data.find((row: Json) => row.id === id).note
  const service = seed['consultation-services'][0]
  if (!service) throw new Error('The content has no service to book')
  const quote = { id: 'florist', data: { name: 'Owner', role: 'florist', quote: 'It works.' } }
  await owner('POST', '/testimonials', { id: quote.id, value: quote.data })
  const path = `/consultation-services/${service.id}`
  await owner('PUT', path, { value: { ...service.data, monthly: 450, once: undefined } })
  await owner('PUT', '/brand', { value: { ...seed.brand, currency: 'none' } })
  expect(await noteOf('consultation-services', service.id)).toBe(
    `${money(seed.brand, 450)} a month`,
  )
  await owner('PUT', path, { value: { ...service.data, monthly: 450, once: true } })
  expect(await noteOf('consultation-services', service.id)).toBe(money(seed.brand, 450))
  await owner('PUT', path, { value: { ...service.data, monthly: undefined } })
  expect(await noteOf('consultation-services', service.id)).toBe('Free')
  expect(await noteOf('testimonials', quote.id)).toBe(quote.data.role)
  await owner('PUT', `/testimonials/${quote.id}`, { value: { ...quote.data, role: 7 } })
  expect(await noteOf('testimonials', quote.id)).toBe(null)
})

test('a draft of the pages that lacks the categories leaves articles those that are published', async ({
  editor,
}) => {
  for (const value of [{}, { ...seed.pages, blog: { ...seed.pages.blog, categories: 'none' } }]) {
    await editor('PUT', '/pages/pages', { value })
    const { status, body } = await editor('GET', '/blog')
    expect([status, body.meta?.schema.properties.category.enum]).toEqual([
      200,
      seed.pages.blog.categories,
    ])
  }
})

test('what is no text is no title', async ({ editor }) => {
  const [position] = seed.positions
  if (!position) throw new Error('The content has no position')
  await editor('PUT', `/openings/${position.id}`, { value: { open: true } })
  await editor('PUT', `/positions/${position.id}`, { value: { ...position.data, title: { a: 1 } } })
  const rows = (await editor('GET', '/openings')).body.data
  expect(rows.find(({ id }: Json) => id === position.id).title).toEqual(expect.any(String))
})

test('a draft of thousands of wrong values is shown with its first hundred problems', async ({
  editor,
}) => {
  const path = `/faq/${question.id}`
  const put = (length: number) =>
    editor('PUT', path, { value: { ...question.data, answer: Array(length).fill(0) } })
  const { status, body } = await put(20_000)
  expect(status).toBe(200)
  expect(body.data.problems).toHaveLength(100)
  expect((await put(30_000)).body.fields).toHaveProperty('value')
})

test('an image is asked for by its hash alone', async ({ api }) => {
  for (const hash of ['%00', 'x', 'A'.repeat(64), '0'.repeat(64)])
    expect((await api.request(`/media/${hash}`)).status).toBe(404)
})
