import type { Page, Request, Response } from '@playwright/test'
import { samples } from '#server/intake/samples.ts'
import { serviceLabel } from '#site/content.ts'
import {
  appliedFor,
  axeEverywhere,
  axeViolations,
  brandName,
  detail,
  enterAs,
  expect,
  list,
  listNew,
  notice,
  openNew,
  ownWord,
  row,
  submit,
  test,
  tool,
  viewMenu,
} from '../fixtures.ts'

test('a consultation shows all that was sent, and what can be done with it', async ({
  page,
  request,
}) => {
  const word = await listNew(page, request, 'consultations', ['Bakery owner'], 'superuser')
  await expect(page.getByRole('heading', { name: '1 Total Consultations' })).toBeVisible()
  const open = detail(page)
  await expect(open.getByRole('heading', { name: 'Bakery owner' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('No Consultation Selected')).toBeVisible()
  await row(page, 'Bakery owner').click()
  await expect(page).toHaveURL(/id=/)
  await expect(open.getByRole('heading', { name: 'Bakery owner' })).toBeVisible()
  await expect(open.getByText(serviceLabel(String(samples.consultations.service)))).toBeVisible()
  await expect(open.getByRole('definition').filter({ hasText: 'N/A' })).toHaveCount(1)
  await expect(open.getByText('Reply by')).toBeVisible()
  await expect(open.getByRole('link', { name: 'Send Email' })).toHaveAttribute(
    'href',
    `mailto:${word}@example.test?subject=Regarding%20Your%20Consultation%20Request`,
  )

  await open.getByRole('button', { name: 'Mark as Contacted' }).click()
  await expect(open.getByText(/^Contacted by owner on .+ at \d\d:\d\d$/)).toBeVisible()
  await expect(open.getByRole('button', { name: 'Mark as Contacted' })).toBeHidden()
  await expect(open.getByRole('button', { name: 'Mark as Completed' })).toBeVisible()
  await expect(open.getByText('owner changed the status from Pending to Contacted')).toBeVisible()

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(notice(page, 'Undone: Bakery owner is as before')).toBeVisible()
  await expect(open.getByRole('button', { name: 'Mark as Contacted' })).toBeVisible()
  await expect(open.getByText(/^Contacted by/)).toBeHidden()
  await expect(open.getByText('owner undid a change')).toBeVisible()
})

test('a long text beside a choice breaks no word of it', async ({ page, request }) => {
  await openNew(page, request, 'consultations', 'Bakery owner', 'editor')
  await page.keyboard.press('t')
  const choice = page.getByRole('button', { name: /^{service}/ })
  await expect(choice).toBeVisible()
  const lines = await choice.evaluate((button) => {
    const range = document.createRange()
    range.selectNodeContents(button.firstElementChild ?? button)
    return range.getClientRects().length
  })
  expect(lines).toBe(1)
})

test('an application and a message have their own words', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'applications', ['Asha'], word)
  await submit(request, 'contacts', ['Asha'], word)
  await enterAs(page, request, 'superuser')

  await page.goto(`/admin/applications#q=${word}`)
  const open = detail(page)
  await expect(open.getByRole('heading', { name: 'Asha' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('No Application Selected')).toBeVisible()
  await row(page, 'Asha').click()
  await expect(open.getByRole('link', { name: 'Send Email' })).toHaveAttribute(
    'href',
    `mailto:${word}@example.test?subject=Regarding%20Your%20Application%20for%20${encodeURIComponent(appliedFor)}`,
  )
  const resume = open.getByRole('link', { name: 'Open' })
  await expect(resume).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(open.getByText('drive.example.com', { exact: true })).toBeVisible()
  for (const name of ['Mark as Reviewing', 'Mark as Interviewed', 'Accept Application'])
    await expect(open.getByRole('button', { name })).toBeVisible()
  await open.getByRole('button', { name: 'Reject Application' }).click()
  await expect(open.getByRole('button', { name: 'Reject Application' })).toBeHidden()

  await open.getByRole('link', { name: 'Contact message' }).click()
  await expect(page.getByRole('heading', { name: '1 Contact Message' })).toBeHidden()
  await expect(open.getByRole('link', { name: 'Reply via Email' })).toHaveAttribute(
    'href',
    `mailto:${word}@example.test?subject=Re%3A%20Your%20Message%20to%20${encodeURIComponent(brandName)}`,
  )
  await expect(
    open.getByRole('definition').filter({ hasText: /^\d+ \w+ \d{4} at \d\d:\d\d$/ }),
  ).toBeVisible()
  await open.getByRole('button', { name: 'Mark as Handled' }).click()
  await expect(open.getByText(/^Handled by owner on/)).toBeVisible()
})

test('a deletion asks for confirmation, shows at once, and can be undone', async ({
  page,
  request,
}) => {
  await listNew(page, request, 'contacts', ['Choir secretary', 'Café owner'], 'admin')
  await row(page, 'Choir secretary').click()
  await detail(page).getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Are you sure you want to delete this contact message?')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, 'Choir secretary')).toBeVisible()
  await detail(page).getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(row(page, 'Choir secretary')).toBeHidden()
  await expect(page.getByText('No Message Selected')).toBeVisible()
  await expect(page.getByRole('heading', { name: '1 Contact Message', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Choir secretary')).toBeVisible()
  await expect(page.getByRole('heading', { name: '2 Contact Messages' })).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select Choir secretary' }).check()
  await page.getByRole('checkbox', { name: 'Select Café owner' }).check()
  const selected = page.getByRole('region', { name: 'Selected' })
  await selected.getByRole('button', { name: 'Delete' }).click()
  await expect(question).toContainText('They go to the trash and can come back.')
})

test('spam shows its reasons and can be released; trash can be restored', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const links = Array.from({ length: 7 }, (_, n) => `http://${n}.example`).join(' ')
  await submit(request, 'contacts', ['Link farm'], word, { message: `${word} ${links}` })
  await enterAs(page, request, 'admin')
  await page.goto(`/admin/contacts#q=${word}`)
  await expect(page.getByText('No contact messages found')).toBeVisible()
  await (await viewMenu(page, 'Box')).getByRole('link', { name: /Spam/ }).click()
  await row(page, 'Link farm').click()
  await expect(detail(page).getByText('the text holds more than 5 links')).toBeVisible()
  await detail(page).getByRole('button', { name: 'Not Spam' }).click()
  await expect(row(page, 'Link farm')).toBeHidden()
  await (await viewMenu(page, 'Box')).getByRole('link', { name: /Inbox/ }).click()
  await row(page, 'Link farm').click()
  await detail(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await (await viewMenu(page, 'Box')).getByRole('link', { name: /Trash/ }).click()
  await row(page, 'Link farm').click()
  await detail(page).getByRole('button', { name: 'Restore' }).click()
  await expect(row(page, 'Link farm')).toBeHidden()
  await (await viewMenu(page, 'Box')).getByRole('link', { name: /Inbox/ }).click()
  await expect(row(page, 'Link farm')).toBeVisible()
})

/** Opens the first record, until it is read and the counts of what is unread are as well: no call follows. */
const readFirst = async (page: Page) => {
  let isSeen = false
  const counted = page.waitForResponse((answer) => {
    const isLast = isSeen && answer.url().endsWith('/api/me/unread')
    isSeen ||= answer.url().endsWith('/seen')
    return isLast
  })
  await row(page, 'First').click()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  await page.clock.runFor(2_000)
  await (await counted).finished()
}

const isPolling = (answer: Response) => answer.request().headers()['x-background'] === '1'

test('a screen that is left open does not count as use of the session', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['First'], word)
  await enterAs(page, request, 'reviewer')
  await page.clock.install()
  const passUntil = (check: () => unknown) =>
    expect(async () => {
      await page.clock.runFor(16_000)
      await check()
    }).toPass()
  let answered = 0
  page.on('response', (answer) => {
    if (isPolling(answer)) answered += 1
  })
  for (const screen of [`contacts#q=${word}`, 'dashboard']) {
    await page.goto(`/admin/${screen}`)
    await expect(page.getByRole('link', { name: 'First' }).first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    if (screen !== 'dashboard') await readFirst(page)
    // A screen has asked for all that it shows once its polls are answered.
    answered = 0
    await passUntil(() => expect(answered).toBeGreaterThan(1))
    const counted: string[] = []
    const polls: string[] = []
    const note = (sent: Request) =>
      (sent.headers()['x-background'] === '1' ? polls : counted).push(sent.url())
    page.on('request', note)
    // Arrivals are fetched too.
    await submit(request, 'contacts', ['Later'], word)
    const later = page.getByRole('link', { name: 'Later' }).first()
    await passUntil(() => expect(later).toBeVisible({ timeout: 2_000 }))
    await passUntil(() => expect(polls.length).toBeGreaterThan(1))
    page.off('request', note)
    expect(counted).toEqual([])
  }
})

test('new arrivals appear without a reload', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'contacts', ['First'], word)
  await enterAs(page, request, 'superuser')
  await page.clock.install()
  const polled = page.waitForResponse(isPolling)
  await page.goto(`/admin/contacts#q=${word}`)
  await expect(row(page, 'First')).toBeVisible()
  await (await polled).finished()
  await submit(request, 'contacts', ['Second'], word)
  await page.clock.runFor(20_000)
  await expect(row(page, 'Second')).toBeVisible()
  await expect(page.getByRole('heading', { name: '2 Contact Messages' })).toBeVisible()
  const arrivals = page.getByRole('button', { name: '1 new' })
  await arrivals.click()
  await expect(row(page, 'Second')).toBeFocused()
  await expect(arrivals).toBeHidden()
})

test('a hidden tab sends no request, and is updated as soon as it is shown', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['First'], word)
  await enterAs(page, request, 'reviewer')
  await page.clock.install()
  await page.goto(`/admin/contacts#q=${word}`)
  await page.waitForLoadState('networkidle')
  await readFirst(page)
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, state)
  await show('hidden')
  const asked: string[] = []
  page.on('request', (sent) => asked.push(sent.url()))
  await submit(request, 'contacts', ['Second'], word)
  await page.clock.runFor(10 * 60_000)
  expect(asked).toEqual([])
  await show('visible')
  await expect(row(page, 'Second')).toBeVisible()
})

