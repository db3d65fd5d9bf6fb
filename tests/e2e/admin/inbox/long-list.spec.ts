import {
  axeViolations,
  enterAs,
  expect,
  interceptFromStart,
  list,
  ownWord,
  submit,
  test,
  tryNow,
  viewMenu,
} from '../fixtures.ts'

/** Behaviour of lists with several pages. */

test.describe.configure({ mode: 'default' })

const names = Array.from({ length: 240 }, (_, index) => `Visitor ${index + 1}`)
const word = ownWord()

test.beforeAll(async ({ request }) => {
  await Promise.all(
    [0, 60, 120, 180].map((from) =>
      submit(request, 'contacts', names.slice(from, from + 60), word),
    ),
  )
})

test('a jump shows the records there, and loads nothing between', async ({ page, request }) => {
  await page.clock.install()
  await enterAs(page, request, 'editor')
  await page.goto(`/admin/contacts?sort=name#q=${word}`)
  await expect(page.getByRole('heading', { name: '240 Contact Messages' })).toBeVisible()
  const rows = list(page).getByRole('listitem')
  await expect(rows.first()).toHaveAttribute('aria-posinset', '1')

  const skipped: number[] = []
  page.on('request', (sent) => {
    if (sent.url().endsWith('/search')) skipped.push(sent.postDataJSON().skip ?? 0)
  })
  await list(page).evaluate((element) => {
    element.scrollTop = element.scrollHeight
  })
  const last = list(page).getByRole('link', { name: 'Visitor 99' })
  await expect(last).toBeVisible()
  await expect(rows.last()).toHaveAttribute('aria-posinset', '240')
  expect(skipped.filter((skip) => skip > 0 && skip < 150)).toEqual([])

  await last.click()
  const detail = page.getByRole('region', { name: 'Detail' })
  await expect(detail.getByRole('heading', { name: 'Visitor 99' })).toBeVisible()
  await page.keyboard.press('k')
  await expect(detail.getByRole('heading', { name: 'Visitor 98' })).toBeVisible()
  await list(page).evaluate((element) => {
    element.scrollTop = 0
  })
  await expect(rows.first()).toContainText('Visitor 1')

  // What is selected and no longer loaded is changed with the rest.
  await list(page).evaluate((element) => {
    element.scrollTop = element.scrollHeight
  })
  await page.getByRole('checkbox', { name: 'Select Visitor 99' }).check()
  await list(page).evaluate((element) => {
    element.scrollTop = 0
  })
  await expect(rows.first()).toHaveAttribute('aria-posinset', '1')
  await page.clock.fastForward('02:00')
  await page.getByRole('checkbox', { name: 'Select Visitor 1', exact: true }).check()
  await page.getByLabel('Set status of the selected').selectOption('Handled')
  await expect(page.getByText('2 contact messages are now Handled')).toBeVisible()
  const undone = page.waitForResponse('**/api/undo')
  await page.keyboard.press('z')
  expect((await undone).status()).toBe(200)
})

test('a step that waits for its record leaves what is opened meanwhile open', async ({
  page,
  request,
}) => {
  await enterAs(page, request, 'reviewer')
  const loaded = Promise.withResolvers<void>()
  await page.route('**/api/contacts/search', async (route) => {
    if (route.request().postDataJSON().skip) await loaded.promise
    await route.continue()
  })
  await page.goto(`/admin/contacts?sort=name#q=${word}`)
  await expect(list(page).getByRole('listitem').first()).toHaveAttribute('aria-posinset', '1')
  await list(page).evaluate((element) => {
    element.scrollTop = 44 * 45
  })
  const at = (place: number) => list(page).locator(`[aria-posinset="${place}"]`).getByRole('link')
  const heading = page.getByRole('region', { name: 'Detail' }).getByRole('heading', { level: 2 })
  const asked = page.waitForRequest((sent) => sent.postDataJSON()?.skip === 50)
  await at(50).click()
  await asked
  await page.keyboard.press('j')
  await at(48).click()
  const name = (await at(48).locator('b').textContent()) ?? ''
  await expect(heading).toHaveText(name)
  loaded.resolve()
  await expect(at(51)).toBeVisible()
  await expect(heading).toHaveText(name)

  const top = () => list(page).evaluate((element) => element.scrollTop)
  const before = await top()
  await page.reload()
  await expect(heading).toHaveText(name)
  await expect(at(48)).toBeInViewport()
  expect(await top()).toBe(before)
})

