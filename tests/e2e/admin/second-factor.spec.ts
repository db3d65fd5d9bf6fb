import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page, Route } from '@playwright/test'
import { TOTP } from 'otpauth'
import type { Role } from '#contract/http/access.ts'
import { limits } from '#contract/limits.ts'
import { brand } from '#site/content.ts'
import {
  axeViolations,
  enterAs,
  expect,
  goTo,
  interceptFromStart,
  ownWord,
  register,
  superuser,
  test,
} from './fixtures.ts'

test.beforeEach(({ page }) => interceptFromStart(page))

const password = 'four grey geese glide'

/** Creates an account and returns what it signs in with. */
const newAccount = async (request: APIRequestContext, role: Role, more: object = {}) => {
  const name = `${role}-${randomUUID().slice(0, 8)}`
  const account = { username: name, email: `${name}@example.test`, password, role, ...more }
  await register(request, account)
  return account
}

const signIn = async (page: Page, account: { email: string; password: string }) => {
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** The code of the step after the present one, which the server accepts too: the present one may be used. */
const codeOf = (secret: string, ahead = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + ahead * 30_000 })

/** A passkey of this browser that answers by itself, for pages at `localhost`. */
const addAuthenticator = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test.describe('a step-up', () => {
  test('goes on with what needed it, keeps what was typed, and sends the same call once more', async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(/status of 40[13]/)
    const name = ownWord()
    await enterAs(page, request, 'superuser')
    await page.goto('/admin/users')
    await page.getByRole('button', { name: 'Add New User' }).click()
    await page.getByLabel('Username').fill(name)
    await page.getByLabel('Email').fill(`${name}@example.test`)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm Password').fill(password)
    // As the server answers 15 minutes after the sign-in.
    const keys: (string | undefined)[] = []
    page.on('request', (sent) => {
      if (sent.url().endsWith('/register')) keys.push(sent.headers()['idempotency-key'])
    })
    await page.route(
      '**/api/auth/register',
      (route) => route.fulfill({ status: 403, json: { success: false, code: 'step_up_required' } }),
      { times: 2 },
    )
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await page.getByRole('button', { name: 'Add User' }).click()
    await expect(dialog.getByLabel('Your password')).toBeFocused()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByLabel('Username')).toHaveValue(name)

    await page.getByRole('button', { name: 'Add User' }).click()
    await dialog.getByLabel('Your password').fill('not the password')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toHaveText('The password is wrong.')
    await dialog.getByLabel('Your password').fill(superuser.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('User added successfully!')).toBeVisible()
    await expect(dialog).toBeHidden()
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
  })
})

test('a password that somebody else has set is changed before anything else', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 403/)
  const account = await newAccount(request, 'editor', { mustChangePassword: true })
  await page.goto('/admin/login')
  await signIn(page, account)
  await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password', { exact: true }).fill('five loud rooks argue')
  await page.getByLabel('Confirm new password').fill('five loud rooks argue')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: `Hello, ${account.username}` })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Consultations' }).first()).toBeVisible()
})

