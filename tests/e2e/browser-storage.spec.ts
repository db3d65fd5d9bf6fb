import type { Page } from '@playwright/test'
import { screens } from '#admin/screens.ts'
import { browserStorage, type StoredItem } from '#contract/browser-storage.ts'
import { isOff } from '#site/features.ts'
import {
  brandName,
  enter,
  expect,
  goTo,
  orSignIn,
  ownWord,
  signedIn,
  submit,
  test,
  tool,
} from './admin/fixtures.ts'

/** Compares what pages store in the browser with the list on the privacy page. */

interface Kept {
  area: string
  key: string
}

const keptIn = async (page: Page): Promise<Kept[]> => {
  const found = await page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    database: (await indexedDB.databases()).map(({ name }) => name ?? ''),
    cache: await caches.keys(),
    cookie: (await cookieStore.getAll()).map(({ name }) => name ?? ''),
  }))
  return Object.entries(found).flatMap(([area, keys]) => keys.map((key) => ({ area, key })))
}

/** True if a key in the browser is the item's, or begins with its prefix. */
const holdsKey = (item: StoredItem, key: string): boolean =>
  item.key.endsWith(':') ? key.startsWith(item.key) : key === item.key

const isListed = ({ area, key }: Kept, holder?: string) =>
  browserStorage.some(
    (item) => item.area === area && holdsKey(item, key) && item.holder === (holder ?? item.holder),
  )

/** The listed items that were not found. */
const missing = (found: readonly Kept[], holder: string) =>
  browserStorage
    .filter((item) => item.holder === holder)
    .filter((item) => !found.some(({ area, key }) => item.area === area && holdsKey(item, key)))
    .map(({ key }) => key)

test('a visitor’s browser holds what the privacy page lists, and nothing else', async ({
  page,
}) => {
  await page.goto('/?utm_source=newsletter')
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  const form = page.getByRole('form')
  await form.scrollIntoViewIfNeeded()
  await form.getByLabel('Message').fill('We would like a website for our bakery.')
  await expect(form.getByText('Your text is kept in this tab')).toBeVisible()
  for (const path of ['/apply', '/faq', '/blog', '/consultation-form'])
    if (!isOff(path)) await page.goto(path)

  const found = await keptIn(page)
  expect(found.filter((kept) => !isListed(kept, 'visitor'))).toEqual([])
  expect(missing(found, 'visitor')).toEqual([])

  await page.goto('/privacy-policy')
  for (const { what, holder } of browserStorage) {
    const name = holder === 'visitor' ? /every visitor’s browser/ : /browser of staff/
    const table = page.getByRole('table', { name })
    await expect(table.getByRole('rowheader', { name: what, exact: true })).toBeVisible()
  }
})

test.describe('of staff', () => {
  test('the browser holds what the privacy page lists, nothing about others, and less after the sign-out', async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(/status of 401/)
    const word = ownWord()
    await submit(request, 'contacts', ['Piano teacher'], word)
    const [asking = ''] = await submit(request, 'consultations', ['Piano teacher'], word)
    const staff = await signedIn(request, 'superuser')
    await enter(page, staff)
    await page.goto('/admin/dashboard')
    await expect(page.getByRole('heading', { name: 'Hello, owner' })).toBeVisible()
    await page.keyboard.press('?')
    await page.getByLabel('Use single-key shortcuts on this device').uncheck()
    await page.getByRole('button', { name: 'Close' }).click()
    for (const path of [
      '/admin/consultations',
      '/admin/applications',
      '/admin/users',
      '/admin/mail',
      '/admin/audit',
      '/admin/account',
    ] as const) {
      await goTo(page, path)
      await expect(page).toHaveTitle(`${screens[path].title} | ${brandName}`)
    }
    await goTo(page, '/admin/run')
    await expect(page.getByRole('heading', { level: 1, name: 'Morning run' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await goTo(page, '/admin/hours')
    await page.getByRole('textbox', { name: 'Where you talk' }).fill('https://meet.example/owner')
    await goTo(page, `/admin/offers?record=${asking}`)
    await page.getByRole('textbox', { name: 'Title' }).fill('A site with a score')
    await page.goto(`/admin/contacts#q=${word}`)
    for (const rows of ['Comfortable rows', 'Compact rows']) await (await tool(page, rows)).click()
    await page
      .getByRole('region', { name: 'List' })
      .getByRole('link', { name: 'Piano teacher' })
      .click()
    await page.getByRole('button', { name: 'Add a note' }).click()
    await page.getByLabel('Note').fill('Ask for the score')
    await page.getByRole('button', { name: 'Reply via Email', exact: true }).click()
    await page
      .getByRole('textbox', { name: 'Reply via Email to Piano teacher' })
      .fill('Hello, which piece?')
    await page.getByRole('button', { name: 'Note', exact: true }).click()

    const ours = ({ key }: Kept) => key !== 'entered'
    const before = (await keptIn(page)).filter(ours)
    expect(before.filter((kept) => !isListed(kept))).toEqual([])
    const lasting = before.filter(({ area }) => area === 'local').map(({ key }) => key)
    expect(lasting.sort()).toEqual(['adminAuthenticated', 'currentUser', 'shortcuts', 'token'])
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
    expect(stored).not.toContain('Piano teacher')
    expect(stored).not.toContain(`${word}@example.test`)

    // An expired session leaves a marker and the draft until the next sign-in.
    await request.post('/api/auth/logout', { headers: { authorization: `Bearer ${staff.token}` } })
    await orSignIn(page.getByRole('button', { name: 'Save note' })).click()
    await expect(page).toHaveURL(/\/admin\/login/)
    const lapsed = (await keptIn(page)).filter(ours)
    expect(lapsed.filter((kept) => !isListed(kept))).toEqual([])
    await page.getByLabel('Email').fill('owner@example.test')
    await page.getByLabel('Password').fill('a long and quiet walk')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
    const again = await keptIn(page)
    expect(missing([...before, ...lapsed, ...again], 'staff')).toEqual([])
    // A note that was begun would be lost: the sign-out asks.
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/admin\/login/)
    const ended = browserStorage.filter(({ endsWithSignOut }) => endsWithSignOut)
    const after = await keptIn(page)
    expect(
      after.filter(({ area, key }) =>
        ended.some((item) => item.area === area && holdsKey(item, key)),
      ),
    ).toEqual([])
  })
})