test('a list that is drawn at once fills a high window, and keeps its position on a phone', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 1280, height: 3000 })
  await enterAs(page, request, 'reviewer')
  await page.goto(`/admin/contacts?sort=name#q=${word}`)
  const low = list(page).locator('[aria-posinset="60"]').getByRole('link')
  await expect(low).toBeInViewport()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(list(page)).toBeHidden()
  await page.goBack()
  await expect(low).toBeInViewport()

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(list(page).getByRole('listitem').first()).toHaveAttribute('aria-posinset', '1')
  await page.evaluate(() =>
    scrollTo({ top: document.documentElement.scrollHeight / 2 - 300, behavior: 'instant' }),
  )
  const middle = list(page).locator('[aria-posinset="120"]').getByRole('link')
  await expect(middle).toBeInViewport()
  const place = await page.evaluate(() => scrollY)
  await middle.click()
  await expect(page.getByRole('region', { name: 'Detail' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect(middle).toBeInViewport()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place)

  // Back from another screen too, and without scrolling past the rows between.
  await page.getByRole('navigation', { name: 'Admin, phone' }).getByText('Dashboard').click()
  await expect(list(page)).toBeHidden()
  const passed = await page.evaluateHandle(() => {
    const places: number[] = []
    addEventListener('scroll', () => places.push(scrollY))
    return places
  })
  await page.goBack()
  await expect(middle).toBeInViewport()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place)
  expect(new Set(await passed.jsonValue())).toEqual(new Set([place]))
})

test('a change of all matching records waits for an unreachable server, or stops there', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  await interceptFromStart(page)
  await enterAs(page, request, 'editor')
  const leaveAfterTheFirst = async () => {
    let isAway = false
    await page.route('**/api/contacts/bulk', (route) => {
      if (isAway) return route.abort()
      isAway = true
      return route.continue()
    })
  }
  await page.goto(`/admin/contacts#q=${word}`)
  const begin = async () => {
    await page.getByRole('checkbox', { name: 'Select Visitor' }).first().check()
    await page.getByRole('button', { name: 'Select all 240' }).click()
    await page.getByLabel('Set status of the selected').selectOption('Handled')
    await page.getByRole('button', { name: 'Change 240 contact messages' }).click()
  }
  const dialog = page.getByRole('dialog', { name: 'Change all 240 contact messages' })
  const progress = dialog.getByRole('status')
  const notice = (text: string) => page.getByRole('status').filter({ hasText: text })
  const group = (name: string) => list(page).getByRole('heading', { name })

  await leaveAfterTheFirst()
  await begin()
  await expect(progress).toContainText('200 of 240 done')
  await expect(progress).toContainText('The rest is not saved yet')
  expect(await axeViolations(page)).toEqual([])
  await page.unroute('**/api/contacts/bulk')
  await tryNow(dialog)
  await expect(notice('240 contact messages changed')).toBeVisible()
  await expect(group('Done 240')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(group('Due 240')).toBeVisible()

  await leaveAfterTheFirst()
  await begin()
  await expect(progress).toContainText('The rest is not saved yet')
  await dialog.getByRole('button', { name: 'Stop here' }).click()
  await expect(notice('200 contact messages changed')).toBeVisible()
  await expect(dialog).toBeHidden()
  const statuses = await viewMenu(page, 'Status')
  await expect(statuses.getByRole('link', { name: 'New' })).toContainText('40')
})
