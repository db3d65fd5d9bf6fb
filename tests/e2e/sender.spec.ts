import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { axeViolations } from '#tests/axe.ts'
import { senderPage } from '#tests/sender-page.ts'
import { expect, test } from './fixtures.ts'
import { consultation, contact, fill, open, submissions, submitButton } from './forms/forms.ts'

const mailbox = join(process.env.E2E_DATA_DIR ?? '', 'mail')

const pageIn = (email: string) => senderPage(mailbox, email)

const ownAddress = () => `sender-${crypto.randomUUID()}@people.test`

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } })

  test('a sender follows the link, replies and withdraws, by keyboard at 320 px', async ({
    page,
    expectErrors,
  }) => {
    expectErrors(/status of 404/)
    const email = ownAddress()
    await page.goto(contact.path)
    await fill(page, contact, { Email: email, Message: `From ${email}.` })
    await submitButton(page, contact).click()
    await expect(page.getByRole('heading', { name: contact.sent })).toBeVisible()
    let path = ''
    await expect.poll(async () => (path = await pageIn(email))).not.toBe('')

    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('We have your message')
    await page.getByRole('textbox', { name: 'Something to add?' }).focus()
    await page.keyboard.type('One thing more.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('article').getByText('One thing more.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('We have your reply')
    await expect(page.getByRole('img', { name: /left of 24 hours/ })).toBeVisible()

    await page.getByRole('link', { name: 'Withdraw it' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: 'Yes, withdraw it' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Withdrawn')
    const fits = async () => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBeLessThanOrEqual(320)
    }
    await fits()

    // If it is gone when a reply is sent, the text is shown again.
    const unsent = 'Is it too late?\n</textarea><b>No</b>'
    await page.getByRole('textbox', { name: 'write to us' }).fill(unsent)
    await page.locator('form.reply').evaluate((form: HTMLFormElement) => {
      form.action = form.action.replace(/[^/]+(?=\/messages$)/, 'a'.repeat(22))
    })
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link opens nothing')
    await expect(page.getByLabel('What you wrote was not sent')).toHaveValue(unsent)
    await fits()
  })
})

test('no request, no stored value and no later form names the address of a sender’s page', async ({
  page,
}) => {
  const email = ownAddress()
  await open(page, contact)
  await fill(page, contact, { Email: email, Message: `From ${email}.` })
  await submitButton(page, contact).click()
  await expect(page.getByRole('heading', { name: contact.sent })).toBeVisible()
  let path = ''
  await expect.poll(async () => (path = await pageIn(email))).not.toBe('')

  const tab = await page.context().newPage()
  const referrers: Promise<string | null>[] = []
  tab.on('request', (request) => {
    referrers.push(request.headerValue('referer'))
  })
  await tab.goto(path)
  await expect(tab.locator('html')).not.toHaveClass(/arriving/)
  await tab.evaluate(() => document.fonts.ready)
  expect(referrers.length).toBeGreaterThan(1)
  expect((await Promise.all(referrers)).filter((from) => from?.includes(path))).toEqual([])
  expect(await tab.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('/status')

  const sent = submissions(tab, contact)
  await open(tab, contact)
  await fill(tab, contact, { Email: email, Message: `Again from ${email}.` })
  await submitButton(tab, contact).click()
  await expect(tab.getByRole('heading', { name: contact.sent })).toBeVisible()
  expect(JSON.stringify(sent[0]?.postDataJSON().source)).not.toContain('/status')
})

test('after a consultation request the panel shows clock, reference and calendar file; the page by mail passes axe and keeps nothing', async ({
  page,
  expectErrors,
}) => {
  expectErrors(/status of 404/)
  const email = ownAddress()
  await open(page, consultation)
  await fill(page, consultation, { Email: email, Message: `From ${email}.` })
  await submitButton(page, consultation).click()
  await expect(page.getByRole('img', { name: '24 hours left of 24' })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Add the preferred day' }).click()
  const file = readFileSync(await (await download).path(), 'utf8')
  expect(file).toMatch(/DTSTART;VALUE=DATE:\d{8}\r\n/)
  let path = ''
  await expect.poll(async () => (path = await pageIn(email))).not.toBe('')

  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  for (const [screen, heading] of [
    ['', 'We have your request'],
    ['/correct', 'Correct what you sent'],
    ['/withdraw', 'Withdraw it?'],
    ['/erase?sent', 'Erase it for good?'],
    ['/x', 'This link opens nothing'],
  ]) {
    await page.goto(path + screen)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(String(heading))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const rules = colorScheme === 'light' ? 'all' : 'colours'
      expect(await axeViolations(page, rules), `${screen} ${colorScheme}`).toEqual([])
    }
  }
  expect(scripts).toEqual([])
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
  )
  expect(kept).not.toContain(path)
})