test('a role that needs a second factor is led through the set-up, then to the screen it asked for', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 403/)
  const account = await newAccount(request, 'admin')
  // As the server answers with REQUIRE_SECOND_FACTOR until there is one.
  let isMissing = true
  await page.route(/\/api\/(?!auth\/(?:login|me|totp|passkeys))/, async (route) => {
    if (!isMissing) return route.continue()
    await route.fulfill({ status: 403, json: { success: false, code: 'second_factor_required' } })
  })
  await page.goto('/admin/login?from=/admin/contacts')
  await signIn(page, account)
  await expect(page.getByRole('heading', { name: 'Add a second factor' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Contacts' })).toBeHidden()
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  isMissing = false
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeVisible()
})

test('an authenticator app is set up, asked for at the sign-in, and replaced by a recovery code', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 401/)
  const account = await newAccount(request, 'admin')
  await page.goto('/admin/login')
  await expect(page.getByText('Passkeys need a name in the address')).toBeVisible()
  await signIn(page, account)
  await page.getByRole('link', { name: 'Add a second factor' }).click()
  await expect(page.getByText('Passkeys need a name in the address')).toBeVisible()
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeFocused()
  const codes = await page.locator('section ol li').allTextContents()
  expect(codes).toHaveLength(10)
  expect(await axeViolations(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe(
    `${brand().name.toLowerCase()}-recovery-codes.txt`,
  )
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByRole('row', { name: /Recovery codes 10 left/ })).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await signIn(page, account)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await expect(page.getByLabel('Code of your authenticator app')).toBeFocused()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeViolations(page), colorScheme).toEqual([])
  }
  await page.getByLabel('Code of your authenticator app').fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('The code is wrong')
  await page.getByLabel('Code of your authenticator app').fill(codeOf(secret, 1))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: `Hello, ${account.username}` })).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await signIn(page, account)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(codes[0] ?? '')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: `Hello, ${account.username}` })).toBeVisible()
  await goTo(page, '/admin/account')
  await expect(page.getByRole('row', { name: /Recovery codes 9 left/ })).toBeVisible()
})

