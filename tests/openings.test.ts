import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'node-html-parser'
import { expect, test } from 'vitest'
import type { ListName } from '#contract/content/collections.ts'
import { entries } from '#site/content.ts'
import { buildCopy, keepPages } from '#tests/build-copy.ts'

/** A case as an owner adds one: a copy of a study with a result, without a drawing. */
const ownCase = () => {
  const { plate: _, ...study } = entries('work').find(({ data }) => data.plate)?.data ?? {}
  return {
    id: 'bakery',
    ...study,
    kind: 'case',
    title: 'A bakery’s site',
    result: {
      figure: '1.2 s',
      meaning: 'until the page can be read.',
      date: '2026-11-01',
      method: 'On a phone.',
    },
  }
}

const files = (name: ListName) => entries(name).map(({ id, data }) => ({ id, ...data }))

/** Builds pages of a copy of the site with other openings and one more case, and returns their folder. */
const buildWith = (openings: object): Promise<string> =>
  buildCopy((root) => {
    keepPages(root, 'careers', 'work')
    const write = (name: ListName, list: object[]) =>
      writeFileSync(join(root, `src/content/${name}.json`), JSON.stringify(list))
    write(
      'openings',
      Object.entries(openings).map(([id, data]) => ({ id, ...data })),
    )
    write('work', [...files('work'), ownCase()])
  }).then(({ dist }) => dist)

let built: Promise<string> | undefined

/** Built once for all tests here. */
const readPages = async () => {
  built ??= buildWith({
    'frontend-intern': { open: true, closesAt: '2999-01-31' },
    'ui-ux-intern': { open: true, opensAt: '2999-02-01' },
    'backend-intern': { open: false },
    'digital-marketing-intern': { open: true, closesAt: '2020-01-31' },
  })
  const dist = await built
  return (path: string) => parse(readFileSync(join(dist, `${path}.html`), 'utf8'))
}

test('a case without a drawing is listed with its own name and figure', async () => {
  const page = await readPages()
  expect(page('work/bakery').querySelector('time')?.getAttribute('datetime')).toBe('2026-11-01')
  const teaser = page('work').querySelector('a[href="/work/bakery"]')
  expect(teaser?.querySelector('h2')?.text).toBe('A bakery’s site')
  expect(teaser?.querySelector('strong')?.text).toBe('1.2 s')
  expect(page('work').querySelector('a[href="/work/this-site"] h2')?.text).toBe(
    'This site, measured',
  )
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
  expect(state('frontend-intern')).toEqual({
    board: 'Open until January 31, 2999',
    apply: true,
    brief: true,
    form: true,
    validThrough: '2999-02-01T00:00:00.000Z',
  })
  expect(state('ui-ux-intern')).toEqual({ ...shut, board: 'Opens on February 1, 2999' })
  expect(page('apply/ui-ux-intern').querySelector('h1 ~ .intro')?.text).toBe(
    'UI/UX Design Intern: opens on February 1, 2999',
  )
  for (const id of ['backend-intern', 'digital-marketing-intern']) {
    expect(state(id)).toEqual({ ...shut, board: 'Not taking applications at the moment' })
  }
  expect(page('apply/other').querySelector('form')).not.toBeNull()
})
