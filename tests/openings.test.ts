import { parse } from 'node-html-parser'
import { expect, test } from 'vitest'
import type { Content } from '#contract/content/collections.ts'
import { content, entries } from '#site/content.ts'
import { openBuild } from '#site/publish/draw.ts'

/** A case as an owner adds one, without a drawing. */
const ownCase = {
  id: 'bakery',
  data: {
    kind: 'case',
    title: 'A bakery’s site',
    description:
      'A bakery takes orders for Saturday on a page that opens on any phone, and bakes what was ordered.',
    intro: 'People ordered by phone while others stood in the shop.',
    summary: 'Orders for Saturday, on any phone.',
    category: 'web',
    technologies: ['HTML'],
    for: 'A bakery',
    what: 'A page with a form',
    situation: 'Bread was left on Saturdays.',
    constraint: 'Nobody in the shop has time for a computer.',
    decisions: [{ title: 'One form', text: 'It asks for three facts.', cost: 'no accounts.' }],
    result: {
      figure: '1.2 s',
      meaning: 'until the page can be read.',
      date: '2026-11-01',
      method: 'On a phone.',
    },
  },
}

const openings = {
  open: { open: true, closesAt: '2999-01-31' },
  upcoming: { open: true, opensAt: '2999-02-01' },
  closed: { open: false },
  past: { open: true, closesAt: '2020-01-31' },
}

/** The pages of a site with these openings and one more case, drawn by the build's bundle. */
const drawSite = async () => {
  const build = await openBuild(process.cwd())
  const own = content()
  const [position] = own.positions
  const drawn = await build.drawPages('https://site.test', {
    ...own,
    positions: Object.keys(openings).map((id) => ({
      id,
      data: {
        ...(position?.data as (typeof own.positions)[number]['data']),
        title: `The ${id} one`,
      },
    })),
    openings: Object.entries(openings).map(([id, data]) => ({ id, data })),
    hiring: own.hiring.filter(({ id }) => id === 'other'),
    work: [...own.work, ownCase],
    brand: { ...own.brand, features: { ...own.brand.features, careers: true, work: true } },
  } as Content)
  return new Map(drawn.map(({ file, body }) => [file, body]))
}

let drawing: ReturnType<typeof drawSite> | undefined

/** Drawn once for all tests here. */
const readPages = async () => {
  drawing ??= drawSite()
  const pages = await drawing
  return (path: string) => parse(pages.get(`${path}.html`) ?? '')
}

test('a case without a drawing is listed with its own name and figure, beside the others', async () => {
  const page = await readPages()
  expect(page('work/bakery').querySelector('time')?.getAttribute('datetime')).toBe('2026-11-01')
  const teaser = page('work').querySelector('a[href="/work/bakery"]')
  expect(teaser?.querySelector('h2')?.text).toBe('A bakery’s site')
  expect(teaser?.querySelector('strong')?.text).toBe('1.2 s')
  for (const { id, data } of entries('work').filter(({ data }) => data.kind === 'case'))
    expect(page('work').querySelector(`a[href="/work/${id}"] h2`)?.text).toBe(data.title)
})

test('a closed position keeps its page without a form; an end date is in the job posting', async () => {
  const page = await readPages()
  const board = page('careers')
  const state = (id: string) => {
    const brief = page(`careers/${id}`)
    const form = page(`apply/${id}`)
    const description = brief.querySelector('meta[name=description]')?.getAttribute('content')
    expect(description, 'ends with its sentence').toMatch(/\.$/)
    const graph = JSON.parse(brief.querySelector('script[type="application/ld+json"]')?.text ?? '')
    return {
      board: board.querySelector(`li#${id} .meta`)?.text.trim(),
      apply: board.querySelector(`li#${id} a[href="/apply?position=${id}"]`) !== null,
      brief: brief.querySelector(`main a[href="/apply?position=${id}"]`) !== null,
      form: form.querySelector('form') !== null,
      validThrough: graph['@graph'].find(
        (node: Record<string, unknown>) => node['@type'] === 'JobPosting',
      )?.validThrough,
    }
  }
  const shut = { apply: false, brief: false, form: false, validThrough: undefined }
  expect(state('open')).toEqual({
    board: 'Open until January 31, 2999',
    apply: true,
    brief: true,
    form: true,
    validThrough: '2999-02-01T00:00:00.000Z',
  })
  expect(state('upcoming')).toEqual({ ...shut, board: 'Opens on February 1, 2999' })
  expect(page('apply/upcoming').querySelector('h1 ~ .intro')?.text).toBe(
    'The upcoming one: opens on February 1, 2999',
  )
  for (const id of ['closed', 'past']) {
    expect(state(id)).toEqual({ ...shut, board: 'Not taking applications at the moment' })
  }
  expect(page('apply/other').querySelector('form')).not.toBeNull()
})
