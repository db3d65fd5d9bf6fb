import type { Page } from '@playwright/test'
import { parse } from 'node-html-parser'
import { samples } from '#server/intake/samples.ts'
import { brand, packageServices, positionLabel, serviceLabel, talkService } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import { pageWords } from '#site/page-words.ts'
import { axeViolations } from '#tests/axe.ts'
import { expect, test } from '#tests/e2e/fixtures.ts'
import {
  allForms,
  application,
  consultation,
  contact,
  fill,
  open,
  ownText,
  openPosition as position,
  reload,
  submitButton,
} from './forms.ts'

const takesApplications = !isOff('/apply')

interface Stop {
  name: string | null
  type: string | null
  label: string | undefined
}

/** The focused control. */
const stop = (page: Page): Promise<Stop> =>
  page.evaluate(() => {
    const control = document.activeElement as HTMLInputElement
    return {
      name: control.getAttribute('name'),
      type: control.getAttribute('type'),
      label: control.labels?.[0]?.textContent,
    }
  })

const enter = (page: Page, { type, label }: Stop, values: Record<string, string>) => {
  if (type === 'checkbox') return page.keyboard.press('Space')
  const value = (label && values[label]) || ''
  const [year = '', month, day] = type === 'date' ? value.split('-') : []
  return page.keyboard.type(month ? `${month}${day}${year}` : value)
}

for (const form of allForms) {
  test(`${form.path}: the keyboard alone fills and sends the form, in reading order, and the success panel has focus`, async ({
    page,
  }) => {
    await open(page, form)
    const values = { ...form.values, ...ownText(form) }
    const first = page.getByLabel('Name', { exact: true })
    await first.focus()
    const visited: (string | null)[] = []
    for (let step = 0; step < 40; step += 1) {
      const at = await stop(page)
      if (at.type === 'submit') break
      // A date field has several tab stops.
      if (!visited.includes(at.name)) await enter(page, at, values)
      visited.push(at.name)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    expect(visited).not.toContain('website')

    const panel = page.getByRole('status').filter({ hasText: form.sent })
    await expect(panel).toBeFocused()
    await expect(page.getByRole('heading', { name: form.sent })).toBeVisible()
    await expect(page).toHaveTitle(`${form.sent} | ${brand().name}`)
    await expect(panel.getByText(/^[0-9A-F]{8}$/)).toBeVisible()
    await expect(page.getByRole('form')).toHaveCount(0)
  })
}

// One engine sends and keeps all forms: what only it does is tried on one of them.

test('an invalid form sends nothing, and lists all its problems with links to their fields', async ({
  page,
}) => {
  test.skip(!takesApplications, 'This site takes no applications')
  const form = application
  await open(page, form)
  await fill(page, form, { Email: 'no address', Name: '' })
  await submitButton(page, form).click()
  const summary = page.getByRole('alert')
  await expect(summary).toBeFocused()
  await expect(summary.getByRole('link')).toHaveText([
    'Name is missing.',
    'Email must look like name@example.com.',
  ])
  const email = page.getByLabel('Email', { exact: true })
  await expect(email).toHaveAccessibleDescription(/Email must look like name@example.com\./)
  await summary.getByRole('link', { name: 'Email must' }).click()
  await expect(email).toBeFocused()
  await expect(submitButton(page, form)).toBeEnabled()
})

test('a draft comes back after a reload, says so, and is gone once it is cleared or four hours old; a text near its limit shows the number of characters', async ({
  page,
}) => {
  const form = contact
  await open(page, form)
  const text = ownText(form)
  await fill(page, form, text)
  await reload(page)
  const [[label = '', value = ''] = []] = Object.entries(text)
  await expect(page.getByLabel(label, { exact: true })).toHaveValue(value)
  await expect(page.getByText('What you typed earlier is back.')).toBeVisible()
  if (form.agrees) await expect(page.getByRole('checkbox')).not.toBeChecked()

  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByLabel(label, { exact: true })).toHaveValue('')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await reload(page)
  await expect(page.getByLabel(label, { exact: true })).toHaveValue('')

  await fill(page, form, text)
  await expect(page.getByText('Your text is kept in this tab for 4 hours.')).toBeVisible()
  await page.evaluate(() => {
    const draft = JSON.parse(sessionStorage.getItem('draft:contacts') ?? '{}')
    addEventListener('pagehide', () =>
      sessionStorage.setItem(
        'draft:contacts',
        JSON.stringify({ ...draft, savedAt: Date.now() - 4 * 3_600_000 - 1 }),
      ),
    )
  })
  await reload(page)
  await expect(page.getByLabel(label, { exact: true })).toHaveValue('')

  const message = page.getByLabel('Message', { exact: true })
  await message.fill('x'.repeat(4_499))
  await expect(page.getByText(/of 5,000 characters/)).toHaveCount(0)
  await message.fill('x'.repeat(4_500))
  await expect(message).toHaveAccessibleDescription('4,500 of 5,000 characters')
})

