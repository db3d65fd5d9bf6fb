import type { Page } from '@playwright/test'
import {
  axeEverywhere,
  detail,
  enter,
  enterAs,
  expect,
  goTo,
  ownWord,
  signedIn,
  submit,
  test,
} from './fixtures.ts'

// Find or do: everything by name, from any screen.

const palette = (page: Page) => page.getByRole('dialog', { name: 'Find or do' })
const options = (page: Page) => palette(page).getByRole('option')
const selected = (page: Page) => palette(page).getByRole('option', { selected: true })

const open = async (page: Page) => {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(palette(page).getByRole('combobox')).toBeFocused()
}

test('the palette acts on the open record, finds people and goes anywhere, by keyboard', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const names = [`Walnut ${word}`, `Willow ${word}`]
  const [id = ''] = await submit(request, 'consultations', names, word)
  await submit(request, 'contacts', [`Wanda ${word}`], word)
  await enterAs(page, request, 'editor')
  await page.goto(`/admin/consultations?id=${id}`)
  await expect(detail(page).getByText('Received from the website')).toBeVisible()

  await open(page)
  const actions = palette(page).getByRole('group', { name: `With Walnut ${word}, open now` })
  await expect(actions.getByRole('option').first()).toHaveText(`Send Email to Walnut ${word}r`)
  await expect(selected(page)).toHaveText(`Send Email to Walnut ${word}r`)
  await page.keyboard.type('snooze')
  await expect(selected(page)).toHaveText('Later …h')
  await palette(page).getByRole('combobox').fill('contacted')
  await expect(selected(page)).toHaveText('Mark as Contactede')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toHaveCount(0)
  await expect(detail(page).getByText(/^Contacted by/)).toBeVisible()

  await open(page)
  await page.keyboard.type(word)
  const people = palette(page).getByRole('group', { name: 'People' })
  await expect(people.getByRole('option')).toHaveText([
    /^Willow .*Consultation, pending, due (tomorrow )?\d\d:\d\d$/,
    /^Walnut .*Consultation, contacted, (today \d\d:\d\d|\d+ \w+)$/,
    /^Wanda .*Contact message, new, due (tomorrow )?\d\d:\d\d$/,
  ])
  const asked = page.url()
  expect(asked).not.toContain(word)
  await people.getByRole('option').last().click()
  await expect(page).toHaveURL(/\/admin\/contacts\?id=/)
  await expect(detail(page).getByRole('heading', { name: `Wanda ${word}` })).toBeVisible()

  // What it offers belongs to what is shown.
  await open(page)
  await page.goBack()
  await expect(detail(page).getByRole('heading', { name: `Walnut ${word}` })).toBeVisible()
  await expect(palette(page)).toHaveCount(0)

  await open(page)
  const long = page.waitForResponse('**/api/consultations/search*')
  await palette(page).getByRole('combobox').fill(`${word} `.repeat(40))
  expect((await long).status()).toBe(200)
  await palette(page).getByRole('combobox').fill('audit trail of mail')
  await expect(palette(page).getByText('Nothing found')).toBeVisible()
  await palette(page).getByRole('combobox').fill('outgoing')
  // After a place there is no next record to go to.
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Outgoing mail' })).toBeVisible()

  // What was chosen last comes first.
  await open(page)
  const recent = palette(page).getByRole('group', { name: 'Recent' })
  await expect(recent.getByRole('option').first()).toHaveText('Outgoing mail')
  await expect(recent.getByText(`Wanda ${word}`)).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(options(page).last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
})

test('with single keys off the palette opens, passes axe, and takes no reviewer further than their role', async ({
  page,
  request,
}) => {
  const account = await signedIn(request, 'reviewer')
  const headers = { authorization: `Bearer ${account.token}` }
  await request.put('/api/me/settings', { headers, data: { shortcuts: false } })
  await enter(page, account)
  const settings = page.waitForResponse('**/api/me/settings')
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  await (await settings).finished()
  await open(page)
  await palette(page).getByRole('combobox').fill('all keys')
  await page.keyboard.press('Enter')
  const keys = page.getByRole('dialog', { name: 'Keyboard' })
  await expect(keys.getByText('They are off for your account')).toBeVisible()
  await keys.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('?')
  await open(page)
  await expect(keys).toHaveCount(0)
  await expect(options(page).filter({ hasText: 'Templates' })).toHaveCount(0)
  await expect(options(page).filter({ hasText: 'Audit log' })).toHaveCount(0)
  expect(await axeEverywhere(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  )
  expect(sideways).toBe(false)
})

test('with records selected the keys still reach what can be done with the open one, and closing what the palette opened leads back to the screen', async ({
  page,
  request,
}) => {
  const word = ownWord()
  const names = [`Walnut ${word}`, `Willow ${word}`]
  const [id = ''] = await submit(request, 'consultations', names, word)
  await enterAs(page, request, 'editor')
  await page.goto(`/admin/consultations?id=${id}#q=${word}`)
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
  await page.getByRole('checkbox', { name: `Select Willow ${word}` }).check()
  await expect(page.getByText('1 consultation selected')).toBeVisible()
  await open(page)
  const group = (name: string) => palette(page).getByRole('group', { name }).getByRole('option')
  const forSelected = group('With the 1 consultation selected')
  await expect(forSelected.first()).toHaveAttribute('aria-selected', 'true')
  for (let left = await forSelected.count(); left > 0; left -= 1)
    await page.keyboard.press('ArrowDown')
  await expect(selected(page)).toHaveText(`Send Email to Walnut ${word}r`)
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)

  await goTo(page, '/admin/account')
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible()
  await open(page)
  await page.keyboard.type('templates')
  await expect(selected(page)).toHaveText(/^Templates/)
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog', { name: 'Templates' })
    .getByRole('button', { name: 'Close' })
    .click()
  await expect(page.getByRole('main')).toBeFocused()
})

for (const [role, shown, hidden] of [
  ['reviewer', ['search', 'open Contacts'], ['next status', 'delete', 'undo', 'open Site']],
  ['editor', ['next status', 'undo', 'open Site'], ['delete']],
  ['admin', ['next status', 'delete', 'open Site'], []],
] as const)
  test(`the list of keys names only what the role ${role} may do, and no other key acts`, async ({
    page,
    request,
  }) => {
    await enterAs(page, request, role)
    await page.goto('/admin/dashboard')
    await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard' })
    const named = (meaning: string) =>
      keys.getByRole('definition').getByText(meaning, { exact: true })
    for (const meaning of shown) await expect(named(meaning)).toBeVisible()
    for (const meaning of hidden) await expect(named(meaning)).toHaveCount(0)
    await keys.getByRole('button', { name: 'Close' }).click()
    // A screen without a search of its own has the palette's.
    await page.keyboard.press('/')
    await expect(palette(page).getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await expect(page).toHaveURL(/\/admin\/contacts/)
    await page.goBack()
    await expect(page).toHaveURL(role === 'reviewer' ? /\/admin\/dashboard/ : /\/admin\/site/)
  })
