// What holds on every public page.

import type { Page } from '@playwright/test'
import { screenList } from '#admin/screens.ts'
import { isOff } from '#site/features.ts'
import {
  axeEverywhere,
  brandName,
  enterAs,
  expect,
  goTo,
  ownWord,
  submit,
  test,
} from '#tests/e2e/admin/fixtures.ts'
import { pinned, scriptsOf } from '#tests/e2e/scripts.ts'
import { publicPages } from '#tests/pages.ts'

/** How many pixels the page is wider than its window. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The same with the text spacing of WCAG 2.2, 1.4.12. By script, since the policy refuses a style element. */
const overflowWithWideSpacing = (page: Page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    )
    document.adoptedStyleSheets.push(sheet)
    const { scrollWidth, clientWidth } = document.documentElement
    document.adoptedStyleSheets.pop()
    return scrollWidth - clientWidth
  })

/** Scrolls down the page, so that lazy content is loaded. */
const readToTheEnd = async (page: Page) => {
  await page.evaluate(async () => {
    const screens = Math.ceil(document.documentElement.scrollHeight / innerHeight)
    for (let screen = 1; screen <= screens; screen += 1) {
      scrollTo({ top: screen * innerHeight, behavior: 'instant' })
      // A window that nothing is drawn in gets no frame: the timer ends the wait for it.
      await new Promise((resolve) => {
        requestAnimationFrame(resolve)
        setTimeout(resolve, 100)
      })
    }
  })
  await page.waitForLoadState('networkidle')
}

/** The tops, in pixels, of the elements that the first frame leaves out. */
const laterTops = (page: Page) =>
  page.evaluate(() => {
    const all = [...document.body.querySelectorAll('*')]
    const shown = all
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.height > 0)
    document.documentElement.classList.add('arriving')
    const later = shown.filter(
      ({ element }) =>
        element.getClientRects().length === 0 && element.parentElement?.getClientRects().length,
    )
    document.documentElement.classList.remove('arriving')
    return later.map(({ box }) => box.top)
  })

/** `/blog/*` for an article. Pages of one template are alike to axe; the bench tries each of them. */
const templateOf = (path: string): string => path.replace(/(?<=\/.+\/).+/, '*')
// Read once: each reading parses every page.
const pages = publicPages()
const isFirstOfTemplate = (path: string): boolean =>
  pages.find((one) => templateOf(one) === templateOf(path)) === path

for (const path of pages) {
  test(`${path} requests no other host, follows its policy, fits every window and keeps still where asked`, async ({
    page,
    baseURL,
  }) => {
    test.slow()
    const elsewhere: string[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (/^https?:$/.test(url.protocol) && url.origin !== baseURL) elsewhere.push(request.url())
    })
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        console.error(`policy: ${violatedDirective} ${blockedURI}`)
      })
    })
    const asked = scriptsOf(page)
    await page.setViewportSize({ width: 390, height: 896 })
    const answer = await page.goto(path)

    await test.step('the first screen of a phone is shown at once', async () => {
      expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
      await expect(page.locator('html')).not.toHaveClass(/arriving/)
      // Without it a slow browser paints a bar that is only half read.
      const awaited = await page.locator('link[rel=expect]').getAttribute('href')
      await expect(page.locator(String(awaited))).toHaveCount(1)
      await expect(page.getByRole('contentinfo')).toBeVisible()
      for (const width of [320, 360, 390, 432]) {
        await page.setViewportSize({ width, height: 896 })
        expect([width, Math.min(...(await laterTops(page))) >= 896]).toEqual([width, true])
      }
    })

    await test.step('no other host is requested, and every script has a hash', async () => {
      await readToTheEnd(page)
      expect(elsewhere).toEqual([])
      const known = await pinned(page)
      expect([...asked].filter((script) => !known.includes(script))).toEqual([])
    })

    await test.step('it fits zoom and wide text spacing', async () => {
      // 1,280 by 1,024 pixels at 400 % and at 200 %: WCAG 2.2, 1.4.10 and 1.4.4.
      for (const [width, height] of [
        [320, 256],
        [640, 512],
      ] as const) {
        await page.setViewportSize({ width, height })
        expect([width, await overflow(page)]).toEqual([width, 0])
      }
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await overflowWithWideSpacing(page)).toBe(0)
    })

    await test.step('nothing moves under reduced motion', async () => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const moving = await page.evaluate(() =>
        document
          .getAnimations()
          // Elements that follow the scroll position may move with it.
          .filter(
            ({ timeline, playState }) => timeline === document.timeline && playState === 'running',
          )
          .map((animation) => (animation as CSSAnimation).animationName),
      )
      expect(moving).toEqual([])
    })

    await test.step('in forced colours a button is distinct from a link', async () => {
      await page.emulateMedia({ forcedColors: 'active' })
      const borders = await page
        .getByRole('main')
        .locator('a.btn')
        .evaluateAll((all) => all.map((button) => getComputedStyle(button).borderTopStyle))
      if (path === '/') expect(borders).not.toEqual([])
      expect(borders.filter((border) => border !== 'solid')).toEqual([])
      await page.emulateMedia({ forcedColors: null })
    })

    if (isFirstOfTemplate(path))
      await test.step('axe finds nothing, light and dark, narrow and wide', async () => {
        expect(await axeEverywhere(page)).toEqual([])
      })
  })
}

