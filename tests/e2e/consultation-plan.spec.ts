import { axeViolations } from '#tests/axe.ts'
import { expect, test } from './fixtures.ts'
import { comesAlive, consultation, fill, ownText, submitButton } from './forms/forms.ts'

const shop = 'goal=shop&size=m&content=some&when=day&by=2030-02-15'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('four answers fill in the sheet, open the request form and go with the request', async ({
    page,
  }) => {
    await page.goto('/consultation')
    const questions = page.getByRole('form', { name: 'Plan' })
    await questions.getByLabel('Sell things').check()
    await questions.getByLabel('6 to 15 pages').check()
    await questions.getByLabel('Some of them').check()
    await questions.getByLabel('By a day').check()
    await questions.getByLabel('The day').fill('2030-02-15')
    await questions.getByRole('button', { name: 'Fill in the sheet' }).click()
    await expect(page).toHaveURL(`/consultation?${shop}#sheet`)

    const sheet = page.getByRole('region', { name: 'Your plan', exact: true })
    await expect(sheet).toContainText('An online shop, 6 to 15 pages')
    await expect(sheet).toContainText('4 of 4 answered')
    await expect(sheet).toContainText('Friday 15 February 2030')
    await expect(questions.getByLabel('Sell things')).toBeChecked()

    await sheet.getByRole('link', { name: 'Book Free Consultation' }).click()
    await expect(page).toHaveURL(`/consultation-form?service=website-creation&${shop}`)
    const box = page.locator('.from')
    await expect(box).toContainText('Sell things')
    await expect(box.getByRole('link', { name: 'Change' })).toHaveAttribute(
      'href',
      `/consultation?${shop}#plan`,
    )
    await expect(page.locator('[name=plan_by]')).toHaveValue('2030-02-15')
    await fill(page, consultation, ownText(consultation))
    await submitButton(page, consultation).click()
    await page.waitForURL(consultation.thanks)
  })
})

test('the sheet fills in at each answer, follows in the address, and its plan is sent', async ({
  page,
}) => {
  await page.goto('/consultation')
  const sheet = page.getByRole('region', { name: 'Your plan', exact: true })
  await expect(sheet).toContainText('0 of 4 answered')
  await page.getByLabel('Do work we now do in spreadsheets or chats').check()
  await expect(sheet).toContainText('A web application')
  await expect(page).toHaveURL('/consultation?goal=tool')
  await page.getByLabel('The day').fill('2030-02-15')
  await expect(sheet).toContainText('2 of 4 answered')
  await expect(page.getByLabel('By a day')).toBeChecked()
  await expect(sheet.getByRole('button', { name: 'Print' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  await sheet.getByRole('link', { name: 'Book Free Consultation' }).click()
  await comesAlive(page)
  expect(await axeViolations(page)).toEqual([])
  await fill(page, consultation, ownText(consultation))
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/consultations'))
  await submitButton(page, consultation).click()
  expect((await sent).postDataJSON()).toMatchObject({
    service: 'website-creation',
    plan: { goal: 'tool', when: 'day', by: '2030-02-15' },
  })
  await expect(page.getByRole('heading', { name: consultation.sent })).toBeVisible()
})

test('a day that is too soon is refused with a way out, and unknown answers are ignored', async ({
  page,
}) => {
  const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  await page.goto(`/consultation?goal=site&size=m&when=day&by=${inThreeDays}`)
  const refused = page.getByRole('region', { name: 'This one is not for us' })
  await expect(refused).toContainText('You want 6 to 15 pages by')
  await refused.getByRole('link', { name: 'Take up to 5 pages and no fixed date' }).click()
  await expect(page.getByRole('region', { name: 'Your plan', exact: true })).toContainText(
    'No fixed date.',
  )

  await page.goto('/consultation?goal=castle&size=<b>&by=yesterday')
  await expect(page.getByRole('region', { name: 'Your plan', exact: true })).toContainText(
    '0 of 4 answered',
  )
  await page.goto('/consultation-form?service=basic-package&goal=castle')
  await expect(page.getByText('From your plan')).toHaveCount(0)
  await comesAlive(page)
})
