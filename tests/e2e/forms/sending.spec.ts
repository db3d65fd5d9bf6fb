import { isOff } from '#site/features.ts'
import { expect, test } from '#tests/e2e/fixtures.ts'
import {
  application,
  comesAlive,
  consultation,
  contact,
  fill,
  open,
  ownText,
  openPosition as position,
  reload,
  submissions,
  submitButton,
  unique,
} from './forms.ts'

// One engine sends and keeps all forms: what only it does is tried on one of them.

test('the button shows that it sends, and sends once when pressed several times', async ({
  page,
}) => {
  const form = contact
  const sent = submissions(page, form)
  const answer = Promise.withResolvers<void>()
  await page.route(form.endpoint, async (route) => {
    await answer.promise
    await route.continue()
  })
  await open(page, form)
  await fill(page, form, ownText(form))
  await submitButton(page, form).dblclick()

  await expect(page.getByRole('button', { name: form.sending })).toBeDisabled()
  answer.resolve()
  await expect(page.getByRole('heading', { name: form.sent })).toBeVisible()
  expect(sent).toHaveLength(1)
})

test('a position that closes while its form is open is named, and the summary leads to it', async ({
  page,
  expectErrors,
}) => {
  test.skip(isOff('/apply'), 'This site takes no applications')
  expectErrors(/status of 400/)
  const closed = 'It takes no applications now.'
  await page.route(application.endpoint, (route) =>
    route.fulfill({
      status: 400,
      json: {
        success: false,
        code: 'invalid',
        message: closed,
        error: [closed],
        fields: { agree: ['Agree.'], name: ['Name is missing.'], position: [closed] },
      },
    }),
  )
  for (const path of [`/apply?position=${position}`, '/apply']) {
    await open(page, application, path)
    await fill(page, application, ownText(application))
    await submitButton(page, application).click()
    const links = page.getByRole('alert').getByRole('link')
    await expect(links).toHaveText([closed, 'Name is missing.', 'Agree.'])
    await links.first().click()
    await expect(page.locator('#applications-position')).toBeFocused()
    await expect(page.locator('#applications-position-error')).toHaveText(closed)
  }
})

test('after a server failure text and key are kept, and a retry makes one record', async ({
  page,
  expectErrors,
}) => {
  const form = consultation
  expectErrors(/status of 502/)
  const sent = submissions(page, form)
  let failing = true
  await page.route(form.endpoint, (route) =>
    failing ? route.fulfill({ status: 502, body: 'Bad gateway' }) : route.continue(),
  )
  await open(page, form)
  await fill(page, form, ownText(form))
  await submitButton(page, form).click()

  const alert = page.getByRole('alert')
  await expect(alert).toContainText(form.failed)
  await expect(alert).toBeFocused()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(form.values.Name ?? '')
  failing = false
  await submitButton(page, form).click()
  await expect(page.getByRole('heading', { name: form.sent })).toBeVisible()

  const keys = sent.map((request) => request.headers()['idempotency-key'])
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  expect(sent[0]?.postData()).toBe(sent[1]?.postData())
})

test('a lost answer and a retry make one record', async ({ page, expectErrors }) => {
  test.skip(isOff('/apply'), 'This site takes no applications')
  const form = application
  expectErrors(/ERR_CONNECTION_RESET/)
  const ids: string[] = []
  let losing = true
  await page.route(form.endpoint, async (route) => {
    const response = await route.fetch()
    ids.push((await response.json()).data._id)
    if (losing) await route.abort('connectionreset')
    else await route.fulfill({ response })
  })
  await open(page, form)
  await fill(page, form, ownText(form))
  await submitButton(page, form).click()
  await expect(page.getByRole('alert')).toContainText('Nothing you typed is lost.')
  losing = false
  await submitButton(page, form).click()
  await expect(page.getByRole('heading', { name: form.sent })).toBeVisible()
  expect(ids).toHaveLength(2)
  expect(ids[0]).toBe(ids[1])
})

test('the earliest preferred date and the promise, at the top of the page after sending, are in the visitor’s time zone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await open(page, consultation)
  const today = await page.evaluate(() => {
    const now = new Date()
    now.setMinutes(now.getMinutes() - now.getTimezoneOffset())
    return now.toISOString().slice(0, 10)
  })
  await expect(page.getByLabel('Preferred date')).toHaveAttribute('min', today)
  await fill(page, consultation, ownText(consultation))
  await submitButton(page, consultation).click()
  await expect(page.getByRole('heading', { name: consultation.sent })).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await expect(page.getByText('You hear from us by')).toBeVisible()
  const steps = page.locator('.steps > li')
  await expect(steps.first()).toContainText('– done')
  await expect(steps.nth(1)).toHaveAttribute('aria-current', 'step')
  await expect(page.getByText(/^\w+day \d{1,2} \w+, \d{2}:\d{2}$/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Services' })).toHaveAttribute(
    'href',
    '/consultation',
  )
})

