import type { Page } from '@playwright/test'
import {
  axeViolations,
  detail,
  enter,
  enterAs,
  expect,
  interceptFromStart,
  list,
  notice,
  orSignIn,
  ownWord,
  signedIn,
  submit,
  superuser,
  test,
  tryNow,
} from './fixtures.ts'

/** A sign-out leaves nothing of the person in any tab. */

/** Fills in the sign-in, as the owner where nobody else is named. */
const signIn = async (
  page: Page,
  { email, password }: Pick<typeof superuser, 'email' | 'password'> = superuser,
) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

// Playwright switches the back-forward cache off, and the headless shell has none; browsers that
// people use have it on.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      executablePath: String(process.env.E2E_CHROMIUM),
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    }),
})

const open = async (page: Page, word: string, name: string) => {
  await page.goto(`/admin/contacts#q=${word}`)
  await list(page).getByRole('link', { name }).click()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
}

const sessionKeys = (page: Page) => page.evaluate(() => Object.keys(sessionStorage))

/** Records in the page's memory whether it was restored, and whether it was visible at once. */
const watchReturn = (page: Page) =>
  page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => {
      const { visibility } = getComputedStyle(document.documentElement)
      Object.assign(globalThis, { returned: persisted ? visibility : 'loaded' })
    })
    Object.assign(globalThis, { returned: undefined })
  })
const returned = (page: Page) =>
  page.evaluate(() => (globalThis as { returned?: string }).returned ?? 'not the same page')

test('signing out in one tab empties the other: cache, unsaved changes and drafts; settings of the device and drafts of a visitor stay', async ({
  page,
  context,
  request,
  expectErrors,
}) => {
  expectErrors(/status of (401|503)/)
  const word = ownWord()
  await submit(request, 'contacts', ['Flower shop'], word)
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/dashboard')
  await page.evaluate(() => {
    for (const key of ['theme', 'shortcuts', 'device']) localStorage.setItem(key, 'as it was')
    sessionStorage.setItem('draft:contacts', '{}')
  })

  const other = await context.newPage()
  await interceptFromStart(other)
  await open(other, word, 'Flower shop')
  await other.getByRole('button', { name: 'Add a note' }).click()
  await other.getByLabel('Note').fill('They were rude on the phone')
  const writes: string[] = []
  await other.route('**/api/contacts/*', (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    writes.push(route.request().url())
    return route.fulfill({ status: 503, json: { success: false, code: 'unavailable' } })
  })
  await detail(other).getByRole('button', { name: 'Mark as Handled' }).click()
  await expect(other.getByRole('region', { name: 'Not saved yet' })).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/admin\/login$/)
  await expect(other).toHaveURL(/\/admin\/login$/)
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(other.getByText('Flower shop')).toHaveCount(0)
  expect((await sessionKeys(other)).filter((key) => key.startsWith('note:'))).toEqual([])
  const kept = await other.evaluate(() => Object.keys(localStorage).sort())
  expect(kept).toEqual(['device', 'shortcuts', 'theme'])
  expect(await sessionKeys(page)).toContain('draft:contacts')

  // The tab was never reloaded: the next person to sign in finds nothing of the earlier session in its memory.
  const sent = writes.length
  const answers = other.waitForResponse('**/api/auth/login')
  await signIn(other)
  expect((await answers).status()).toBe(200)
  await expect(other.getByRole('heading', { name: 'Hello, owner' })).toBeVisible()
  await expect(other.getByRole('region', { name: 'Not saved yet' })).toBeHidden()
  await open(other, word, 'Flower shop')
  await expect(detail(other).getByRole('button', { name: 'Mark as Handled' })).toBeVisible()
  await other.getByRole('button', { name: 'Add a note' }).click()
  await expect(other.getByLabel('Note')).toHaveValue('')
  expect(writes.length).toBe(sent)

  // Somebody else signs in over this session: the other tab is theirs too, by name and rights.
  const { user } = await signedIn(request, 'editor')
  await page.goto('/admin/login')
  await signIn(page, { email: user.email, password: 'three quiet herons wade' })
  await expect(page.getByRole('heading', { name: `Hello, ${user.username}` })).toBeVisible()
  await expect(other.getByRole('button', { name: `Account: ${user.username}` })).toBeVisible()
  await expect(detail(other).getByRole('heading', { name: 'Flower shop' })).toBeVisible()
  await expect(detail(other).getByRole('button', { name: 'Delete' })).toBeHidden()
})

