// The rule files of the build, as the host reads them.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import type { Content } from '#contract/content/collections.ts'
import { headersFor, parseHeaders, parseRedirects, targetOf } from '#host/rules.ts'
import { headersFile } from '#site/build/headers.ts'
import { builtPage, readPages } from '#site/build/pages.ts'
import { redirectsFile } from '#site/build/redirects.ts'
import { content, entry, positionIds, talkService, withContent } from '#site/content.ts'
import { isOff } from '#site/features.ts'

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const [service = '', position = ''] = [talkService(), positionIds()[0]]
const pages = [
  builtPage('/404', '<style>lost{}</style>'),
  builtPage('/', '<style>home{}</style><script>home()</script>'),
  builtPage('/apply', '<script>form()</script>'),
  builtPage(`/apply/${position}`, '<script>variant()</script>'),
  builtPage('/admin', '<script src="/_astro/admin.js"></script>'),
  builtPage('/thanks/contacts', ''),
]
const rules = parseHeaders(headersFile(pages))

/** Like Netlify's command line: a later rule's value replaces the earlier one. */
const replaced = (file: string, path: string) =>
  Object.fromEntries(headersFor(parseHeaders(file), path))

/** Like other hosts: the values of all rules, joined with a comma. */
const joined = (file: string, path: string) => {
  const headers = new Headers()
  for (const rule of parseHeaders(file)) {
    if (!rule.pattern.test(path)) continue
    for (const [name, value] of rule.headers) headers.append(name, value)
  }
  return Object.fromEntries(headers)
}

/** Every path of the built site, and some that show another file or none. */
const builtPaths = () => [
  ...readPages('dist').map(({ path }) => path),
  ...readdirSync('dist', { recursive: true, encoding: 'utf8' }).map((file) => `/${file}`),
  '/no/such/page',
  '/admin/contacts/0192',
  '/_astro/gone.js',
]

test('every page ends with its document', () => {
  const open = readPages('dist').filter(({ html }) => !html.trimEnd().endsWith('</body></html>'))
  expect(open.map(({ path }) => path)).toEqual([])
})

test('no path of the built site gets one header from two rules, with `noindex` or without', () => {
  const paths = builtPaths()
  expect(paths.length).toBeGreaterThan(50)
  const built = readPages('dist')
  for (const file of [
    readFileSync('dist/_headers', 'utf8'),
    headersFile(built),
    headersFile(built, { noindex: true }),
  ]) {
    for (const path of paths) {
      expect([path, joined(file, path)]).toEqual([path, replaced(file, path)])
    }
  }
})

test('at every path the policy allows the inline blocks of every page, and nothing unsafe', () => {
  for (const path of ['/', '/apply', '/no/such/page', '/admin/contacts', '/_astro/a.js']) {
    const policy = headersFor(rules, path).get('Content-Security-Policy') ?? ''
    expect(policy).toMatch(/^default-src 'none';/)
    expect(policy).toContain(
      `script-src 'self' ${hash('home()')} ${hash('form()')} ${hash('variant()')};`,
    )
    expect(policy).toContain(`style-src 'self' ${hash('lost{}')} ${hash('home{}')};`)
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types push-worker")
    expect(policy).not.toContain('unsafe')
  }
})

test('every answer has the security headers, admin has `noindex`, hashed files are cached for good', () => {
  for (const path of ['/', '/admin/contacts', '/_astro/a.js', '/nowhere']) {
    const headers = headersFor(rules, path)
    expect(headers.get('Strict-Transport-Security')).toBe('max-age=63072000; includeSubDomains')
    expect(headers.get('X-Frame-Options')).toBe('DENY')
  }
  for (const path of ['/admin', '/admin/contacts', '/thanks/contacts']) {
    expect(headersFor(rules, path).get('X-Robots-Tag')).toBe('noindex')
  }
  expect(headersFor(rules, '/_astro/a.js').get('Cache-Control')).toContain('immutable')
})

const redirects = parseRedirects(redirectsFile(true))
const lead = (path: string) => {
  for (const rule of redirects) {
    const target = targetOf(rule, new URL(path, 'http://localhost'))
    if (target) return [rule.status, target]
  }
  return undefined
}

test('the headers of every page fit twice into the buffer of the nginx example', () => {
  const nginx = readFileSync('docs/examples/nginx.conf', 'utf8')
  const bytes = Number(/proxy_buffer_size (\d+)k;/.exec(nginx)?.[1]) * 1_024
  const built = parseHeaders(readFileSync('dist/_headers', 'utf8'))
  for (const path of builtPaths()) {
    const lines = [...headersFor(built, path)].map(([name, value]) => `${name}: ${value}\r\n`)
    expect(lines.join('').length, path).toBeLessThan(bytes / 2)
  }
})