test('offline, a form says so, keeps everything, and sends itself once online', async ({
  page,
  context,
  expectErrors,
}) => {
  expectErrors(/ERR_INTERNET_DISCONNECTED/)
  await open(page, contact)
  await fill(page, contact, ownText(contact))
  await context.setOffline(true)
  await submitButton(page, contact).click()

  const alert = page.getByRole('alert')
  await expect(alert).toContainText('You are offline.')
  await expect(alert).toBeFocused()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(contact.values.Name ?? '')
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: contact.sent })).toBeVisible()
})

test('a form that waits for the network and is edited or stopped does not send itself', async ({
  page,
  context,
  expectErrors,
}) => {
  expectErrors(/ERR_INTERNET_DISCONNECTED/)
  await open(page, contact)
  const sent = submissions(page, contact)
  await fill(page, contact, ownText(contact))
  await context.setOffline(true)
  await submitButton(page, contact).click()
  await expect(page.getByRole('alert')).toContainText('You are offline.')
  await page.getByLabel('Message', { exact: true }).press('End')
  await page.getByLabel('Message', { exact: true }).press('x')
  await expect(page.getByRole('alert')).toHaveCount(0)

  await submitButton(page, contact).click()
  await page.getByRole('button', { name: 'Don’t send it by itself' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(submitButton(page, contact)).toBeFocused()
  await context.setOffline(false)
  await submitButton(page, contact).click()
  await expect(page.getByRole('heading', { name: contact.sent })).toBeVisible()
  expect(sent).toHaveLength(3)
})

test('a form reloaded while it is sent comes back with its text and sends once', async ({
  page,
}) => {
  const ids: string[] = []
  let hanging = true
  await page.route(consultation.endpoint, async (route) => {
    const response = await route.fetch()
    ids.push((await response.json()).data._id)
    if (!hanging) await route.fulfill({ response })
  })
  await open(page, consultation)
  await fill(page, consultation, ownText(consultation))
  await submitButton(page, consultation).click()
  await expect.poll(() => ids.length).toBe(1)

  hanging = false
  await reload(page)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Bakery owner')
  await expect(page.getByRole('checkbox')).not.toBeChecked()
  await page.getByRole('checkbox').check()
  await submitButton(page, consultation).click()
  await expect(page.getByRole('heading', { name: consultation.sent })).toBeVisible()
  expect(ids).toHaveLength(2)
  expect(ids[0]).toBe(ids[1])
})

test('two tabs with one draft make one record', async ({ page, context }) => {
  const sent = submissions(page, consultation)
  await open(page, consultation)
  await fill(page, consultation, ownText(consultation))
  const opened = context.waitForEvent('page')
  await page.evaluate(() => void window.open('/consultation-form'))
  const copy = await opened
  const sentByCopy = submissions(copy, consultation)
  await comesAlive(copy)
  await expect(copy.getByLabel('Name', { exact: true })).toHaveValue(consultation.values.Name ?? '')

  await submitButton(page, consultation).click()
  await expect(page.getByRole('heading', { name: consultation.sent })).toBeVisible()
  await copy.getByRole('checkbox').check()
  await submitButton(copy, consultation).click()
  await expect(copy.getByRole('heading', { name: consultation.sent })).toBeVisible()
  const reference = (tab: typeof page) => tab.getByText(/^[0-9A-F]{8}$/).textContent()
  expect(await reference(copy)).toBe(await reference(page))
  expect(sentByCopy[0]?.headers()['idempotency-key']).toBe(sent[0]?.headers()['idempotency-key'])
})

test('Back after success shows an empty form, and the next request has a key of its own', async ({
  page,
}) => {
  const sent = submissions(page, consultation)
  await open(page, consultation)
  await fill(page, consultation, ownText(consultation))
  await submitButton(page, consultation).click()
  await expect(page.getByRole('heading', { name: consultation.sent })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Services' }).click()
  await page.waitForURL('/consultation')
  await page.goBack()
  await reload(page)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  await fill(page, consultation, ownText(consultation))
  await submitButton(page, consultation).click()
  await expect(page.getByRole('heading', { name: consultation.sent })).toBeVisible()
  const keys = sent.map((request) => request.headers()['idempotency-key'])
  expect(new Set(keys).size).toBe(2)
})

test('a key that the server knows with other content has its message, and a retry is a new request', async ({
  page,
  expectErrors,
}) => {
  expectErrors(/ERR_CONNECTION_RESET/, /status of 409/)
  const sent = submissions(page, contact)
  let answered = false
  await page.route(contact.endpoint, async (route) => {
    if (answered) return route.continue()
    answered = true
    await route.fetch()
    await route.abort('connectionreset')
  })
  await open(page, contact)
  await fill(page, contact, ownText(contact))
  await submitButton(page, contact).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page
    .getByLabel('Message', { exact: true })
    .fill('Quite another message, about an online shop.')
  await submitButton(page, contact).click()
  await expect(page.getByRole('alert')).toContainText('has already arrived')
  await submitButton(page, contact).click()
  await expect(page.getByRole('heading', { name: contact.sent })).toBeVisible()
  const keys = sent.map((request) => request.headers()['idempotency-key'])
  expect(keys[0]).toBe(keys[1])
  expect(keys[2]).not.toBe(keys[1])
})

test('a refused field shows its message, and a focused summary links to it, at 400 % zoom too', async ({
  page,
  expectErrors,
}) => {
  expectErrors(/status of 400/)
  await page.setViewportSize({ width: 320, height: 256 })
  await open(page, consultation)
  await fill(page, consultation, { Email: 'owner@bakery', Phone: 'call me at five' })
  await submitButton(page, consultation).click()

  const summary = page.getByRole('alert')
  await expect(summary).toBeFocused()
  await expect(summary).toBeInViewport()
  await expect(summary.getByRole('heading')).toHaveText('Two fields need a look')
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0)
  const email = page.getByLabel('Email', { exact: true })
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(email).toHaveAccessibleDescription('Email must look like name@example.com.')
  await expect(page.getByRole('checkbox')).toBeChecked()
  await summary.getByRole('link', { name: /Email must/ }).click()
  await expect(email).toBeFocused()

  await email.fill('owner@bakery.example')
  await page.getByLabel('Phone').fill('(123) 456-7890')
  await submitButton(page, consultation).click()
  await expect(page.getByRole('heading', { name: consultation.sent })).toBeVisible()
})

test('a limit says how long to wait', async ({ page, expectErrors }) => {
  expectErrors(/status of 429/)
  await page.route(contact.endpoint, (route) =>
    route.fulfill({
      status: 429,
      headers: { 'Retry-After': '700' },
      json: {
        success: false,
        code: 'rate_limited',
        message: 'Too many messages from your network. Please try again later.',
      },
    }),
  )
  await open(page, contact)
  await fill(page, contact)
  await submitButton(page, contact).click()
  await expect(page.getByRole('alert')).toContainText('You can send it in 12 minutes.')
})

test('a form sent at once waits until a person could have filled it, and sends the visit’s source', async ({
  page,
}) => {
  const sent = submissions(page, contact)
  await page.goto('/about?utm_source=newsletter&utm_campaign=spring')
  await open(page, contact)
  await fill(page, contact, ownText(contact))
  await submitButton(page, contact).click()
  await expect(page.getByRole('heading', { name: contact.sent })).toBeVisible()
  const body = sent[0]?.postDataJSON()
  expect(body.elapsedMs).toBeGreaterThanOrEqual(1_500)
  const timeZone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(body.source).toEqual({
    timeZone,
    landingPage: '/about',
    utm_source: 'newsletter',
    utm_campaign: 'spring',
  })
  expect(body).not.toHaveProperty('website')
})

test('an autofilled form is sent as if typed, without the trap', async ({ page }) => {
  const sent = submissions(page, contact)
  await open(page, contact)
  // A password manager or autofill sets values and dispatches events; no key is pressed.
  await page.getByRole('form').evaluate(
    (form, values) => {
      for (const [name, value] of Object.entries(values)) {
        const control = (form as HTMLFormElement).elements.namedItem(name) as HTMLInputElement
        control.value = value
        control.dispatchEvent(new Event('input', { bubbles: true }))
        control.dispatchEvent(new Event('change', { bubbles: true }))
      }
    },
    { name: 'Café owner', email: 'owner@cafe.example', message: unique('Filled in.') },
  )
  await expect(page.getByText('Your text is kept in this tab')).toBeVisible()
  await submitButton(page, contact).click()
  await expect(page.getByRole('heading', { name: contact.sent })).toBeVisible()
  expect(sent[0]?.postDataJSON()).toMatchObject({ name: 'Café owner' })
  expect(sent[0]?.postDataJSON()).not.toHaveProperty('website')
})

test('an application is sent with numbers as numbers and the chosen position', async ({ page }) => {
  test.skip(isOff('/apply'), 'This site takes no applications')
  const sent = submissions(page, application)
  await open(page, application, `/apply/${position}`)
  await fill(page, application, ownText(application))
  await submitButton(page, application).click()
  await expect(page.getByRole('heading', { name: application.sent })).toBeVisible()
  expect(sent[0]?.postDataJSON()).toMatchObject({
    position,
    yearOfStudy: 2,
    agree: true,
  })
})
