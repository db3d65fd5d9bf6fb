import { expect, test } from '#tests/e2e/fixtures.ts'

test('the services page shows six offers, five with a page of their own, and six steps', async ({
  page,
}) => {
  await page.goto('/services')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our Services')
  await expect(page.getByText('Expert Solutions')).toBeVisible()
  const offers = page.getByRole('region', { name: 'What We Offer' })
  await expect(offers.getByRole('heading', { level: 3 })).toHaveText([
    'Website Development',
    'Web Application Development',
    'E-commerce Solutions',
    'UI/UX Design',
    'SEO & Digital Marketing',
    'Website Maintenance',
  ])
  await expect(offers.getByRole('link')).toHaveCount(5)
  await expect(offers.locator('#website-maintenance').getByRole('link')).toHaveCount(0)
  await expect(
    page.getByRole('region', { name: 'Our Process' }).getByRole('heading', { level: 3 }),
  ).toHaveText([
    'Consultation',
    'Planning & Strategy',
    'Design & Development',
    'Testing & Quality Assurance',
    'Launch & Training',
    'Ongoing Support',
  ])
  await expect(
    page.getByRole('main').getByRole('link', { name: 'Schedule Consultation' }),
  ).toHaveAttribute('href', '/consultation')
})

/** Section name and how many entries it holds, the one to try included. */
const pages = {
  'website-development': {
    title: 'Website Development',
    sections: { 'Key Features': 6, 'Seven steps from brief to launch': 7, Technologies: 8 },
  },
  'web-application-development': {
    title: 'Web Application Development',
    sections: { 'Key Features': 6, 'Use Cases': 6, Technologies: 8 },
  },
  'ecommerce-solutions': {
    title: 'E-commerce Solutions',
    sections: { 'Key Features': 6, Platforms: 4, 'Seven steps to the first order': 7 },
  },
  'uiux-design': {
    title: 'UI/UX Design',
    sections: { 'Our Design Services': 8, 'Seven steps from question to system': 7, Benefits: 4 },
  },
  'seo-digital-marketing': {
    title: 'SEO & Digital Marketing',
    sections: { 'Our Marketing Services': 9, 'A strategy in six steps': 6, 'Metrics We Track': 4 },
  },
}

for (const [slug, { title, sections }] of Object.entries(pages)) {
  test(`${title} shows its features, steps and parts, and leads to a free consultation`, async ({
    page,
  }) => {
    await page.goto(`/services/${slug}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expect(crumbs).toHaveText(new RegExp(`Home.*Services.*${title}`, 's'))
    await expect(page.getByRole('main').getByRole('img').first()).toBeVisible()
    for (const [name, count] of Object.entries(sections)) {
      const section = page.getByRole('region', { name, exact: true }).first()
      await expect(section.locator('li, tbody tr, .spec')).toHaveCount(count)
    }
    for (const fact of ['Price', 'Time', 'You bring', 'You get']) {
      await expect(page.getByRole('term').filter({ hasText: fact })).toBeVisible()
    }
    const links = page.getByRole('link', { name: 'Schedule Free Consultation' })
    await expect(links).toHaveCount(2)
    for (const link of await links.all()) {
      await expect(link).toHaveAttribute('href', '/consultation')
    }
  })
}

test('each service has a drawing to try, which tells what every state shows, without script', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: String(baseURL) })
  const page = await context.newPage()
  for (const slug of Object.keys(pages)) {
    await page.goto(`/services/${slug}`)
    const states = page.getByRole('radio')
    expect(await states.count()).toBeGreaterThan(1)
    const told = new Set<string>()
    const first = states.first()
    await first.focus()
    for (const state of await states.all()) {
      await expect(state).toBeChecked()
      told.add((await page.locator('.told p:visible').first().textContent()) ?? '')
      await page.keyboard.press('ArrowRight')
    }
    expect(told.size).toBe(await states.count())
    await expect(first).toBeChecked()
  }
  await context.close()
})

test('on a phone the call to action stays at hand from the second screen to the closing', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/services/website-development')
  const bar = page.locator('.rest').getByRole('link', { name: 'Schedule Free Consultation' })
  await expect(bar).not.toBeInViewport()
  await page.getByRole('heading', { name: 'Technologies' }).scrollIntoViewIfNeeded()
  await expect(bar).toBeInViewport()
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
  await expect(bar).not.toBeInViewport()
})

test('website development names its four qualities', async ({ page }) => {
  await page.goto('/services/website-development')
  for (const tag of ['Responsive Design', 'SEO-Friendly', 'Fast Loading', 'User-Friendly']) {
    await expect(page.getByText(tag, { exact: true })).toBeVisible()
  }
})

test('the services pages work without a script', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: String(baseURL) })
  const page = await context.newPage()
  await page.goto('/services')
  await page.getByRole('link', { name: 'E-commerce Solutions in detail' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('E-commerce Solutions')
  await context.close()
})

test('home, the services page and the footer name the same services', async ({ page }) => {
  await page.goto('/services')
  const offered = await page
    .getByRole('region', { name: 'What We Offer' })
    .getByRole('heading', { level: 3 })
    .allTextContents()
  const links = page.getByRole('navigation', { name: 'Services' }).getByRole('link')
  expect(await links.allTextContents()).toEqual(offered)
  const hrefs = await links.evaluateAll((anchors) =>
    anchors.map((anchor) => anchor.getAttribute('href')),
  )
  await page.goto('/')
  const cards = page.locator('#services li a')
  expect(await cards.count()).toBe(6)
  for (const card of await cards.all()) expect(hrefs).toContain(await card.getAttribute('href'))
})

test('each service on the home page links to a page about it', async ({ page }) => {
  await page.goto('/')
  const cards = await page
    .locator('#services li a')
    .evaluateAll((links) =>
      links.map((link) => ({ name: link.textContent, href: link.getAttribute('href') })),
    )
  expect(cards.map(({ name }) => name)).toEqual([
    'Web Design',
    'Web Development',
    'SEO Optimization',
    'Mobile App Development',
    'Digital Marketing',
    'E-commerce Solutions',
  ])
  const subjects = [/web design/i, /website/i, /search/i, /mobile app/i, /marketing/i, /shop/i]
  for (const [index, { href }] of cards.entries()) {
    await page.goto(String(href))
    await expect(page.getByRole('main')).toContainText(subjects[index] ?? '')
  }
})