test('no server of the nginx example logs the address of a sender’s page', () => {
  const nginx = readFileSync('docs/examples/nginx.conf', 'utf8')
  const servers = nginx.split(/^server \{$/m).slice(1)
  expect(servers.length).toBe(3)
  for (const server of servers) {
    const own = server.replace(/location[^}]*\}/g, '')
    expect(own).toMatch(/access_log (?:off|\S+ without_referer if=\$is_logged);/)
    const locations = server.match(/location ~\*[^}]*\}/g) ?? [own]
    expect(locations.join()).toMatch(/error_log \/dev\/null;/)
  }
  const isLogged = new RegExp(
    /map \$request_uri \$is_logged \{\s*~\*(\S+) 0;/.exec(nginx)?.[1] ?? '',
    'i',
  )
  for (const path of ['/status/x', '/api/status/x/code', '/STATUS/x', '/calendar/x.ics'])
    expect(path).toMatch(isLogged)
  expect('/services').not.toMatch(isLogged)
  expect(nginx).not.toMatch(/http_referer/)
})

const moved = 'first-portfolio-website-student-developer'
const hasMoved = !isOff('/blog') && entry('blog', moved)

test.skipIf(isOff('/blog'))(
  'the article’s old URLs follow it to a new address, and go with the part',
  () => {
    const [one] = content().blog
    const blog = [...content().blog, { id: 'renamed', data: one?.data }]
    const changed = { ...content(), blog } as Content
    const rules = withContent(changed, () =>
      redirectsFile(true, { [`/blog/${moved}`]: '/blog/renamed' }),
    )
    expect(rules).toContain(`/blog/${moved}s /blog/renamed 301!`)
    const { brand } = content()
    const off = { ...changed, brand: { ...brand, features: { ...brand.features, blog: false } } }
    const rulesOff = withContent(off, () =>
      redirectsFile(true, { [`/blog/${moved}`]: '/blog/renamed' }),
    )
    expect(rulesOff).not.toContain('/blog')
  },
)

test.skipIf(isOff('/blog'))('an old URL that an article takes again leads nowhere else', () => {
  const [one] = content().blog
  const changed = { ...content(), blog: [{ id: `${moved}s`, data: one?.data }] } as Content
  const rules = withContent(changed, () =>
    redirectsFile(true, { [`/blog/${moved}`]: `/blog/${moved}s` }),
  )
  expect(rules).not.toContain(`/blog/${moved}s /`)
  expect(rules).toContain(`/blog/${moved} /blog/${moved}s 301!`)
})

test.skipIf(!hasMoved)('the article’s old URL redirects to the new one permanently', () => {
  expect(lead(`/blog/${moved}s`)).toEqual([301, `/blog/${moved}`])
})

test.skipIf(isOff('/apply'))(
  'a form’s query shows the page prerendered for it, an unknown value the general one',
  () => {
    expect(lead(`/consultation-form?service=${service}`)).toEqual([
      200,
      `/consultation-form/${service}`,
    ])
    expect(lead('/consultation-form?service=x')).toEqual([200, '/consultation-form/custom'])
    expect(lead(`/apply?position=${position}`)).toEqual([200, `/apply/${position}`])
    expect(lead('/apply?position=king')).toEqual([200, '/apply/other'])
    expect(lead('/apply')).toBeUndefined()
    expect(lead('/apply?position=')).toBeUndefined()
    expect(lead('/consultation-form?service=')).toBeUndefined()
  },
)

test.skipIf(isOff('/plan'))(
  'a URL with an answer to the plan goes to the server, whatever else it has',
  () => {
    expect(lead('/consultation?goal=shop&size=m')).toEqual([200, '/plan/consultation'])
    expect(lead('/consultation?by=2027-02-15')).toEqual([200, '/plan/consultation'])
    expect(lead(`/consultation-form?service=${service}&when=open`)).toEqual([
      200,
      '/plan/consultation-form',
    ])
    expect(lead('/consultation?utm_source=news')).toBeUndefined()
  },
)

test('every admin URL shows the admin', () => {
  expect(lead('/admin/consultations?tab=pending')).toEqual([200, '/admin'])
})

test('a site with `noindex` sends it at every path, another one at none', () => {
  const hidden = parseHeaders(headersFile(pages, { noindex: true }))
  for (const path of ['/', '/nowhere', '/admin/contacts', '/thanks/contacts']) {
    expect(headersFor(hidden, path).get('X-Robots-Tag')).toBe('noindex')
  }
  expect(headersFor(rules, '/').get('X-Robots-Tag')).toBeNull()
})

test("an admin page's header asks for the scripts that its document preloads, by their hashes", () => {
  const html = readFileSync('dist/admin/contacts.html', 'utf8')
  const paths = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(
    ([, path = '']) => path,
  )
  expect(paths.length).toBeGreaterThan(3)
  const expected = paths.map((path) => {
    const digest = createHash('sha256')
      .update(readFileSync(`dist${path}`))
      .digest('base64')
    return `<${path}>; rel=preload; as=script; crossorigin; integrity="sha256-${digest}"`
  })
  const built = parseHeaders(readFileSync('dist/_headers', 'utf8'))
  expect(headersFor(built, '/admin/contacts').get('Link')).toBe(expected.join(', '))
  for (const path of ['/', '/admin/users']) expect(headersFor(built, path).has('Link')).toBe(false)
})

test('pictures beside the documents are packed with what serves them and what publishes', () => {
  const { functions } = parse(readFileSync('netlify.toml', 'utf8')) as unknown as {
    functions: Record<string, { included_files: string[] }>
  }
  for (const name of ['api', 'content'])
    expect([name, functions[name]?.included_files]).toContainEqual(
      expect.arrayContaining(['src/content/media/**']),
    )
})
