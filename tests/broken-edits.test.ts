import { expect, onTestFinished } from 'vitest'
import type { Content } from '#contract/content/collections.ts'
import { startRenderer } from '#host/render-process.ts'
import { signInAs } from '#server/auth/testing.ts'
import { test } from '#server/db/testing.ts'
import { testApi } from '#server/testing.ts'
import { content } from '#site/content.ts'

/** Edits that would break the site: none goes live, and each is named by its entry and field. */

// biome-ignore lint/suspicious/noExplicitAny: documents are changed as an editor does, whatever they hold
type Json = any

interface Edit {
  what: string
  collection: string
  /** The first entry of a list, where it is left out. */
  id?: string
  change: (value: Json) => void
  /** The path of the field that shows the problem. */
  at: (string | number)[]
}

const edit = (
  what: string,
  collection: string,
  at: (string | number)[],
  change: (value: Json) => void,
  id?: string,
): Edit => ({ what, collection, at, change, ...(id ? { id } : {}) })

const aCase = content().work.find(({ data }) => data.kind === 'case')?.id
const dated = content().work.find(({ data }) => typeof data.result === 'object')?.id
const long = 'x'.repeat(90)

/** Found in the document, before anything is drawn. */
const inDocuments: Edit[] = [
  edit('a question without words', 'faq', ['question'], (value) => {
    value.question = ''
  }),
  edit('a question that asks nothing', 'faq', ['question'], (value) => {
    value.question = 'Prices'
  }),
  edit('a script in a question', 'faq', ['question'], (value) => {
    value.question = '<script>alert(1)</script>?'
  }),
  edit('a script in another spelling', 'faq', ['answer', 0], (value) => {
    value.answer[0] = '<ScRiPt src=//evil.test>'
  }),
  edit('an address that runs a script', 'faq', ['answer', 0], (value) => {
    value.answer[0] = 'JavaScript:alert(1)'
  }),
  edit('a control character', 'faq', ['answer', 0], (value) => {
    value.answer[0] = 'a\u0007b'
  }),
  edit('no answer', 'faq', ['answer'], (value) => {
    value.answer = []
  }),
  edit('an unknown category', 'faq', ['category'], (value) => {
    value.category = 'weather'
  }),
  edit('a link to elsewhere where only pages are linked', 'faq', ['more', 'href'], (value) => {
    value.more = { label: 'More', href: 'https://elsewhere.test' }
  }),
  edit('a link without a protocol', 'faq', ['more', 'href'], (value) => {
    value.more = { label: 'More', href: '//elsewhere.test' }
  }),
  edit('a path that browsers read as another host', 'faq', ['more', 'href'], (value) => {
    value.more = { label: 'More', href: '/\\elsewhere.test' }
  }),
  edit('a path that holds a script', 'faq', ['more', 'href'], (value) => {
    value.more = { label: 'Read on', href: '/faq?<script>' }
  }),
  edit('a path with a control character', 'faq', ['more', 'href'], (value) => {
    value.more = { label: 'Read on', href: '/faq?\u0007' }
  }),
  edit('a link without words', 'faq', ['more', 'label'], (value) => {
    value.more = { href: '/about' }
  }),
  edit('a field that does not exist', 'faq', [], (value) => {
    value.colour = 'red'
  }),
  edit('the price of a service that does not exist', 'faq', ['answer', 0], (value) => {
    value.answer[0] = 'It costs {price:gold-package}.'
  }),
  edit('a title of 90 characters', 'work', ['title'], (value) => {
    value.title = long
  }),
  edit('a description of one word', 'work', ['description'], (value) => {
    value.description = 'Short'
  }),
  edit('a description of 180 characters', 'work', ['description'], (value) => {
    value.description = long + long
  }),
  edit('no technologies', 'work', ['technologies'], (value) => {
    value.technologies = []
  }),
  edit('no decisions', 'work', ['decisions'], (value) => {
    value.decisions = []
  }),
  edit('four decisions', 'work', ['decisions'], (value) => {
    value.decisions = Array.from({ length: 4 }, () => value.decisions[0])
  }),
  edit('a live address that runs a script', 'work', ['live'], (value) => {
    value.live = 'javascript:alert(1)'
  }),
  edit('a position’s title of 90 characters', 'positions', ['title'], (value) => {
    value.title = long
  }),
  edit('no duties', 'positions', ['duties'], (value) => {
    value.duties = []
  }),
  edit('an empty requirement', 'positions', ['requirements', 0], (value) => {
    value.requirements[0] = ''
  }),
  edit('a day that does not exist', 'positions', ['posted'], (value) => {
    value.posted = '2026-02-30'
  }),
  edit('closing before opening', 'openings', ['closesAt'], (value) => {
    Object.assign(value, { opensAt: '2027-02-01', closesAt: '2027-01-01' })
  }),
  edit('a switch that says yes', 'openings', ['open'], (value) => {
    value.open = 'yes'
  }),
  edit('no criteria', 'hiring', ['criteria'], (value) => {
    value.criteria = []
  }),
  edit('two criteria with one key', 'hiring', ['criteria'], (value) => {
    value.criteria[1].key = value.criteria[0].key
  }),
  edit('three anchors of four', 'hiring', ['criteria', 0, 'anchors'], (value) => {
    value.criteria[0].anchors.pop()
  }),
  edit('no features', 'services', ['features'], (value) => {
    value.features = []
  }),
  edit('a question that does not exist', 'service-pages', ['questions', 0], (value) => {
    value.questions[0] = 'no-such-question'
  }),
  edit('no questions', 'service-pages', ['questions'], (value) => {
    value.questions = []
  }),
  edit('a case that does not exist', 'service-pages', ['work'], (value) => {
    value.work = 'no-such-case'
  }),
  edit('a service that does not exist', 'home-services', ['service'], (value) => {
    value.service = 'no-such-service'
  }),
  edit('a price in words', 'consultation-services', ['monthly'], (value) => {
    value.monthly = 'much'
  }),
  edit('a negative price', 'consultation-services', ['monthly'], (value) => {
    value.monthly = -5
  }),
  edit('a colour by name', 'brand', ['accent'], (value) => {
    value.accent = 'red'
  }),
  edit('a time zone of another planet', 'brand', ['zone'], (value) => {
    value.zone = 'Mars/Base'
  }),
  edit('an offset in place of a time zone', 'brand', ['zone'], (value) => {
    value.zone = '+05:30'
  }),
  edit('a mark that is no path', 'brand', ['mark'], (value) => {
    value.mark = 'M0 0"/><script>'
  }),
  edit('an e-mail without a domain', 'brand', ['contact', 'email'], (value) => {
    value.contact.email = 'hello'
  }),
  edit('a profile that runs a script', 'brand', ['social', 0, 'href'], (value) => {
    value.social = [{ label: 'A profile', href: 'javascript:alert(1)' }]
  }),
  edit('a profile with a control character', 'brand', ['social', 0, 'href'], (value) => {
    value.social = [{ label: 'Here', href: 'https://example.com/\u0007' }]
  }),
  edit('a phone number that holds a script', 'brand', ['contact', 'phone', 'href'], (value) => {
    value.contact.phone.href = 'tel:<script>'
  }),
  edit('no week', 'company', ['week'], (value) => {
    value.week = []
  }),
  edit('a page without a title', 'pages', ['faq', 'title'], (value) => {
    value.faq.title = ''
  }),
  edit('a count of what is no list', 'pages', ['faq', 'description'], (value) => {
    value.faq.description =
      'There are {count:clouds} answers to what people ask us before they begin.'
  }),
  edit('a scope of a service that does not exist', 'plan', ['scopes'], (value) => {
    Object.values<Json>(value.scopes)[0].service = 'no-such-service'
  }),
  edit('a picture that does not exist', 'blog', ['hero'], (value) => {
    value.hero = `/media/${'0'.repeat(64)}`
  }),
  edit('a picture outside the uploaded ones', 'blog', ['hero'], (value) => {
    value.hero = '/media/..'
  }),
  edit('a quote without words', 'testimonials', ['quote'], (value) => delete value.quote),
  ...(aCase
    ? [edit('a case without a result', 'work', ['result'], (value) => delete value.result, aCase)]
    : []),
  ...(dated
    ? [
        edit(
          'a result on no day',
          'work',
          ['result'],
          (value) => {
            value.result.date = 'yesterday'
          },
          dated,
        ),
      ]
    : []),
]

