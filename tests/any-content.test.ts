import { parse } from 'node-html-parser'
import { expect, test } from 'vitest'
import { type Content, contentProblems } from '#contract/content/collections.ts'
import { planPage } from '#server/plan/plan-page.ts'
import { content, withContent } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import { openBuild } from '#site/publish/draw.ts'

/** The pages of an agency with other counts and choices than the files have, drawn from the built site. */

const SITE = 'http://127.0.0.1:4321'

const build = await openBuild(process.cwd())

/** The finished page of a path with some of the content replaced, which has no problems. */
const pageWith = async (changes: Partial<Content>, path: string) => {
  const all = { ...content(), ...changes }
  expect(contentProblems(all)).toEqual([])
  const drawn = await build.drawPage(SITE, all, path)
  return drawn && parse(build.finish(drawn.file, String(drawn.body)))
}

/** A copy of a collection that a test may change. */
const entriesOf = <Name extends keyof Content>(name: Name): Content[Name] =>
  structuredClone(content()[name])

test.skipIf(isOff('/rss.xml'))('the feed names the language of its texts', async () => {
  const all = { ...content(), brand: { ...content().brand, language: 'de-AT' } }
  const feed = await build.drawPage(SITE, all, '/rss.xml')
  expect(String(feed?.body)).toContain('<language>de-AT</language>')
})

type Offered = Content['consultation-services']

/** The text of home and the pages of services, drawn from content that calls nothing free. */
const saidWith = async (change: (services: Offered) => Offered) => {
  const all = JSON.parse(JSON.stringify(content()).replace(/\bfree\b/gi, 'paid')) as Content
  const services = change(structuredClone(all['consultation-services']) as Offered)
  const drawn = await build.drawPages(SITE, { ...all, 'consultation-services': services })
  const pages = drawn.filter(({ file }) => /^(index|services|consultation|plan)\b/.test(file))
  expect(pages.length).toBeGreaterThan(4)
  return pages.map(({ body }) => parse(body).querySelector('main')?.text ?? '').join()
}

test('a talk that has a price is nowhere called free by the program', async () => {
  const said = await saidWith((services) => {
    const talk = services.find(({ data }) => data.type === 'website')
    Object.assign(talk?.data ?? {}, { monthly: 49, once: true })
    return services
  })
  expect(said.match(/\bfree\b/i)).toBeNull()
})

test('without a first talk no page promises one', async () => {
  const said = await saidWith((services) => services.filter(({ data }) => data.type === 'package'))
  expect(said.match(/\bfree\b|book the talk/i)).toBeNull()
})

test('each service that can be booked is shown, and recommended as its entry says', async () => {
  const offered = content()['consultation-services']
  const another = offered.slice(0, 1).map(({ data }) => ({
    id: 'another-talk',
    data: { ...data, type: 'website' as const, title: 'Another talk' },
  }))
  const services = [...offered, ...another].map(({ id, data }, at) => ({
    id,
    data: { ...data, recommended: at > 0 },
  }))
  const all = { ...content(), 'consultation-services': services }
  const page = parse(String((await build.drawPage(SITE, all, '/consultation'))?.body))
  for (const { id, data } of services) {
    const shown = page.getElementById(id)
    expect(shown?.text, id).toContain(data.title)
    expect(shown?.text.includes('Recommended'), id).toBe(data.recommended)
  }
})

const offered = (type: 'website' | 'package') =>
  entriesOf('consultation-services').filter(({ data }) => data.type === type)

test('packages are called monthly only where all of them are', async () => {
  const legend = async (
    change: (data: Content['consultation-services'][number]['data']) => void,
  ) => {
    const packages = offered('package')
    for (const { data } of packages) change(data)
    const services = [...offered('website'), ...packages]
    const page = await pageWith({ 'consultation-services': services }, '/')
    return page?.querySelectorAll('dt').map(({ text }) => text)
  }
  const priced = (once: boolean) => (data: object) => Object.assign(data, { monthly: 120, once })
  expect(await legend(priced(false))).toContain('Monthly packages')
  expect(await legend(priced(true))).toEqual(expect.arrayContaining(['Packages']))
  const without = await legend((data) => {
    delete data.monthly
  })
  expect(without?.join()).not.toMatch(/packages/i)
})

test.skipIf(isOff('/plan'))(
  'a service stays on the page of a plan, also where its name begins as that of a part',
  async () => {
    const [service, ...others] = entriesOf('consultation-services')
    if (!service) return
    const services = [...others, { ...service, id: 'part-time' }]
    const all = { ...content(), 'consultation-services': services }
    const drawn = await build.drawPage(SITE, all, '/plan/consultation')
    const page = await withContent(all, () =>
      planPage(new Request(`${SITE}/consultation?goal=site`), async () => ({
        html: String(drawn?.body),
        csp: '',
      })),
    )
    expect(parse((await page?.text()) ?? '').getElementById('part-time')).not.toBeNull()
  },
)

const withWork = test.skipIf(isOff('/work'))

withWork('a work leads to its live site, and one alone to no other', async () => {
  const [first] = entriesOf('work').filter(({ data }) => data.plate)
  if (!first) return
  const { different: _, ...data } = { ...first.data, live: 'https://client.example/' }
  const page = await pageWith({ work: [{ ...first, data }] }, `/work/${first.id}`)
  expect(page?.querySelector('a[href="https://client.example/"]')?.text).toContain('live site')
  expect(page?.querySelector('.closing')?.text).not.toContain('Next:')
})

withWork('without a drawing of any work the pages have no empty list of it', async () => {
  const work = entriesOf('work').map(({ id, data: { plate: _, ...data } }) => ({ id, data }))
  const home = await pageWith({ work }, '/')
  expect(home?.getElementById('work')).toBeNull()
  expect(home?.querySelector('a[href="#work"]')).toBeNull()
  expect((await pageWith({ work }, '/work'))?.getElementById('studies')).toBeNull()
})

test('a stop of a service names all of its steps', async () => {
  const pages = entriesOf('service-pages')
  const stop = pages.flatMap(
    ({ id, data }) => data.process?.stops.map((one) => ({ id, one })) ?? [],
  )[0]
  if (!stop) return
  const [step] = stop.one.steps
  stop.one.steps = [step, step, step].filter((one) => one !== undefined)
  const page = await pageWith({ 'service-pages': pages }, `/services/${stop.id}`)
  expect(page?.querySelector('main')?.text).toContain('Steps 1 to 3:')
})

test.skipIf(isOff('/blog'))(
  'an article shows its code as written, and its headings keep the ids of the page free',
  async () => {
    const blog = entriesOf('blog')
    const [article] = blog
    if (!article) return
    const code = `const card = '<p class="hero-title card-grid">&copy; Q&amp;A</p>'`
    article.data.body = {
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Author' }] },
        ...([undefined, 'html', 'js'] as const).map((language) => ({
          type: 'codeBlock' as const,
          attrs: { language: language ?? null },
          content: [{ type: 'text' as const, text: code }],
        })),
      ],
    }
    const page = await pageWith({ blog }, `/blog/${article.id}`)
    expect(page?.querySelectorAll('pre').map(({ innerHTML }) => parse(innerHTML).text)).toEqual(
      Array(3).fill(code),
    )
    const ids = page?.querySelectorAll('[id]').map(({ id }) => id) ?? []
    expect(ids.length).toBe(new Set(ids).size)
  },
)
