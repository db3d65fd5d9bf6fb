import type { Page } from '@playwright/test'
import {
  axeViolations,
  detail,
  enter,
  enterAs,
  expect,
  openNew,
  ownWord,
  signedIn,
  submit,
  test,
} from '../fixtures.ts'

const field = (page: Page) =>
  detail(page).getByRole('textbox', { name: /^(Send Email|Reply via Email) to Piano teacher$/ })

const open = async (page: Page, kind: 'consultations' | 'contacts', word: string) => {
  await page.goto(`/admin/${kind}#q=${word}`)
  await page.getByRole('region', { name: 'List' }).getByRole('link', { name: /Piano/ }).click()
  await expect(detail(page).getByRole('heading', { name: 'Piano teacher' })).toBeVisible()
}

const stored = (page: Page) =>
  page.waitForResponse((answer) => answer.url().endsWith('/draft') && answer.ok())

test('an answer is kept on the server while it is typed, for another device too', async ({
  page,
  request,
  browser,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Piano teacher'], word)
  const staff = await signedIn(request, 'editor')
  await enter(page, staff)
  await open(page, 'contacts', word)
  await page.keyboard.press('r')
  await expect(field(page)).toBeFocused()
  const first = stored(page)
  await field(page).fill('We tune on Fridays.')
  await first
  const second = stored(page)
  await detail(page).getByLabel('Subject').fill('Your piano')
  await second
  await expect(detail(page).getByText(/^Draft kept \d\d:\d\d$/)).toBeVisible()
  const kept = await page.evaluate(() => Object.keys(sessionStorage))
  expect(kept.filter((key) => key.startsWith('reply:'))).toEqual([])

  // Escape leads back to where the key was pressed, and keys go on there.
  const row = page.getByRole('region', { name: 'List' }).getByRole('link', { name: /Piano/ })
  await field(page).press('Escape')
  await expect(row).toBeFocused()
  await page.keyboard.press('n')
  const note = detail(page).getByRole('textbox', { name: 'Note' })
  await expect(note).toBeFocused()
  await note.press('Escape')
  await expect(row).toBeFocused()
  await page.keyboard.press('r')
  await field(page).press('Escape')
  await expect(row).toBeFocused()

  const other = await browser.newPage()
  await enter(other, staff)
  await open(other, 'contacts', word)
  await expect(field(other)).toHaveValue('We tune on Fridays.')
  await expect(detail(other).getByLabel('Subject')).toHaveValue('Your piano')
  const gone = stored(other)
  await detail(other).getByRole('button', { name: 'Discard' }).click()
  await gone
  await other.close()
})

test('the menu of views counts a draft that was begun while the list was open', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Piano teacher'], word)
  await enter(page, await signedIn(request, 'editor'))
  await page.clock.install()
  await open(page, 'contacts', word)
  await page.keyboard.press('r')
  const kept = stored(page)
  await field(page).fill('We tune on Fridays.')
  await page.clock.runFor(1_000)
  await kept
  await page.clock.runFor(16_000)
  await page.getByRole('button', { name: /^View: / }).click()
  await expect(page.getByRole('link', { name: 'Drafts 1' })).toBeVisible()
})

test('an answer that was sent on another device is no draft here', async ({ page, request }) => {
  const word = ownWord()
  const [id] = await submit(request, 'contacts', ['Piano teacher'], word)
  const staff = await signedIn(request, 'editor')
  const sendElsewhere = async (text: string) => {
    const headers = { authorization: `Bearer ${staff.token}` }
    const path = `/api/contacts/${id}/messages`
    expect((await request.post(path, { headers, data: { text } })).status()).toBe(201)
  }
  /** The page reads the record again, as when one comes back to its tab. */
  const comeBack = (check: () => Promise<void>) =>
    expect(async () => {
      await page.evaluate(() =>
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
      )
      await check()
    }).toPass()
  const write = async (text: string) => {
    const kept = stored(page)
    await field(page).fill(text)
    await kept
  }
  await enter(page, staff)
  await open(page, 'contacts', word)
  await page.keyboard.press('r')
  await write('We tune on Fridays.')
  await sendElsewhere('We tune on Fridays.')
  await comeBack(() => expect(field(page)).toHaveValue('', { timeout: 1_000 }))

  // A text that did not go stays.
  await write('On Mondays, too.')
  await sendElsewhere('We tune every day.')
  const message = detail(page).getByText('We tune every day.')
  await comeBack(() => expect(message).toBeVisible({ timeout: 1_000 }))
  await expect(field(page)).toHaveValue('On Mondays, too.')
  await expect(detail(page).getByText(/^Draft kept in this tab/)).toBeVisible()
  await page.reload()
  await expect(field(page)).toHaveValue('On Mondays, too.')

  // The record carries the beginning of a long message.
  const long = 'We tune. '.repeat(1_000).trim()
  await write(long)
  await sendElsewhere(long)
  await comeBack(() => expect(field(page)).toHaveValue('', { timeout: 1_000 }))
})