/** A site may have no case, quote or page of a service. */
const isThere = ({ collection }: Edit): boolean => {
  const documents: unknown = content()[collection as keyof Content]
  return !Array.isArray(documents) || documents.length > 0
}

/** Found on the drawn pages. */
const onPages: Edit[] = [
  edit('a dead link', 'faq', ['more', 'href'], (value) => {
    value.more = { label: 'Read on', href: '/nowhere' }
  }),
  edit(
    'a missing anchor',
    'faq',
    ['more', 'href'],
    (value) => {
      value.more = { label: 'Read on', href: '/about#nowhere' }
    },
    content().faq[1]?.id,
  ),
  edit(
    'an anchor that cannot be decoded',
    'faq',
    ['more', 'href'],
    (value) => {
      value.more = { label: 'Read on', href: '/about#%zz' }
    },
    content().faq[2]?.id,
  ),
  edit('a title twice', 'positions', ['title'], (value) => {
    value.title = content().positions[1]?.data.title
  }),
]

/** Keeps its page from being drawn. */
const undrawable: Edit[] = [
  edit('a drawing that does not exist', 'services', ['drawing'], (value) => {
    value.drawing = 'no-such-drawing'
  }),
]

test('of all broken edits none goes live, and each is named by its entry and field', async ({
  db,
}) => {
  const renderer = startRenderer('http://127.0.0.1:4321')
  if (!renderer) throw new Error('The site is not built')
  onTestFinished(renderer.stop)
  const api = testApi(db, { renderer })
  const { token } = await signInAs(api.deps, 'superuser')
  const call = async (method: string, path: string, body?: unknown): Promise<Json> =>
    (await api.request(`/api/content${path}`, { method, token, body })).json()
  const open = async ({ collection, id }: Edit) => {
    const { data } = await call('GET', `/${collection}`)
    return `/${collection}/${id ?? data[0].id}`
  }
  const apply = async (one: Edit): Promise<string> => {
    const path = await open(one)
    const { data } = await call('GET', path)
    const value = structuredClone(data.value)
    one.change(value)
    await call('PUT', path, { value })
    return path
  }
  const names = (problems: Json[], { collection, at }: Edit, path: string) =>
    problems.some(
      (problem) =>
        problem.collection === collection &&
        path.endsWith(`/${problem.id}`) &&
        at.every((key, index) => problem.path[index] === key),
    )

  const unnamed: string[] = []
  const tried = inDocuments.filter(isThere)
  for (const one of tried) {
    const path = await apply(one)
    const answer = await call('POST', '/publish', { release: 0 })
    const isNamed = answer.code === 'invalid' && names(answer.data.problems, one, path)
    if (!isNamed) unnamed.push(`${one.what}: ${JSON.stringify(answer.data ?? answer.code)}`)
    await api.settled()
    await call('POST', `${path}/discard`)
  }
  expect(unnamed).toEqual([])
  for (const group of [onPages, undrawable]) {
    const paths = await Promise.all(group.map(apply))
    const { data } = await call('POST', '/publish', { release: 0 })
    await api.settled()
    const { problems, state } = data.n ? (await call('GET', `/releases/${data.n}`)).data : data
    expect(state ?? 'failed').toBe('failed')
    for (const [index, one] of group.entries())
      if (!names(problems, one, paths[index] ?? ''))
        unnamed.push(`${one.what}: ${JSON.stringify(problems)}`)
    for (const path of paths) await call('POST', `${path}/discard`)
  }
  expect(unnamed).toEqual([])
  expect(tried.length).toBeGreaterThan(30)
  expect((await call('GET', '')).meta).toMatchObject({ release: 0, changed: 0 })
})