test('where the browser stores nothing, the form does not say that text is kept, and is sent', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('No storage', 'SecurityError')
      },
    })
  })
  await open(page, contact)
  await fill(page, contact, ownText(contact))
  await expect(page.getByRole('form').getByRole('status')).toHaveText('')
  await submitButton(page, contact).click()
  await expect(page.getByRole('heading', { name: contact.sent })).toBeVisible()
})

test('what is typed before the script runs stays and is kept', async ({ page }) => {
  const form = consultation
  const script = Promise.withResolvers<void>()
  await page.route(/\/_astro\/.*\.js$/, async (route) => {
    await script.promise
    await route.continue()
  })
  await page.goto(form.path, { waitUntil: 'commit' })
  await page.getByLabel('Name', { exact: true }).fill('Typed early')
  if (form.agrees) await page.getByRole('checkbox').check()
  script.resolve()
  await expect(page.getByText('Your text is kept in this tab for 4 hours.')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Typed early')
  if (form.agrees) await expect(page.getByRole('checkbox')).toBeChecked()
})

test('every state passes axe in both themes', async ({ page, expectErrors }) => {
  test.skip(!takesApplications, 'This site takes no applications')
  const form = application
  expectErrors(/status of 400/)
  test.slow()
  const check = async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const rules = colorScheme === 'light' ? 'all' : 'colours'
      expect(await axeViolations(page, rules), colorScheme).toEqual([])
    }
  }
  await open(page, form)
  await fill(page, form, { ...ownText(form), Email: 'owner@cafe' })
  await submitButton(page, form).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await check()
  await page.getByLabel('Email', { exact: true }).fill('owner@cafe.example')
  await submitButton(page, form).click()
  await expect(page.getByRole('heading', { name: form.sent })).toBeVisible()
  await check()
})

test('each field has its name, help, limit, autocomplete purpose and keyboard, a URL of http or https a link that opens it, and nobody meets the trap', async ({
  page,
}) => {
  test.skip(!takesApplications, 'This site takes no applications')
  await open(page, application, `/apply/${position}`)
  await expect(page.getByRole('form', { name: 'Application', exact: true })).toBeVisible()
  await expect(page.getByLabel('Phone', { exact: true })).toHaveAccessibleDescription(
    'optional Only for the day of an interview.',
  )
  await expect(page.getByLabel('Resume link')).toHaveAccessibleDescription(
    /must be publicly accessible/,
  )
  await expect(page.getByLabel('Year of study')).toHaveAccessibleDescription(/from 1 to 6/)
  if (position !== 'other')
    await expect(page.getByRole('status', { name: 'Position' })).toHaveText(positionLabel(position))
  await expect(page.getByRole('textbox', { name: /empty/ })).toHaveCount(0)
  const trap = page.locator('[name=website]')
  await expect(trap).toHaveAttribute('tabindex', '-1')
  await expect(trap).not.toBeInViewport()

  const year = page.getByLabel('Year of study')
  await expect(year).toHaveAttribute('min', '1')
  await expect(year).toHaveAttribute('max', '6')
  const attributes = {
    Name: { autocomplete: 'name', maxlength: '100' },
    Email: { autocomplete: 'email', inputmode: 'email', type: 'email', maxlength: '254' },
    Phone: { autocomplete: 'tel', inputmode: 'tel', type: 'tel', maxlength: '32' },
    Location: { autocomplete: 'address-level2', maxlength: '120' },
    'Portfolio link': { autocomplete: 'url', type: 'url', maxlength: '2048' },
    'Cover letter': { maxlength: '10000' },
  }
  for (const [label, expected] of Object.entries(attributes))
    for (const [name, value] of Object.entries(expected))
      await expect(page.getByLabel(label, { exact: true })).toHaveAttribute(name, value)

  const portfolio = page.getByLabel('Portfolio link', { exact: true })
  const link = page.getByRole('link', { name: 'Open portfolio link in a new tab' })
  for (const text of ['', 'portfolio', 'javascript:alert(1)', 'ftp://work.example']) {
    await portfolio.fill(text)
    await expect(link).toHaveCount(0)
  }
  await portfolio.fill('https://work.example/me')
  await expect(link).toHaveAttribute('href', 'https://work.example/me')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(portfolio).toHaveValue('')
  await expect(link).toHaveCount(0)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  for (const form of allForms) {
    test(`${form.path}: a refused form comes back with its problems, every value, and can be sent to its thank-you page`, async ({
      page,
      expectErrors,
    }) => {
      expectErrors(/status of 400/)
      await page.goto(form.path)
      const changes = { ...ownText(form), Name: 'Zoë "Z" <O’Hara>', Email: 'owner@cafe' }
      await fill(page, form, changes)
      await submitButton(page, form).click()

      const summary = page.getByRole('alert')
      await expect(summary).toContainText('One field needs a look')
      await expect(summary).toBeFocused()
      const link = summary.getByRole('link', { name: 'Email must look like name@example.com.' })
      const email = page.getByLabel('Email', { exact: true })
      await expect(link).toHaveAttribute('href', `#${await email.getAttribute('id')}`)
      await expect(email).toHaveAttribute('aria-invalid', 'true')
      for (const [label, value] of Object.entries({ ...form.values, ...changes }))
        await expect(page.getByLabel(label, { exact: true })).toHaveValue(value)
      await expect(page).toHaveTitle(new RegExp(` \\| ${brand().name}$`))

      await email.fill('owner@cafe.example')
      if (form.agrees) await page.getByRole('checkbox').check()
      await submitButton(page, form).click()
      await page.waitForURL(form.thanks)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(form.sent)
      await expect(page.getByRole('heading', { name: 'What happens next' })).toBeVisible()
    })
  }
})

