import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'node-html-parser'
import { expect, test } from 'vitest'
import { brand, content, entries } from '#site/content.ts'
import { buildCopy } from '#tests/build-copy.ts'

/** A complete other set of content: another trade, other counts, without blog and work. */
const FOLDER = 'tests/fixtures/other-site'

const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))

const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsOf)

/** Texts and names of the content that nothing else than the content would say. */
const wordsOf = ([key, value]: [string, unknown]): string[] => {
  if (typeof value === 'object') return Object.entries(value ?? {}).flatMap(wordsOf)
  if (typeof value !== 'string') return []
  return (key === 'id' ? /-/ : /^(?=.* ).{14}/).test(value) ? [value] : []
}

/** Somebody else's content may share words with tests by chance. */
const isTheirs =
  JSON.parse(readFileSync('package.json', 'utf8')).name !== brand().name.toLowerCase()

test.skipIf(isTheirs)(
  'no test names a text, price, position or question of the content, or its brand',
  () => {
    const textOf = (pattern: string) =>
      globSync(pattern).map((file) => [file, readFileSync(file, 'utf8')] as const)
    const tests = textOf('{src,functions,tests}/**/*.ts').filter(([file]) =>
      /\.test\.ts$|testing\.ts$|^tests\/(?!fixtures\/)/.test(file),
    )
    const isTest = new Set(tests.map(([file]) => file))
    // The program says some of the same words by itself.
    const program = textOf('src/**/*.{ts,tsx,astro}')
      .filter(([file]) => !isTest.has(file))
      .map(([, text]) => text)
      .join()
    const words = new Set(Object.entries(content()).flatMap(wordsOf))
    const named = [...words].filter((word) => !program.includes(word))
    expect(named.length).toBeGreaterThan(100)
    const found = tests.flatMap(([file, text]) =>
      [...named, brand().name]
        .filter((word) => text.includes(word))
        .map((word) => `${file}: ${word}`),
    )
    expect(found).toEqual([])
  },
)

/** The set may be the site's own content: then nobody else's traces can be left. */
const isOwn = read('brand').name === brand().name

test.skipIf(isOwn)('with the content of somebody else the site is theirs', async () => {
  const { dist } = await buildCopy((root) => {
    rmSync(join(root, 'src/content/blog'), { recursive: true, force: true })
    cpSync(FOLDER, join(root, 'src/content'), { recursive: true })
    const own = { ...read('brand'), language: 'de' }
    writeFileSync(join(root, 'src/content/brand.json'), JSON.stringify(own))
  })
  const others = read('brand')
  const former = brand()
  const pageOfService = entries('service-pages')[0]?.id ?? 'none'
  const page = (path: string) => parse(readFileSync(join(dist, `${path}.html`), 'utf8'))

  const files = globSync('**/*.{html,xml,txt,webmanifest,svg,js,css}', { cwd: dist })
  expect(files.length).toBeGreaterThan(30)
  const traces = [former.name, former.contact.email, former.contact.address.street, former.mark]
  const sentences = textsOf(content().pages).filter((text) => text.length > 30)
  expect(sentences.length).toBeGreaterThan(40)
  for (const file of files) {
    const text = readFileSync(join(dist, file), 'utf8')
    // The templates have no sentences of their own beside those of the content.
    expect(
      sentences.filter((sentence) => text.includes(sentence)),
      file,
    ).toEqual([])
    expect(
      traces.filter((trace) => text.includes(trace)),
      file,
    ).toEqual([])
    const links = text.match(/(?:href="|<loc>|\/\/site\.test)(?:\/blog|\/work|\/rss\.xml)[^"<]*/g)
    expect(links, file).toBeNull()
  }

  const pages = ['blog', 'work', `services/${pageOfService}`, 'rss.xml', 'admin/applications']
  expect(pages.map((path) => existsSync(join(dist, `${path}.html`)))).toEqual([
    false,
    false,
    false,
    false,
    true,
  ])
  expect(page('index').querySelector('title')?.text).toContain(others.name)
  expect(page('index').toString()).toMatch(/--accent:light-dark\(oklch\(/)
  expect(page('faq').querySelectorAll('main details')).toHaveLength(read('faq').length)
  expect(page('faq').querySelector('.intro')?.text).toMatch(
    /€45, €90,? or €140 a month\. Nine answers/,
  )
  // Any number of packages, also of those that cannot be compared.
  expect(page('consultation').querySelectorAll('article.package')).toHaveLength(
    read('consultation-services').filter(({ type }: { type: string }) => type === 'package').length,
  )
  expect(page('careers').querySelector('h2')?.text).toBe('Two ways to start')
  for (const { id, title, location, employment } of read('positions')) {
    expect(page(`careers/${id}`).querySelector('h1')?.text).toBe(title)
    if (page(`apply/${id}`).querySelector('form'))
      expect(
        page(`careers/${id}`).querySelector('script[type="application/ld+json"]')?.text,
      ).toMatch(new RegExp(`"employmentType":"${employment}".*"addressLocality":"${location}"`))
  }
  expect(page('apply').querySelector('h1')?.text).toBe(read('pages').apply.title)
  // Long words break with a hyphen in languages that have many of them.
  expect(page('faq').querySelector('html')?.getAttribute('lang')).toBe('de')
  expect(page('faq').toString()).toContain('hyphens:auto')
  expect(page('apply/joiner').querySelector('form')).toBeNull()
  expect(page('apply/tuner').querySelector('form')).not.toBeNull()
})