test.describe('at localhost', () => {
  test.use({ baseURL: `http://localhost:${process.env.E2E_PORT}` })

  test('a passkey that is cancelled before its prompt opens or fails is not heard of again', async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(/status of 503/)
    const account = await newAccount(request, 'admin')
    await page.addInitScript(() => {
      const create = () => {
        document.title = 'A prompt is open'
        return new Promise(() => {})
      }
      Object.assign(navigator.credentials, { create })
    })
    const options = '**/api/auth/passkeys/options'
    await page.goto('/admin/login')
    await signIn(page, account)
    await page.getByRole('link', { name: 'Add a second factor' }).click()
    for (const failure of [
      undefined,
      { status: 503, json: { success: false, code: 'unavailable' } },
    ]) {
      const held = Promise.withResolvers<void>()
      const hold = async (route: Route) => {
        await held.promise
        await (failure ? route.fulfill(failure) : route.continue())
      }
      await page.route(options, hold, { times: 1 })
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByLabel('Name of the passkey').fill('Laptop')
      const answered = page.waitForResponse(options)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: 'Waiting...' })).toBeVisible()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeEnabled()
      held.resolve()
      await (await answered).finished()
      // A later answer comes after what the held one would have begun.
      await page.evaluate(() => fetch('/api/health').then((health) => health.text()))
      await expect(page.getByRole('alert')).toHaveCount(0)
      await expect(page).not.toHaveTitle('A prompt is open')
      await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeEnabled()
    }
  })

  test('no passkey is asked for once the password has signed in', async ({ page, request }) => {
    const account = await newAccount(request, 'admin')
    await page.addInitScript(() => {
      const get = ({ mediation }: CredentialRequestOptions) => {
        if (mediation !== 'conditional') document.documentElement.dataset.prompt = 'open'
        return new Promise(() => {})
      }
      Object.assign(navigator.credentials, { get })
    })
    const held = Promise.withResolvers<void>()
    await page.route('**/api/auth/passkeys/sign-in/options', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/admin/login')
    const answered = page.waitForResponse('**/api/auth/passkeys/sign-in/options')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await signIn(page, account)
    await expect(page.getByRole('heading', { name: `Hello, ${account.username}` })).toBeVisible()
    held.resolve()
    await (await answered).finished()
    // A later answer comes after what the held one would have begun.
    await page.evaluate(() => fetch('/api/health').then((health) => health.text()))
    await expect(page.locator('html')).not.toHaveAttribute('data-prompt')
  })

  test('a passkey is no longer waited for after another way was chosen', async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(/status of 401/)
    const account = await newAccount(request, 'admin')
    // An authenticator that nobody touches.
    await page.addInitScript(() => {
      const wait = ({ signal }: { signal?: AbortSignal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
      Object.assign(navigator.credentials, { create: wait, get: wait })
    })
    await page.setViewportSize({ width: 390, height: 500 })
    await page.goto('/admin/login')
    await signIn(page, account)
    await page.getByRole('link', { name: 'Add a second factor' }).click()
    await expect(page.getByRole('heading', { name: 'Second factor' })).toBeInViewport()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name of the passkey').fill('Laptop')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Waiting...' })).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeEnabled()
    await expect(page.getByRole('alert')).toHaveCount(0)

    const secondFactor = {
      challenge: 'wanted',
      methods: ['passkey', 'totp'],
      expiresAt: new Date(Date.now() + 300_000).toISOString(),
      options: {
        challenge: 'AAAA',
        rpId: 'localhost',
        timeout: 60_000,
        userVerification: 'required',
      },
    }
    await page.route('**/api/auth/login', (route) =>
      route.fulfill({ json: { success: true, secondFactor } }),
    )
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await signIn(page, account)
    await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('button', { name: 'Waiting...' })).toBeVisible()
    await page.getByRole('button', { name: 'Use the authenticator app' }).click()
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeEnabled()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  test('a passkey that the button asks for is waited for while the autofill is renewed', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => true
      const wait = ({ signal }: { signal?: AbortSignal }) =>
        new Promise((_, reject) => {
          console.log('prompt opened')
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
      Object.assign(navigator.credentials, { get: wait })
    })
    let prompts = 0
    page.on('console', (line) => {
      if (line.text() === 'prompt opened') prompts += 1
    })
    await page.clock.install()
    const challenges: string[] = []
    page.on('request', (sent) => {
      if (sent.url().endsWith('/sign-in/options')) challenges.push(sent.url())
    })
    await page.goto('/admin/login')
    await expect.poll(() => prompts).toBe(1)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    // Only now may the clock run on: it would also end a call that is not answered yet.
    await expect.poll(() => prompts).toBe(2)
    await page.clock.runFor(limits.challengeMinutes * 60_000)
    // What was asked before it is known by then.
    await page.evaluate(() => fetch('/api/health'))
    expect(challenges).toHaveLength(2)
    await expect(page.getByRole('button', { name: 'Waiting...' })).toBeVisible()
  })

  test('a passkey that was picked from the autofill and refused says so', async ({
    page,
    expectErrors,
  }) => {
    expectErrors(/status of 40[01]/)
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => true
      const bytes = new ArrayBuffer(8)
      const picked = {
        id: 'AAAA',
        rawId: bytes,
        type: 'public-key',
        response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes },
        getClientExtensionResults: () => ({}),
      }
      Object.assign(navigator.credentials, { get: async () => picked })
    })
    await page.goto('/admin/login')
    await expect(page.getByRole('alert')).toBeVisible()
  })

  test('a passkey is added, renamed, signs in with one touch, and is removed', async ({
    page,
    request,
    expectErrors,
  }) => {
    // A list that is still loading when the person signs out.
    expectErrors(/status of 401/)
    const account = await newAccount(request, 'admin')
    await addAuthenticator(page)
    await page.goto('/admin/login')
    await signIn(page, account)
    await page.getByRole('link', { name: 'Add a second factor' }).click()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name of the passkey').fill('Laptop')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('button', { name: 'Rename Laptop' }).click()
    await page.getByRole('dialog').getByLabel('Name of the passkey').fill('Old laptop')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('row', { name: /Old laptop/ })).toContainText('never')

    // The authenticator picks the passkey that the autofill offers.
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: `Hello, ${account.username}` })).toBeVisible()
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
    })
    await page.goto('/admin/account')
    await expect(page.getByRole('row', { name: /Old laptop/ })).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('heading', { name: `Hello, ${account.username}` })).toBeVisible()
    await goTo(page, '/admin/account')
    await expect(page.getByRole('row', { name: /Old laptop/ })).not.toContainText('never')
    expect(await axeViolations(page)).toEqual([])

    await page.getByRole('button', { name: 'Remove Old laptop' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('row', { name: /Old laptop/ })).toBeHidden()
  })
})
