// Names and texts in scripts that run from right to left, beside words that run from left to right.

import type { Locator } from '@playwright/test'
import { enterAs, expect, ownWord, said, signedIn, submit, test } from './admin/fixtures.ts'
import { contact, open } from './forms/forms.ts'

const hebrew = 'שרה כהן-לוי (נגר)'
const arabic = 'مرحبا، أريد موقعا لمخبزي. الهاتف 0123 456.'

const directionOf = (part: Locator) =>
  part.evaluate((element) => getComputedStyle(element).direction)

/** An element's left and right edge in whole pixels. */
const place = async (part: Locator) => {
  const box = await part.boundingBox()
  if (!box) throw new Error('It is not shown')
  return { left: Math.round(box.x), right: Math.round(box.x + box.width) }
}

test('a form field follows the direction of the typed script', async ({ page }) => {
  await open(page, contact)
  const [name, email, message] = ['Name', 'Email', 'Message'].map((label) =>
    page.getByLabel(label, { exact: true }),
  ) as [Locator, Locator, Locator]
  await name.fill(hebrew)
  await message.fill(arabic)
  await email.fill('sara@example.test')
  expect(await directionOf(name)).toBe('rtl')
  expect(await directionOf(message)).toBe('rtl')
  expect(await directionOf(email)).toBe('ltr')
  await name.fill('Sara')
  expect(await directionOf(name)).toBe('ltr')
})

test('the inbox shows a name in its own direction and leaves its neighbours where they are', async ({
  page,
  request,
}) => {
  const word = ownWord()
  await submit(request, 'contacts', ['Sara', hebrew], word, { message: `${arabic} ${word}` })
  await enterAs(page, request, 'superuser')
  await page.goto(`/admin/contacts#q=${word}`)
  const rows = page.getByRole('region', { name: 'List' })
  const [latin, rtl] = ['Sara', hebrew].map((name) => rows.getByRole('link', { name })) as [
    Locator,
    Locator,
  ]
  expect(await directionOf(rtl.getByText(hebrew))).toBe('rtl')
  expect((await place(rtl.getByText(hebrew))).left).toBe(
    (await place(latin.getByText('Sara'))).left,
  )
  expect(await place(rtl.locator('time'))).toEqual(await place(latin.locator('time')))

  await rtl.click()
  const detail = page.getByRole('region', { name: 'Detail' })
  const heading = detail.getByRole('heading', { name: hebrew })
  expect(await directionOf(heading.getByText(hebrew))).toBe('rtl')
  expect(await directionOf(heading)).toBe('ltr')
  expect(await directionOf(detail.getByText(arabic))).toBe('rtl')

  await detail.getByRole('button', { name: 'Add a note' }).click()
  await page.getByRole('textbox', { name: 'Note' }).fill('להתקשר')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(said(page, 'Note by owner', 'להתקשר')).toBeVisible()
  expect(await directionOf(detail.getByText('להתקשר', { exact: true }))).toBe('rtl')
})

test('an export holds such a name as it was typed', async ({ request }) => {
  const word = ownWord()
  await submit(request, 'contacts', [hebrew], word)
  const { token } = await signedIn(request, 'superuser')
  const answer = await request.get(`/api/contacts/export.csv?q=${word}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect((await answer.text()).split('\r\n')[1]).toMatch(
    new RegExp(`^${hebrew.replace(/[()]/g, '\\$&')},`),
  )
})