test('the page itself contains the right service and position', async ({ request }) => {
  const shows = async (path: string, intro: string, value: string) => {
    const page = parse(await (await request.get(path)).text())
    expect([path, page.querySelector('.intro')?.text]).toEqual([path, intro])
    const field = page.querySelector('form [name=service], form [name=position]')
    // A choice has its first option until the visitor chooses another.
    const chosen =
      field?.querySelector('option[selected]') ?? field?.querySelector('option') ?? field
    expect([path, chosen?.getAttribute('value')]).toEqual([path, value])
  }
  const requesting = 'You are requesting a consultation for '
  const applying = 'You are applying for the '
  await shows(
    '/consultation-form',
    'Please fill out the form below to request a consultation',
    'custom',
  )
  for (const id of [talkService(), ...packageServices()])
    await shows(`/consultation-form?service=${id}`, `${requesting}${serviceLabel(id)}`, id)
  await shows('/consultation-form?service=else', `${requesting}${serviceLabel('custom')}`, 'custom')
  if (!takesApplications) return
  await shows('/apply', pageWords('apply').intro, 'other')
  if (position !== 'other')
    await shows(
      `/apply?position=${position}`,
      `${applying}${positionLabel(position)} position`,
      position,
    )
  await shows('/apply?position=else', `${applying}${positionLabel('other')} position`, 'other')
})

test('a choice that is offered no more since it was made is asked for again', async ({ page }) => {
  const service = String(samples.consultations.service)
  await open(page, consultation)
  const choice = page.getByLabel('Service', { exact: true })
  await choice.selectOption(service)
  await page.getByLabel('Name', { exact: true }).fill('Somebody')
  await page.route(page.url(), async (route) => {
    const body = await (await route.fetch()).text()
    await route.fulfill({ body: body.replaceAll(service, 'another'), contentType: 'text/html' })
  })
  await reload(page)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Somebody')
  await expect(choice.locator('option').first()).toHaveJSProperty('selected', true)
})

test('a form opened without a choice asks for one, sends it, and keeps it through a reload', async ({
  page,
}) => {
  for (const [form, label, value] of [
    [consultation, 'Service', String(samples.consultations.service)],
    [application, 'Position', position],
  ] as const) {
    if (!allForms.includes(form)) continue
    await open(page, form)
    const choice = page.getByLabel(label, { exact: true })
    await choice.selectOption(value)
    await reload(page)
    await expect(choice).toHaveValue(value)
    await fill(page, form, ownText(form))
    const sent = page.waitForRequest((request) => request.url().endsWith(form.endpoint))
    await submitButton(page, form).click()
    expect((await sent).postDataJSON()).toMatchObject({ [label.toLowerCase()]: value })
    await expect(page.getByRole('heading', { name: form.sent })).toBeVisible()
  }
})