test('pages and screens fit twice the usual size of text, as set in the browser', async ({
  playwright,
  launchOptions,
  baseURL,
  request,
}) => {
  const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32']
  const browser = await playwright.chromium.launch({ ...launchOptions, args })
  const paths = [
    '/',
    '/services',
    '/about',
    '/consultation',
    '/consultation?goal=shop',
    '/consultation-form',
    '/blog',
    '/faq',
    '/quality',
    '/privacy-policy',
    '/thanks/contacts',
  ].filter((path) => !isOff(path))
  const [id] = await submit(request, 'consultations', ['Bakery', 'Bakery'], ownWord())
  const record = `consultations?id=${id}`
  const wide = [record, 'run', 'site'].map((name) => `/admin/${name}`)
  const narrow = ['consultations', 'dashboard', 'users', 'owed', 'account', 'offers', 'hours'].map(
    (name) => `/admin/${name}`,
  )
  const many = { consultations: 1_234, applications: 1_234, contacts: 1_234 }
  const withMany = (groups: Record<string, Record<string, number>>) =>
    Object.entries(groups).map(([kind, each]) => [
      kind,
      Object.fromEntries(Object.keys(each).map((group) => [group, 12_345])),
    ])
  const page = await browser.newPage(baseURL ? { baseURL } : {})
  await enterAs(page, request, 'editor')
  await page.route('**/api/me/unread', (route) =>
    route.fulfill({ json: { success: true, data: many } }),
  )
  await page.route('**/api/stats?*', async (route) => {
    const answer = await route.fetch()
    const { data, ...rest } = await answer.json()
    const groups = Object.fromEntries(withMany(data.groups))
    await route.fulfill({ json: { ...rest, data: { ...data, groups } } })
  })
  for (const path of [...paths, ...wide, ...narrow]) {
    await page.setViewportSize({ width: 390, height: 844 })
    const isLoaded = !path.startsWith('/admin/') || path === wide[0]
    await (isLoaded ? page.goto(path) : goTo(page, path))
    const screen = screenList.find((one) => one.path === path.replace(/\?.*/, ''))
    if (screen) await expect(page).toHaveTitle(`${screen.title} | ${brandName}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (/dashboard|users/.test(path))
      await expect(page.locator('a:visible').getByText('99+').first()).toBeVisible()
    if (path.endsWith(record))
      await expect(page.getByText('Received from the website')).toBeVisible()
    if (path === '/admin/dashboard')
      await expect(page.getByRole('main').getByText('12,345').first()).toBeVisible()
    for (const width of wide.includes(path) ? [390, 1280] : [390, 320, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      expect([path, width, await overflow(page)]).toEqual([path, width, 0])
    }
  }
  await browser.close()
})