for (const how of ['here', 'in another tab'])
  test(`Back shows a page as it was, and after a sign-out ${how} nothing of the session`, async ({
    page,
    context,
    request,
    expectErrors,
  }) => {
    expectErrors(/status of 401/)
    const word = ownWord()
    await submit(request, 'contacts', ['Flower shop'], word)
    await enterAs(page, request, 'superuser')
    await open(page, word, 'Flower shop')
    await watchReturn(page)
    await page.goto('/faq')
    await page.evaluate(() => history.back())
    await expect(detail(page).getByText('Received from the website')).toBeVisible()
    expect(await returned(page)).toBe('hidden')

    await page.getByRole('button', { name: 'Add a note' }).click()
    await page.getByLabel('Note').fill('They were rude on the phone')
    await watchReturn(page)
    await page.goto('/faq')
    if (how === 'here') {
      // Without the server's answer, which would empty the back-forward cache.
      await page.evaluate(() => {
        for (const key of ['token', 'adminAuthenticated', 'currentUser'])
          localStorage.removeItem(key)
      })
    } else {
      const other = await context.newPage()
      await other.goto('/admin/dashboard')
      await other.getByRole('button', { name: 'Logout' }).click()
      await expect(other).toHaveURL(/\/admin\/login$/)
    }
    await page.evaluate(() => history.back())
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expect(page.getByText('Flower shop')).toHaveCount(0)
    expect(await returned(page)).toMatch(
      how === 'here' ? /^hidden$/ : /^hidden$|^not the same page$/,
    )
    expect((await sessionKeys(page)).filter((key) => key.startsWith('note:'))).toEqual([])
  })

test('an expired session keeps an unsaved change, and saves it after the sign-in', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of (401|503)/)
  const word = ownWord()
  await submit(request, 'contacts', ['Flower shop'], word)
  const owner = await signedIn(request, 'superuser')
  await interceptFromStart(page)
  await enter(page, owner)
  await open(page, word, 'Flower shop')
  await page.route('**/api/contacts/*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 503, json: { success: false, code: 'unavailable' } })
      : route.continue(),
  )
  await detail(page).getByRole('button', { name: 'Mark as Handled' }).click()
  const unsaved = page.getByRole('region', { name: 'Not saved yet' })
  await expect(unsaved).toBeVisible()
  await request.post('/api/auth/logout', { headers: { authorization: `Bearer ${owner.token}` } })
  // Its name also says how many are unread.
  await orSignIn(page.getByRole('link', { name: /^Applications/ })).click()
  await expect(page).toHaveURL(/\/admin\/login/)
  const ended = page.getByRole('status').filter({ hasText: 'Your session has ended.' })
  await expect(ended).toContainText('Once you are signed in, 1 change will be saved.')

  await signIn(page)
  await expect(unsaved).toBeVisible()
  await page.unroute('**/api/contacts/*')
  await tryNow(unsaved)
  await expect(unsaved).toBeHidden()
  await open(page, word, 'Flower shop')
  await expect(detail(page).getByText(/^Handled by owner/)).toBeVisible()
})

for (const way of ['anew', 'by Back'])
  test(`a session that ends keeps a note of a tab that had left the admin and opens it ${way}`, async ({
    page,
    context,
    request,
    expectErrors,
  }) => {
    expectErrors(/status of 401/)
    const word = ownWord()
    await submit(request, 'contacts', ['Flower shop'], word)
    const owner = await signedIn(request, 'superuser')
    await enter(page, owner)
    await open(page, word, 'Flower shop')
    await page.getByRole('button', { name: 'Add a note' }).click()
    await page.getByLabel('Note').fill('Ask for the opening hours')
    await page.goto('/')
    const other = await context.newPage()
    await other.goto('/admin/dashboard')
    await expect(other.getByRole('heading', { name: 'Hello, owner' })).toBeVisible()
    await request.post('/api/auth/logout', { headers: { authorization: `Bearer ${owner.token}` } })
    // Its name also says how many are unread.
    await orSignIn(other.getByRole('link', { name: /^Applications/ })).click()
    await expect(other).toHaveURL(/\/admin\/login/)

    if (way === 'anew') await page.goto(`/admin/contacts#q=${word}`)
    else await page.evaluate(() => history.back())
    await expect(page.getByText('Your session has ended.')).toBeVisible()
    await signIn(page)
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
    await open(page, word, 'Flower shop')
    await expect(page.getByLabel('Note')).toHaveValue('Ask for the opening hours')

    // A sign-out in the other tab is meant for this one, too, however the note came back.
    if (way === 'by Back') return
    await page.goto('/')
    await other.getByRole('button', { name: 'Logout' }).click()
    await expect(other).toHaveURL(/\/admin\/login$/)
    await page.goto('/admin/login')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect((await sessionKeys(page)).filter((key) => key.startsWith('note:'))).toEqual([])
  })

