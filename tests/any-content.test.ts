import { parse } from 'node-html-parser'
import { expect, test } from 'vitest'
import type { Content } from '#contract/content/collections.ts'
import { content } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import { openBuild } from '#site/publish/draw.ts'

/** The pages of an agency with other counts and choices than the files have, drawn from the built site. */

const SITE = 'http://127.0.0.1:4321'

const build = await openBuild(process.cwd())

test.skipIf(isOff('/rss.xml'))('the feed names the language of its texts', async () => {
  const all = { ...content(), brand: { ...content().brand, language: 'de-AT' } }
  const feed = await build.drawPage(SITE, all, '/rss.xml')
  expect(String(feed?.body)).toContain('<language>de-AT</language>')
})

type Offered = Content['consultation-services']

/** What home and the pages of services say, where the content itself calls nothing free. */
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
