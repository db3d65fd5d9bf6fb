import { enter, expect, ownWord, signedIn, submit, test } from './admin-fixtures.ts'

const names = Array.from({ length: 240 }, (_, index) => `Visitor ${index + 1}`)

test('a jump in a long list shows the records there, and loads nothing between', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await Promise.all(
    [0, 60, 120, 180].map((from) =>
      submit(request, 'contacts', names.slice(from, from + 60), word),
    ),
  )
  await enter(page, await signedIn(request, 'editor'))
  await page.goto(`/admin/contacts?q=${word}&sort=name`)
  await expect(page.getByRole('heading', { name: '240 Contact Messages' })).toBeVisible()
  const list = page.getByRole('region', { name: 'List' })
  const rows = list.getByRole('listitem')
  await expect(rows.first()).toHaveAttribute('aria-posinset', '1')

  const asked: string[] = []
  page.on('request', (sent) => {
    if (new URL(sent.url()).searchParams.get('limit') === '200') asked.push(sent.url())
  })
  await list.evaluate((element) => {
    element.scrollTop = element.scrollHeight
  })
  const last = list.getByRole('link', { name: 'Visitor 99' })
  await expect(last).toBeVisible()
  await expect(rows.last()).toHaveAttribute('aria-posinset', '240')
  expect(asked).toHaveLength(1)

  // A change far down leaves everything else where it was.
  await last.click()
  await page.keyboard.press('e')
  await expect(page.getByRole('region', { name: 'Detail' }).getByText(/^Handled by/)).toBeVisible()
  await page.keyboard.press('k')
  await expect(
    page.getByRole('region', { name: 'Detail' }).getByRole('heading', { name: 'Visitor 98' }),
  ).toBeVisible()

  await list.evaluate((element) => {
    element.scrollTop = 0
  })
  await expect(rows.first()).toHaveAttribute('aria-posinset', '1')
  await expect(rows.first()).toContainText('Visitor 1')
})
