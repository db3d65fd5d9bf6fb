import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { loadSite } from '#host/site.ts'

const long = 'a sentence that is worth compressing. '.repeat(40)

const folder = mkdtempSync(join(tmpdir(), 'fledge-site-'))
for (const [path, text] of Object.entries({
  'index.html': `<h1>Home</h1>${long}`,
  'about.html': '<h1>About</h1>',
  '404.html': '<h1>Not here</h1>',
  'form.html': '<h1>Form</h1>',
  'form/basic.html': '<h1>Basic</h1>',
  'admin.html': '<h1>Admin</h1>',
  'mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '_astro/app.abc.js': 'export {}',
  '_astro/app.abc.js.map': '{}',
  '_astro/app.abc.js.br': brotliCompressSync('export {}'),
  '.env': 'SECRET=1',
  '.well-known/security.txt': 'Contact: here',
  _headers:
    "/*\n  X-Frame-Options: DENY\n  Content-Security-Policy: default-src 'none'; script-src 'sha256-x'\n" +
    '/_astro/*\n  Cache-Control: immutable\n',
  _redirects: [
    '/form service=:service /form/:service 200!',
    '/old/:name /:name 301',
    '/admin/* /admin 200',
  ].join('\n'),
})) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const site = loadSite(folder)
const get = (path: string, init?: RequestInit) =>
  site.respond(new Request(`http://localhost${path}`, init))

test('a page answers at its canonical path, with its type and the headers of the build', async () => {
  const response = get('/about')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(await response.text()).toBe('<h1>About</h1>')
})

test('documents carry the policy with its hashes, what they load a short one', () => {
  const policy = (path: string) => get(path).headers.get('content-security-policy')
  for (const path of ['/about', '/nothing', '/_astro/gone.js', '/mark.svg'])
    expect([path, policy(path)]).toEqual([path, "default-src 'none'; script-src 'sha256-x'"])
  expect(policy('/_astro/app.abc.js')).toBe("default-src 'none'")
})

test('another spelling of a path redirects to the canonical one and keeps the query', () => {
  for (const spelling of ['/about/', '/about.html', '/about//']) {
    const response = get(`${spelling}?a=1`)
    expect([response.status, response.headers.get('location')]).toEqual([301, '/about?a=1'])
  }
  expect(get('/index.html').headers.get('location')).toBe('/')
  expect(get('/old/about/').headers.get('location')).toBe('/old/about')
  expect(get('//evil.example/').status).toBe(404)
})

// An expression whose time grows with the square of these would take minutes.
test('a long run of slashes or spaces holds up nobody', { timeout: 20_000 }, () => {
  const many = 300_000
  expect(get(`${'/'.repeat(many)}x`).status).toBe(414)
  expect(get(`/about${'/'.repeat(2_000)}`).status).toBe(301)
  expect(get(`/about?${'/'.repeat(many)}`).status).toBe(200)
  const spaces = ' '.repeat(many)
  const { headers } = get('/', { headers: { 'Accept-Encoding': `br${spaces}x, gzip` } })
  expect(headers.get('content-encoding')).toBe('gzip')
})

test('a path over 2,048 characters is refused as by the API', async () => {
  const response = get(`/${'a'.repeat(2_048)}`)
  expect(response.status).toBe(414)
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(await response.json()).toMatchObject({
    success: false,
    code: 'uri_too_long',
    requestId: response.headers.get('x-request-id'),
  })
})

test('what is not there is the 404 page with the status 404', async () => {
  for (const path of ['/nothing', '/404', '/nothing/', '/_astro']) {
    const response = get(path)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('Not here')
  }
})

test('no map, dot file, rule file or path outside the site is served', () => {
  for (const path of [
    '/_astro/app.abc.js.map',
    '/_astro/app.abc.js.br',
    '/.env',
    '/%2eenv',
    '/_headers',
    '/_redirects',
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
    '/about%00',
    '/%E0%A4%A',
  ]) {
    expect([path, get(path).status]).toEqual([path, 404])
  }
  expect(get('/.well-known/security.txt').status).toBe(200)
})