test('what visitors typed is shown as text only', async ({ page, request }) => {
  const word = ownWord()
  const hostile = `<img src=x onerror="document.title='taken'"> "'&{{7*7}}`
  await submit(request, 'applications', [hostile], word, {
    coverLetter: `${hostile}\n<script>document.title='taken'</script> ${word}`,
    location: hostile,
    university: hostile,
    major: hostile,
  })
  await enterAs(page, request, 'superuser')
  await page.goto(`/admin/applications#q=${word}`)
  await list(page).getByRole('listitem').getByRole('link').click()
  await expect(detail(page).getByRole('heading', { name: '<img src=x' })).toBeVisible()
  await expect(detail(page).getByText('<script>document.title')).toBeVisible()
  await expect(page).toHaveTitle(`Applications | ${brandName}`)
  expect(await page.locator('#main img').count()).toBe(0)
})

test('axe finds nothing with every part open', async ({ page, request }) => {
  const word = ownWord()
  await submit(request, 'applications', ['Asha', 'Ben'], word)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/admin/login')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await enterAs(page, request, 'superuser')
  await page.goto(`/admin/applications#q=${word}`)
  await row(page, 'Asha').click()
  await page.getByText('Background').click()
  await page.getByRole('checkbox', { name: 'Select Ben' }).check()
  await expect(detail(page).getByText('From the same person')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect((await viewMenu(page, 'Status')).getByRole('link', { name: 'New' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  const sort = await tool(page, 'Sort and filter')
  await expect(sort).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await sort.click()
  await expect(page.getByLabel('Assigned to').first()).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})

test('axe finds nothing on a list, a record, a question and an empty list, in both themes and on a phone', async ({
  page,
  request,
}) => {
  await listNew(page, request, 'consultations', ['Tutoring centre'], 'superuser')
  await expect(row(page, 'Tutoring centre')).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
  await row(page, 'Tutoring centre').click()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  await page.keyboard.press('n')
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await expect(notice(page, 'is now Contacted')).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
  await page.keyboard.press('#')
  expect(await axeEverywhere(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByText('No Consultation Selected')).toBeVisible()
  await page.getByRole('searchbox').fill('nothing-like-this')
  await expect(page.getByText('No consultations found')).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
})
