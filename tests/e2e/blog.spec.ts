import { parse } from 'node-html-parser'
import { brand, entries } from '#site/content.ts'
import { pageWords } from '#site/page-words.ts'
import { expect, test } from '#tests/e2e/fixtures.ts'

const posts = entries('blog')
const slugs = posts.map(({ id }) => id)
const [some] = slugs
const { categories } = pageWords('blog')

test.skip(!brand().features.blog, 'This site has no blog')

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled })

    test('the listing shows all articles, the newest of them large, with at most two tags each, and each category its own as ordinary cards, in the URL', async ({
      page,
    }) => {
      await page.goto('/blog')
      const cards = page.locator('article:visible')
      await expect(cards).toHaveCount(slugs.length)
      const links = await cards
        .getByRole('link')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      expect(links.toSorted()).toEqual(slugs.map((slug) => `/blog/${slug}`).toSorted())
      for (const card of await cards.all()) {
        expect(await card.locator('.tags li').count()).toBeLessThanOrEqual(2)
      }
      const newest = posts.toSorted((a, b) => (a.data.date < b.data.date ? 1 : -1))[0]
      const lead = posts.find(({ data }) => data.featured) ?? newest
      await expect(page.locator('.large:visible')).toHaveCount(1)
      await expect(page.locator('.large:visible').getByRole('link')).toHaveAttribute(
        'href',
        `/blog/${lead?.id}`,
      )

      const filter = page.getByRole('navigation', { name: 'Filter articles' })
      let seen = 0
      for (const name of categories) {
        await filter.getByRole('link', { name: new RegExp(`^${name}`) }).click()
        await expect(page).toHaveURL(new RegExp(`#${name.toLowerCase().replaceAll(' ', '-')}$`))
        await expect(page.locator('.large:visible')).toHaveCount(0)
        const count = await cards.count()
        expect(count).toBeGreaterThan(0)
        await expect(cards.filter({ hasText: name })).toHaveCount(count)
        seen += count
      }
      expect(seen).toBe(slugs.length)
    })
  })
}

for (const slug of slugs) {
  test(`${slug} has everything that an article page promises`, async ({ page }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.goto(`/blog/${slug}`)
    const title = String(await page.getByRole('heading', { level: 1 }).textContent())
    await expect(page).toHaveTitle(`${title} | ${brand().name}`)
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toHaveText(/Home.*Blog/s)
    await expect(page.getByText(/^\d min read$/).first()).toBeVisible()
    await expect(page.locator('.hero').getByRole('img')).toBeVisible()
    const toc = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    expect(await toc.count()).toBeGreaterThan(2)
    for (const link of await toc.all()) {
      await expect(page.locator(String(await link.getAttribute('href')))).toBeAttached()
    }
    await expect(page.getByRole('region', { name: brand().author.name })).toBeVisible()
    const related = page.getByRole('region', { name: 'Related Articles' }).locator('article a')
    expect(await related.evaluateAll((all) => all.map((a) => a.getAttribute('href')))).toEqual(
      posts.find(({ id }) => id === slug)?.data.related.map((other) => `/blog/${other}`),
    )
    await expect(page.getByRole('link', { name: 'Back to All Articles' })).toHaveAttribute(
      'href',
      '/blog',
    )
    await expect(page.locator('[style]')).toHaveCount(0)
    expect(scripts).toEqual([])
  })
}

test('a line of an article has 65 to 75 characters on a desktop screen', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/blog/${some}`)
  await page.evaluate(() => document.fonts.ready)
  const average = await page.locator('.prose').evaluate((prose) => {
    const lines: number[] = []
    for (const paragraph of prose.querySelectorAll(':scope > p:not(:first-child)')) {
      const text = paragraph.textContent.length
      const height = paragraph.getBoundingClientRect().height
      const count = Math.round(height / Number.parseFloat(getComputedStyle(paragraph).lineHeight))
      // The last line is seldom full: half a line less.
      if (count > 2) lines.push(text / (count - 0.5))
    }
    return lines.reduce((sum, length) => sum + length, 0) / lines.length
  })
  expect(average).toBeGreaterThan(65)
  expect(average).toBeLessThan(75)
})

test('an article’s URL and a block of its code can be copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const post = posts.find(({ data }) => JSON.stringify(data.body).includes('"codeBlock"'))
  await page.goto(`/blog/${post?.id}`)
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Copy the code' }).first().click()
  await expect(page.getByRole('status')).toHaveText('Code copied')
  expect(await copied()).toMatch(/\S/)
  await page.getByRole('button', { name: 'Copy the link' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Link copied' })).toBeVisible()
  expect(await copied()).toMatch(new RegExp(`/blog/${post?.id}$`))
})

test('the feed carries every article in full and is named on every page', async ({ request }) => {
  const feed = await (await request.get('/rss.xml')).text()
  for (const slug of slugs) expect(feed).toContain(`/blog/${slug}</link>`)
  expect(feed.match(/<content:encoded>/g)).toHaveLength(slugs.length)
  for (const path of ['/', '/faq', `/blog/${some}`]) {
    const page = parse(await (await request.get(path)).text())
    const link = page.querySelector('link[type="application/rss+xml"]')
    expect([path, link?.getAttribute('href')]).toEqual([path, '/rss.xml'])
  }
})