test('a rewrite on the query shows the variant, and without it the plain page', async () => {
  expect(await get('/form?service=basic').text()).toContain('Basic')
  expect(await get('/form').text()).toContain('Form')
  expect(await get('/form?service=unknown').text()).toContain('Form')
})

test('redirects and the shell of the admin area work as on the deployed site', async () => {
  const moved = get('/old/about?x=1')
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/about?x=1'])
  expect(await get('/admin/consultations').text()).toContain('Admin')
})

test('an unchanged file is not sent again', () => {
  const etag = get('/about').headers.get('etag') ?? ''
  for (const known of [etag, `"other", ${etag}`, etag.replace('W/', '')]) {
    const second = get('/about', { headers: { 'If-None-Match': known } })
    expect(second.status).toBe(304)
    expect(second.body).toBeNull()
  }
  expect(get('/nothing', { headers: { 'If-None-Match': '*' } }).status).toBe(404)
})

test('one tag for every encoding of a file is a weak one', () => {
  const tags = ['br', 'gzip', 'identity'].map((encoding) =>
    get('/', { headers: { 'Accept-Encoding': encoding } }).headers.get('etag'),
  )
  expect(new Set(tags).size).toBe(1)
  expect(tags[0]).toMatch(/^W\/"[^"]+"$/)
})

test('text travels compressed to those who take it', async () => {
  const response = get('/', { headers: { 'Accept-Encoding': 'gzip, br' } })
  expect(response.headers.get('content-encoding')).toBe('br')
  expect(response.headers.get('vary')).toBe('Accept-Encoding')
  const body = Buffer.from(await response.arrayBuffer())
  expect(brotliDecompressSync(body).toString()).toContain('worth compressing')
  const refused = get('/', { headers: { 'Accept-Encoding': 'br;q=0, gzip' } })
  expect(refused.headers.get('content-encoding')).toBe('gzip')
  const otherCase = get('/', { headers: { 'Accept-Encoding': 'BR ; Q=0, GZip;q=0.5' } })
  expect(otherCase.headers.get('content-encoding')).toBe('gzip')
  expect(get('/').headers.has('content-encoding')).toBe(false)
})

test('what the build compressed reaches those who take no encoding as it was', async () => {
  const packed = get('/_astro/app.abc.js', { headers: { 'Accept-Encoding': 'br' } })
  expect(packed.headers.get('content-encoding')).toBe('br')
  const response = get('/_astro/app.abc.js')
  expect(response.headers.get('content-length')).toBe('9')
  expect(await response.text()).toBe('export {}')
})

test('hashed files are kept for good, pages are asked for again', () => {
  expect(get('/_astro/app.abc.js').headers.get('cache-control')).toBe('immutable')
  expect(get('/').headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
})

test('a hashed file that is missing is asked for again', () => {
  const { status, headers } = get('/_astro/gone.abc.js')
  expect(status).toBe(404)
  expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
})

test('HEAD answers as GET without a body, other methods are refused', async () => {
  const head = get('/about', { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    '14',
    '',
  ])
  const post = get('/about', { method: 'POST' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('every answer carries the headers of the build, whatever its status', () => {
  const etag = get('/about').headers.get('etag') ?? ''
  const answers: [Response, number][] = [
    [get('/about'), 200],
    [get('/about', { headers: { Range: 'bytes=0-9' } }), 200],
    [get('/about/'), 301],
    [get('/old/about'), 301],
    [get('/about', { headers: { 'If-None-Match': etag } }), 304],
    [get('/nothing'), 404],
    [get('/%zz'), 404],
    [get('/about', { method: 'POST', body: 'a=1' }), 405],
    [get('/nothing', { method: 'DELETE' }), 405],
    [get('/_astro/app.abc.js', { method: 'OPTIONS' }), 405],
  ]
  for (const [{ status, headers }, expected] of answers) {
    expect([status, headers.get('x-frame-options')]).toEqual([expected, 'DENY'])
  }
})