test('after an ended session one sign-in is enough for every tab, each where it was', async ({
  page,
  context,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 401/)
  const owner = await signedIn(request, 'superuser')
  await enter(page, owner)
  await page.goto('/admin/users')
  const other = await context.newPage()
  await other.goto('/admin/account')
  await expect(other.getByRole('heading', { name: 'Your account' })).toBeVisible()
  await request.post('/api/auth/logout', { headers: { authorization: `Bearer ${owner.token}` } })
  await orSignIn(page.getByRole('button', { name: 'Check Permissions' })).click()
  for (const tab of [page, other])
    await expect(tab.getByText('Your session has ended.')).toBeVisible()
  await signIn(page)
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Your account' })).toBeVisible()
  await expect(other).toHaveURL(/\/admin\/account$/)
})

test('a tab that is refused before it hears of the sign-out keeps no address for the next person', async ({
  page,
  context,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 401/)
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/dashboard')
  const other = await context.newPage()
  await other.goto('/admin/users')
  await expect(other.getByRole('heading', { name: 'User Management' })).toBeVisible()
  await page.route('**/api/auth/logout', async (route) => {
    const response = await route.fetch()
    await orSignIn(other.getByRole('button', { name: 'Check Permissions' })).click()
    await expect(other).toHaveURL(/\/admin\/login\?from=/)
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Logout' }).click()
  for (const tab of [page, other]) await expect(tab).toHaveURL(/\/admin\/login$/)
})

test('a message that meets an ended session is sent for its author alone, who sees it leave', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 401/)
  const word = ownWord()
  await submit(request, 'contacts', ['Flower shop'], word)
  const owner = await signedIn(request, 'superuser')
  const colleague = await signedIn(request, 'editor')
  await enter(page, owner)
  await open(page, word, 'Flower shop')
  await page.keyboard.press('r')
  await detail(page)
    .getByRole('textbox', { name: /^Reply via Email/ })
    .fill('We deliver on Fridays.')
  await expect(detail(page).getByText(/^Draft kept \d\d:\d\d$/)).toBeVisible()
  const sent: (string | undefined)[] = []
  page.on('request', (call) => {
    if (call.url().endsWith('/messages')) sent.push(call.headers().authorization)
  })
  await request.post('/api/auth/logout', { headers: { authorization: `Bearer ${owner.token}` } })
  await page.keyboard.press('Control+Enter')
  const ended = page.getByRole('status').filter({ hasText: 'Your session has ended.' })
  await expect(ended).toContainText('1 message will be sent; you can undo that')
  expect(await axeViolations(page)).toEqual([])
  expect(sent).toHaveLength(1)

  // Somebody else signs in in another tab: the message is not theirs.
  await page.evaluate(async (token) => {
    localStorage.setItem('token', token)
    dispatchEvent(new Event('online'))
    await fetch('/api/health')
  }, colleague.token)
  expect(sent).toHaveLength(1)

  await signIn(page)
  await expect(notice(page, 'Message to Flower shop leaves in')).toBeVisible()
  expect(sent).toHaveLength(2)
  await page.keyboard.press('z')
  await expect(detail(page).getByRole('textbox', { name: /^Reply via Email/ })).toHaveValue(
    'We deliver on Fridays.',
  )
})

test('signing out without a connection asks about a change that waits', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/)
  const word = ownWord()
  await submit(request, 'contacts', ['Flower shop'], word)
  await enterAs(page, request, 'superuser')
  await open(page, word, 'Flower shop')
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await page.keyboard.press('e')
  await expect(page.getByRole('region', { name: 'Not saved yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('alertdialog', { name: /^Sign out/ })).toContainText(
    'Not saved yet: 1 change.',
  )
})
