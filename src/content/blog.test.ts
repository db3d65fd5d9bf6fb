import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('./blog/', import.meta.url)
const articles = readdirSync(folder)
  .filter((file) => file.endsWith('.mdx'))
  .map((file) => {
    const [, head = '', ...rest] = readFileSync(new URL(file, folder), 'utf8').split(/^---$/m)
    return { slug: file.replace('.mdx', ''), head, body: rest.join('---') }
  })
const slugs = articles.map(({ slug }) => slug)

const field = (head: string, name: string) =>
  new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(head)?.[1] ?? ''

const list = (head: string, name: string) =>
  field(head, name)
    .replace(/[[\]]/g, '')
    .split(',')
    .map((item) => item.trim())

const fence = /^```[\s\S]*?^```$/gm

const words = (text: string) =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** What a reader reads: sentences, headings, captions and tables, without the markup that holds them. */
const prose = (body: string) =>
  body
    .replace(fence, '')
    .replace(/^import .*$/gm, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/<\/?[A-Z]\w*|\/>|\w+=(?=[{"'])|\b(name|note|mark|true): ?/g, ' ')

test.each(articles)('$slug has the length its read time promises', ({ head, body }) => {
  const minutes = Number(field(head, 'readTime'))
  const code = (body.match(fence) ?? []).join('\n')
  const read = words(prose(body))
  expect(read / minutes, 'without its code').toBeGreaterThanOrEqual(200)
  expect((read + words(code)) / minutes, 'with its code').toBeLessThanOrEqual(240)
})

test.each(articles)('$slug leads on to two other articles', ({ slug, head }) => {
  const related = list(head, 'related')
  expect(new Set(related).size).toBe(2)
  expect(related).not.toContain(slug)
  for (const other of related) expect(slugs).toContain(other)
})

test.each(articles)('$slug has the drawing it names', ({ head }) => {
  const drawing = new URL(`../drawings/articles/${field(head, 'hero')}.svg`, import.meta.url)
  expect(existsSync(drawing)).toBe(true)
})

test.each(articles)('$slug starts its sections at the second level', ({ body }) => {
  expect(body.replace(fence, '')).not.toMatch(/^# /m)
})

test('one article is featured', () => {
  expect(articles.filter(({ head }) => field(head, 'featured') === 'true')).toHaveLength(1)
})

test('every category has an article', () => {
  expect(new Set(articles.map(({ head }) => field(head, 'category')))).toEqual(
    new Set(['Web Development', 'Design', 'Student Tips', 'Startup Growth']),
  )
})
