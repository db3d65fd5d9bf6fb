import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPages } from '#site/build/pages.ts'
import { withIntegrity } from './integrity.ts'

const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
const source = {
  '/_astro/home.js': 'import"./shared.js";const later=()=>import("./lazy.js")',
  '/_astro/shared.js': 'shared()',
  '/_astro/lazy.js': 'const map=["_astro/deep.js"]',
  '/_astro/deep.js': 'deep()',
  '/_astro/form.js': 'form()',
  '/_astro/elsewhere.js': 'elsewhere()',
}
const files = new Map(Object.entries(source))

const mapIn = (html: string): Record<string, string> =>
  JSON.parse(/<script type="importmap">(.*?)<\/script>/.exec(html)?.[1] ?? '{"integrity":{}}')
    .integrity

test('a script element that loads a file gets the hash of its content; inline blocks stay', () => {
  const html = '<script>a()</script><script type="module" src="/_astro/form.js"></script>'
  expect(withIntegrity(html, files)).toContain(
    `<script type="module" src="/_astro/form.js" integrity="${hash('form()')}"></script>`,
  )
  expect(withIntegrity('<script>a()</script>', files)).toBe('<script>a()</script>')
})

test('modules that scripts and islands import have their hashes in a map before the first of them', () => {
  const html =
    '<p>Text</p><script>url.set("astro-retry",Date.now().toString())</script>' +
    '<astro-island component-url="/_astro/form.js" renderer-url="/_astro/home.js"></astro-island>'
  const sealed = withIntegrity(html, files)
  expect(sealed).toMatch(/<script type="importmap">.*<\/script><astro-island/)
  expect(Object.keys(mapIn(sealed))).toEqual([
    '/_astro/deep.js',
    '/_astro/form.js',
    '/_astro/home.js',
    '/_astro/lazy.js',
    '/_astro/shared.js',
    '/_astro/form.js?astro-retry=1',
    '/_astro/home.js?astro-retry=1',
  ])
  expect(sealed).toContain('url.set("astro-retry","1")')
  expect(() => withIntegrity(html.replace('astro-retry', 'again'), files)).toThrow('retries')
  expect(mapIn(sealed)['/_astro/deep.js']).toBe(hash('deep()'))
})

test('every script file that the built site loads is in a page’s map, with the hash of its content', () => {
  const pages = readPages('dist')
  expect(pages.length).toBeGreaterThan(30)
  const known = Object.fromEntries(
    pages
      .flatMap(({ html }) => Object.entries(mapIn(html)))
      .filter(([path]) => !path.includes('?')),
  )
  const scripts = readdirSync('dist/_astro')
    .filter((file) => file.endsWith('.js'))
    .map((file) => ({ file, code: readFileSync(`dist/_astro/${file}`, 'utf8') }))
  // The island of a part that this site does without is built, and loaded by nothing.
  const loading = [...pages.map(({ html }) => html), ...scripts.map(({ code }) => code)]
  const loaded = scripts.filter(({ file }) => loading.some((text) => text.includes(file)))
  expect(known).toEqual(
    Object.fromEntries(loaded.map(({ file, code }) => [`/_astro/${file}`, hash(code)])),
  )
})
