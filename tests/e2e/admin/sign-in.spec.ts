import {
  brandName,
  enter,
  enterAs,
  expect,
  interceptFromStart,
  superuser,
  test,
} from './fixtures.ts'

test.beforeEach(({ page }) => interceptFromStart(page))

const fill = async (page: import('@playwright/test').Page, email: string, password: string) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

const stored = (page: import('@playwright/test').Page) =>
  page.evaluate(() => Object.keys(localStorage).sort())

test.describe('with refusals', () => {
  test('a refused profile check ends the session here and asks to sign in', async ({
    page,
    expectErrors,
  }) => {
    expectErrors(/status of 401/)
    await enter(page, {
      token: 'no longer valid',
      user: { id: '', username: '', email: '', role: 'admin', isSuperuser: false },
    })
    await page.goto('/admin/consultations?status=pending')
    await expect(page).toHaveURL(/\/admin\/login\?from=%2Fadmin%2Fconsultations/)
    expect(await stored(page)).toEqual(['lapsed'])
  })

  test('an unreachable server keeps the session, every change of path checks the profile again, and signing out forgets everything, whatever the server says', async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(/status of 503/, /ERR_FAILED/)
    await enterAs(page, request, 'superuser')
    await page.route('**/api/auth/me', (route) => route.fulfill({ status: 503, json: {} }))
    await page.goto('/admin/contacts')
    await expect(page.getByRole('heading', { name: 'The server cannot be reached' })).toBeVisible()
    expect(await stored(page)).toEqual(['adminAuthenticated', 'currentUser', 'token'])
    await page.unroute('**/api/auth/me')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Contacts' })).toBeVisible()

    for (const name of ['Applications', 'Consultations']) {
      const checked = page.waitForResponse('**/api/auth/me')
      await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name }).click()
      expect((await checked).status()).toBe(200)
    }

    await page.route('**/api/auth/logout', (route) => route.abort())
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/admin\/login$/)
    expect(await stored(page)).toEqual([])
  })
})

test('a sign-in that lacks a field, is refused or finds no server says what to do, and stores nothing', async ({
  page,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/, /status of (401|503)/)
  await page.goto('/admin/login')
  const alert = page.getByRole('alert')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(alert).toContainText('Please enter both username and password')
  for (const name of ['Email', 'Password']) {
    await page.getByRole('link', { name: `${name} is missing.` }).click()
    const field = page.getByRole('textbox', { name, exact: true })
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
  }

  await fill(page, 'nobody@example.test', 'not the password')
  await expect(alert).toHaveText('Invalid credentials')
  await expect(alert).toBeFocused()

  await page.route('**/api/auth/login', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(alert).toHaveText(
    'An error occurred during login The server cannot be reached. Check your connection, then try again.',
  )
  await expect(alert).toBeFocused()
  for (const [answer, text] of [
    [
      { status: 503, json: {} },
      'An error occurred during login The server cannot answer at the moment. Try again in a minute.',
    ],
    [{ json: { success: true } }, 'No token received from server'],
    [{ json: {} }, 'Invalid response from server'],
  ] as const) {
    await page.route('**/api/auth/login', (route) => route.fulfill(answer), { times: 1 })
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(alert).toContainText(text)
  }
  expect(await stored(page)).toEqual([])
})

test('without a session the route is remembered, and returned to after signing in', async ({
  page,
}) => {
  // Plain HTTP has none.
  await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, 'randomUUID'))
  await page.goto('/admin/applications?status=new&sort=name')
  await expect(page).toHaveTitle(`Sign in | ${brandName}`)
  await fill(page, superuser.email.toUpperCase(), superuser.password)
  await expect(page).toHaveURL('/admin/applications?status=new&sort=name')
  await expect(page.getByRole('heading', { name: 'Applications', exact: true })).toBeVisible()
  await expect(page).toHaveTitle(`Applications | ${brandName}`)
  expect(await stored(page)).toEqual(['adminAuthenticated', 'currentUser', 'device', 'token'])
})

test('a return route outside the admin leads to the dashboard', async ({ page }) => {
  await page.goto('/admin/login?from=https://evil.test/admin/users')
  await fill(page, superuser.email, superuser.password)
  await expect(page).toHaveURL('/admin/dashboard')
})

test('the sign-in shows the password on request, and the theme switch is remembered', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/admin/login')
  const scheme = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await scheme()
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  expect(await scheme()).not.toBe(light)
  await page.reload()
  expect(await scheme()).not.toBe(light)

  await page.getByLabel('Password').fill(superuser.password)
  await expect(page.getByLabel('Password')).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(page.getByLabel('Password')).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(page.getByLabel('Password')).toHaveAttribute('type', 'password')
})
