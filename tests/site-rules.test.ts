// The rule files of the build, read as the host reads them.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { headersFor, parseHeaders, parseRedirects, targetOf } from '#host/rules.ts'
import { headersFile } from '#site/build/headers.ts'
import { builtPage } from '#site/build/pages.ts'
import { queryRewrites, redirectsFile } from '#site/build/redirects.ts'

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const pages = [
  builtPage('/404', '<style>lost{}</style>'),
  builtPage('/', '<style>home{}</style><script>home()</script>'),
  builtPage('/apply', '<script>form()</script>'),
  builtPage('/apply/ui-ux-intern', '<script>variant()</script>'),
  builtPage('/admin', '<script src="/_astro/admin.js"></script>'),
]
const rules = parseHeaders(headersFile(pages, queryRewrites))
const policy = (path: string) => headersFor(rules, path).get('Content-Security-Policy') ?? ''

test('a page allows its own inline blocks and no others', () => {
  expect(policy('/')).toContain(`script-src 'self' ${hash('home()')};`)
  expect(policy('/')).toContain(`style-src 'self' ${hash('home{}')};`)
  expect(policy('/')).not.toContain(hash('lost{}'))
  expect(policy('/')).toMatch(/^default-src 'none';/)
  expect(policy('/')).not.toContain('unsafe')
})

test('an unknown address has the policy of the 404 page', () => {
  expect(policy('/no/such/page')).toContain(hash('lost{}'))
})

test('an address that may show a variant allows the variant’s blocks', () => {
  expect(policy('/apply')).toContain(hash('form()'))
  expect(policy('/apply')).toContain(hash('variant()'))
  expect(policy('/apply/ui-ux-intern')).not.toContain(hash('form()'))
})

test('every answer carries the security headers, admin is not indexed, hashed files keep', () => {
  for (const path of ['/', '/admin/contacts', '/_astro/a.js', '/nowhere']) {
    const headers = headersFor(rules, path)
    expect(headers.get('Strict-Transport-Security')).toBe('max-age=63072000; includeSubDomains')
    expect(headers.get('X-Frame-Options')).toBe('DENY')
  }
  expect(headersFor(rules, '/admin').get('X-Robots-Tag')).toBe('noindex')
  expect(headersFor(rules, '/admin/contacts').get('X-Robots-Tag')).toBe('noindex')
  expect(headersFor(rules, '/_astro/a.js').get('Cache-Control')).toContain('immutable')
})

const redirects = parseRedirects(redirectsFile(true))
const lead = (address: string) => {
  for (const rule of redirects) {
    const target = targetOf(rule, new URL(address, 'http://localhost'))
    if (target) return [rule.status, target]
  }
  return undefined
}

test('the article’s other spelling moves to the right one for good', () => {
  expect(lead('/blog/first-portfolio-website-student-developers')).toEqual([
    301,
    '/blog/first-portfolio-website-student-developer',
  ])
})

test('a form opens as the page made for its query, an unknown value as the general one', () => {
  expect(lead('/consultation-form?service=basic-package')).toEqual([
    200,
    '/consultation-form/basic-package',
  ])
  expect(lead('/consultation-form?service=x')).toEqual([200, '/consultation-form/custom'])
  expect(lead('/apply?position=ui-ux-intern')).toEqual([200, '/apply/ui-ux-intern'])
  expect(lead('/apply?position=king')).toEqual([200, '/apply/other'])
  expect(lead('/apply')).toBeUndefined()
})

test('every admin address shows the admin', () => {
  expect(lead('/admin/consultations?tab=pending')).toEqual([200, '/admin'])
})

test('a preview is kept out of search engines, the deployed site is not', () => {
  const robots = (isPreview: boolean) =>
    headersFor(parseHeaders(headersFile(pages, queryRewrites, { isPreview })), '/').get(
      'X-Robots-Tag',
    ) ?? null
  expect(robots(true)).toBe('noindex')
  expect(robots(false)).toBeNull()
})
