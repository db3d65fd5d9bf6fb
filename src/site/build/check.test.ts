import { expect, test } from 'vitest'
import { checkPages, filesOf } from './check.ts'
import { builtPage } from './pages.ts'

const page = (path: string, body: string, head = '') =>
  builtPage(
    path,
    `<!doctype html><title>${path} | Agency</title><meta name="description" content="About ${path}"><link rel="canonical" href="https://fledge.example${path}">${head}<h1>${path}</h1>${body}`,
  )

const problems = async (...pages: ReturnType<typeof page>[]) => {
  const found = await checkPages(pages, filesOf('/nowhere'))
  return [...found.problems, ...found.notices].map(({ path, problem }) => `${path} ${problem}`)
}

test('a sound page has no problems', async () => {
  const sound = page(
    '/a',
    '<h2 id="part">Part</h2><a href="/a#part">here</a> <a href="/api/x">api</a>',
  )
  expect(await problems(sound)).toEqual([])
})

test('broken links to pages, anchors and form variants are found', async () => {
  const page1 = page(
    '/a',
    '<a href="/b">b</a> <a href="#gone">x</a> <a href="/apply?position=king">y</a>',
  )
  expect(await problems(page1, page('/apply', ''))).toEqual([
    '/a links to /b, which does not exist',
    '/a links to the missing anchor #gone',
    '/a links to /apply?position=king, whose value has no page',
  ])
})

test('headings that skip a level and a second h1 are found', async () => {
  expect(await problems(page('/a', '<h3>Deep</h3>'))).toEqual(['/a skips from h1 to h3'])
  expect(await problems(page('/a', '<h1>Again</h1>'))).toEqual(['/a has 2 h1 elements, not one'])
})

test('images without alt text or size are found', async () => {
  expect(await problems(page('/a', '<img src="/x.png">'))).toEqual([
    '/a shows /x.png without alt',
    '/a shows /x.png without its size',
  ])
})

test('structured data that cannot be read or has no id is found', async () => {
  const script = (json: string) => `<script type="application/ld+json">${json}</script>`
  expect(await problems(page('/a', script('{')))).toEqual(['/a has JSON-LD that cannot be read'])
  const nameless = '{"@context":"https://schema.org","@graph":[{"@type":"Thing"}]}'
  expect(await problems(page('/a', script(nameless)))).toEqual([
    '/a has a JSON-LD node without type or id',
  ])
})

test('duplicate titles and descriptions are found', async () => {
  const twin = builtPage('/b', page('/a', '').html.replace('example/a', 'example/b'))
  expect(await problems(page('/a', ''), twin)).toEqual([
    '/a shares its title with /b',
    '/b shares its title with /a',
    '/a shares its description with /b',
    '/b shares its description with /a',
  ])
})

test('markup that the policy forbids or that blocks the first paint is found', async () => {
  expect(await problems(page('/a', '<p style="color:red" id="p"></p><i id="p"></i>'))).toEqual([
    '/a has a style attribute on p, which the policy forbids',
    '/a uses the id p twice',
  ])
  expect(
    await problems(page('/a', '', '<link rel="stylesheet" href="https://x.example/a.css">')),
  ).toEqual(['/a waits for a stylesheet'])
})

test('a page over the budget of the first flight is found, an article too', async () => {
  const noise = Array.from({ length: 8_000 }, (_, i) =>
    ((i * i * 7919) % 104_729).toString(36),
  ).join(' ')
  expect(await problems(page('/a', noise))).toEqual([
    expect.stringMatching(/^\/a weighs \d+ bytes/),
  ])
  expect(await problems(page('/blog/a', noise))).toHaveLength(1)
  // The notice about sample content does not count.
  expect(await problems(page('/a', `<aside data-samples>${noise}</aside>`))).toEqual([])
})

test('text that runs into the next element without a space is noticed', async () => {
  const joined = '<p><time>March 17, 2025</time><span>7 min read</span></p>'
  expect(await problems(page('/a', joined))).toEqual([
    '/a has text without a space between: March 17, 2025|7 min read',
  ])
  const apart = [
    '<p><time>March 17, 2025</time> <span>7 min read</span></p><ul><li>One</li><li>Two</li></ul>',
    '<p>See <a href="/a">this page</a>, or (<b>that</b>) one.</p>',
    '<pre><i>const</i><b>x</b></pre><style>a{}</style><p>name@<wbr>host.test</p>',
  ]
  expect(await problems(page('/a', apart.join('')))).toEqual([])
})
