// What holds on every screen of the admin.

import type { Locator, Page, Request } from '@playwright/test'
import { screenList } from '#admin/screens.ts'
import { kindPaths } from '#contract/inbox.ts'
import {
  blindPosition,
  brandName,
  enter,
  enterAs,
  expect,
  goTo,
  ownWord,
  signedIn,
  submit,
  test,
} from '#tests/e2e/admin/fixtures.ts'
import { brokenWords } from '#tests/e2e/broken-words.ts'
import { linkScreens, staffScreens } from '#tests/pages.ts'

const inboxes = kindPaths.map((kind) => `/admin/${kind}`)

test('every screen follows its policy, requests no other host and fits a phone, with wide text spacing too', async ({
  page,
  request,
  baseURL,
}) => {
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  const elsewhere: string[] = []
  const unanswered = new Set<Request>()
  page.on('request', (sent) => {
    const url = new URL(sent.url())
    if (/^https?:$/.test(url.protocol) && url.origin !== baseURL) elsewhere.push(sent.url())
    unanswered.add(sent)
  })
  page.on('requestfinished', (sent) => unanswered.delete(sent))
  page.on('requestfailed', (sent) => unanswered.delete(sent))
  // Without a limit, a page that draws no frame may never be idle.
  const idle = () =>
    page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })))
  await enterAs(page, request, 'superuser')
  for (const screen of [...staffScreens, ...linkScreens]) {
    await page.setViewportSize({ width: 320, height: 640 })
    // The built pages of all others are alike.
    const isLoaded = ['/admin/dashboard', ...inboxes, ...linkScreens].includes(screen)
    await (isLoaded ? page.goto(screen) : goTo(page, screen))
    const title = screenList.find(({ path }) => path === screen)?.title
    await expect(page).toHaveTitle(`${title} | ${brandName}`)
    await expect(page.getByRole('main')).toBeVisible()
    if (linkScreens.includes(screen))
      // Its page asks for the account all the same, and nothing reads the answer: that call stays open
      // until it is given up after 20 seconds.
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    else
      await expect
        .poll(async () => {
          await idle()
          return unanswered.size
        })
        .toBe(0)
    await idle()
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect([screen, overflow]).toEqual([screen, 0])
    await page.setViewportSize({ width: 390, height: 844 })
    // WCAG 2.2, 1.4.12. By script, since the policy refuses a style element.
    const spaced = await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(
        '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
      )
      document.adoptedStyleSheets.push(sheet)
      return document.documentElement.scrollWidth - document.documentElement.clientWidth
    })
    expect([screen, 'set wide', spaced]).toEqual([screen, 'set wide', 0])
    await page.setViewportSize({ width: 320, height: 640 })
    const narrow = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      document.adoptedStyleSheets.pop()
      return scrollWidth - clientWidth
    })
    expect([screen, 'set wide and narrow', narrow]).toEqual([screen, 'set wide and narrow', 0])
  }
  expect(elsewhere).toEqual([])
})

test('no word breaks in the sign-in, in a table beside long details, in the bar of the desk and in what needs you', async ({
  page,
  request,
}) => {
  await page.goto('/admin/login')
  const show = page.getByRole('button', { name: 'Show password' })
  await expect(show).toBeVisible()
  expect(await brokenWords(show)).toEqual([])

  await enterAs(page, request, 'superuser')
  const entry = {
    _id: crypto.randomUUID(),
    at: '2026-11-20T09:00:00.000Z',
    by: 'ada',
    byId: null,
    kind: 'publish',
    target: { kind: 'sessions', _id: crypto.randomUUID() },
    fields: Array(12).fill('legal terms-of-this-site description'),
  }
  await page.route('**/api/audit*', (route) =>
    route.fulfill({ json: { success: true, data: [entry], meta: { nextCursor: null } } }),
  )
  await page.goto('/admin/audit')
  await expect(page.getByRole('row', { name: 'terms-of-this-site' })).toBeVisible()
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect([width, await brokenWords(page.getByRole('table'))]).toEqual([width, []])
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await goTo(page, '/admin/site')
  const heading = page.getByRole('heading', { level: 1, name: 'Site', exact: true })
  await expect(heading).toBeVisible()
  expect(await brokenWords(heading)).toEqual([])
  expect(await brokenWords(page.getByRole('link', { name: 'History' }))).toEqual([])

  await goTo(page, '/admin/dashboard')
  const needs = page.getByRole('region', { name: 'What needs you' })
  await expect(needs.getByText('Snoozed').first()).toBeVisible()
  expect(await brokenWords(needs)).toEqual([])
})