test('a first answer is one template, its blank, and sending', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'consultations', ['Piano teacher'], word)
  await enterAs(page, request, 'editor')
  await open(page, 'consultations', word)
  // One button is filled: the one at the top until there is one that sends.
  const top = detail(page).getByRole('link', { name: 'Send Email' })
  const send = detail(page).getByRole('button', { name: 'Send and mark contacted' })
  const accent = await top.evaluate((link) => getComputedStyle(link).backgroundColor)
  await detail(page).getByRole('button', { name: 'First answer' }).click()
  await expect(send).toHaveCSS('background-color', accent)
  await expect(top).not.toHaveCSS('background-color', accent)
  await expect(field(page)).toHaveValue(/^Hello Piano teacher,/)

  // Nothing leaves with a blank, and it stays selected.
  await page.keyboard.press('Control+Enter')
  await expect(detail(page).getByRole('alert')).toContainText('Not sent yet: Fill in {?')
  await page.keyboard.type('You teach the piano.')
  await expect(detail(page).getByRole('alert')).toHaveCount(0)
  await expect(field(page)).toHaveValue(/You teach the piano\..*we take one of them\./s)

  await detail(page).getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog', { name: 'The mail as it will arrive' })
  await expect(preview).toContainText(`${word}@example.test`)
  await expect(preview).toContainText('Re: Consultation request, ')
  await expect(preview).toContainText('Your reference is ')
  expect(await axeViolations(page)).toEqual([])
  await preview.getByRole('button', { name: 'Close' }).click()

  const sent = page.waitForRequest((call) => call.url().endsWith('/messages'))
  await send.click()
  expect((await sent).postDataJSON()).toMatchObject({ status: 'contacted' })
  await expect(detail(page).getByText('You teach the piano.')).toBeVisible()

  // The next template has two blanks: Tab leads from one to the other.
  await detail(page).getByRole('button', { name: 'Two times' }).click()
  await page.keyboard.type('Monday at ten')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Friday at two')
  await expect(field(page)).toHaveValue(/Would Monday at ten or Friday at two suit you/)
})

test('a placeholder that nothing fills in is named before sending', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Piano teacher'], word)
  await enterAs(page, request, 'editor')
  await open(page, 'contacts', word)
  await detail(page).getByRole('button', { name: 'Reply via Email to Piano teacher' }).click()
  await field(page).fill('Hello {?name of day}, dear {firm},')
  await page.keyboard.press('Control+Enter')
  await expect(detail(page).getByRole('alert')).toContainText('{firm} is not a placeholder')
  // The composer selects the placeholder that the error names.
  await page.keyboard.type('Bakery')
  await expect(field(page)).toHaveValue('Hello {?name of day}, dear Bakery,')
  await page.keyboard.press('Control+Enter')
  await expect(detail(page).getByRole('alert')).toContainText('Fill in {?name of day}')
  await page.keyboard.type('Monday')
  await detail(page).getByLabel('Subject').fill('For {firm}')
  await field(page).press('Control+Enter')
  await expect(detail(page).getByRole('alert')).toContainText('Nothing fills in {firm}')
  await page.keyboard.type('you')
  await expect(detail(page).getByLabel('Subject')).toHaveValue('For you')
  await expect(field(page)).toHaveValue('Hello Monday, dear Bakery,')
})

test('signing out with a note that was begun asks first', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Piano teacher'], word)
  await enter(page, await signedIn(request, 'editor'))
  await open(page, 'contacts', word)
  await detail(page).getByRole('button', { name: 'Add a note' }).click()
  await detail(page).getByLabel('Note').fill('Ask for the size of the hall')
  await page.getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('alertdialog', { name: /^Sign out/ })
  await expect(question).toContainText('Not saved yet: 1 text.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(detail(page).getByLabel('Note')).toHaveValue('Ask for the size of the hall')
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/admin\/login$/)
})

test('the name and the signature of who writes are theirs to set', async ({ page, request }) => {
  await enter(page, await signedIn(request, 'editor'))
  await page.goto('/admin/account')
  await page.getByLabel('Your name in mail').fill('Ada')
  await page.getByLabel('Signature').fill('Ada, at the desk')
  await page.getByRole('button', { name: 'Save name and signature' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Your name in mail')).toHaveValue('Ada')
})

test('the menu of templates says for which records there are none', async ({ page, request }) => {
  const template = { _id: 'one', name: 'First answer', text: 'Hello', version: 1 }
  await page.route('**/api/templates', (route) =>
    route.fulfill({ json: { success: true, data: [{ ...template, kind: 'consultations' }] } }),
  )
  await openNew(page, request, 'contacts', 'Bike shop', 'editor')
  await page.keyboard.press('r')
  await detail(page)
    .getByRole('button', { name: /^Templates/ })
    .click()
  await expect(page.getByText('No templates for contact messages yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Edit templates' }).click()
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText(/First answer/)
})