test('in forced colours buttons, the open record, a chosen period and a chart’s legend are visible', async ({
  page,
  request,
}) => {
  const styleOf = (part: Locator, name: string) =>
    part.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)
  const word = ownWord()
  await submit(request, 'contacts', ['Bookshop'], word)
  await page.emulateMedia({ forcedColors: 'active' })
  await enterAs(page, request, 'superuser')
  await page.goto(`/admin/contacts#q=${word}`)
  const list = page.getByRole('region', { name: 'List' })
  await list.getByRole('link', { name: 'Bookshop' }).click()
  const button = page.getByRole('button', { name: 'Mark as Handled' })
  expect(await styleOf(button, 'border-top-style')).toBe('solid')
  expect(await styleOf(list.getByRole('listitem').first(), 'outline-style')).toBe('solid')
  // Drawings take the palette's colours, too.
  const mark = list.getByRole('img', { name: 'New' })
  expect(await styleOf(mark, 'color')).toBe(await styleOf(page.locator('body'), 'color'))

  await goTo(page, '/admin/dashboard')
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  const [chosen, other] = [
    page.getByRole('button', { pressed: true }),
    page.getByRole('button', { pressed: false }).first(),
  ]
  const ground = 'background-color'
  expect(await styleOf(chosen, ground)).not.toBe(await styleOf(other, ground))
  const key = page.getByText('Consultations', { exact: true }).locator('i')
  expect(await styleOf(key, 'forced-color-adjust')).toBe('none')
})

/** Controls that a finger of 44 px misses; links within a line of text are exempt. */
const smallTargets = (page: Page) =>
  page.evaluate(() => {
    const root =
      [...document.querySelectorAll('dialog[open], :popover-open')].at(-1) ?? document.body
    // The link to the content is for keys, and out of sight until it has focus.
    const all = root.querySelectorAll<HTMLElement>(
      'a[href]:not([href="#main"]), button, input, select, summary',
    )
    return [...all].flatMap((element) => {
      const target = element.closest('label') ?? element
      const { width, height } = target.getBoundingClientRect()
      const isDrawn = element.checkVisibility({ visibilityProperty: true }) && width > 1
      if (!isDrawn || getComputedStyle(target).display === 'inline') return []
      const isSmall = Math.min(width, height) < 43.5
      return isSmall ? [`${Math.round(width)} × ${Math.round(height)}: ${element.outerHTML}`] : []
    })
  })

test.describe('under a finger', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('every control of inbox, hiring, palette and views is 44 px high and wide', async ({
    page,
    request,
  }) => {
    const word = ownWord()
    const [consultation] = await submit(request, 'consultations', ['Bakery', 'Choir'], word)
    const [application] = await submit(request, 'applications', ['Wanda'], word, {
      ...(blindPosition ? { position: blindPosition.id } : {}),
    })
    const account = await signedIn(request, 'admin')
    await request.post('/api/views', {
      headers: { authorization: `Bearer ${account.token}` },
      data: { name: word, kind: 'consultations', filter: { q: word } },
    })
    await enter(page, account)
    const button = (name: string | RegExp) => page.getByRole('button', { name })

    await page.goto(`/admin/consultations#q=${word}`)
    await expect(page.getByRole('link', { name: 'Choir' })).toBeVisible()
    await expect(button(`View: ${word} 2`)).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    await button(/^View:/).tap()
    await button('Edit saved views').tap()
    await button(`Rename ${word}`).tap()
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible()
    expect(await smallTargets(page)).toEqual([])

    await goTo(page, `/admin/consultations?id=${consultation}`)
    await expect(page.getByText('Received from the website')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Consultation', exact: true })).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    const [first, second] = await Promise.all(
      ['Mark as Contacted', 'Mark as Completed'].map((name) => button(name).boundingBox()),
    )
    const isBeside = (second?.x ?? 0) >= (first?.x ?? 0) + (first?.width ?? 0)
    const isBelow = (second?.y ?? 0) >= (first?.y ?? 0) + (first?.height ?? 0)
    expect(isBeside || isBelow).toBe(true)
    await expect(button('Delete')).toBeInViewport({ ratio: 1 })

    await goTo(page, `/admin/applications?id=${application}`)
    await expect(page.getByRole('region', { name: 'Your score' })).toBeVisible()
    await expect(page.getByText('Received from the website')).toBeVisible()
    expect(await smallTargets(page)).toEqual([])

    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox', { name: 'Find or do' })).toBeFocused()
    expect(await smallTargets(page)).toEqual([])
  })
})
