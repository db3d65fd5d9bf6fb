import { content, entry, lowered, packageServices, talkService } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import { axeViolations } from '#tests/axe.ts'
import { expect, test } from './fixtures.ts'
import { comesAlive, consultation, fill, ownText, submitButton } from './forms/forms.ts'

const { questions, scopes } = content().plan
const { goal, size, content: texts, when } = questions
const talk = talkService()
const book = entry('consultation-services', talk)?.data.button ?? ''
const shop = 'goal=shop&size=m&content=some&when=day&by=2030-02-15'

test.skip(isOff('/plan'), 'This site has no plan')

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('four answers fill in the sheet, open the request form and go with the request', async ({
    page,
  }) => {
    await page.goto('/consultation')
    const questions = page.getByRole('form', { name: 'Plan' })
    await questions.getByLabel(goal.answers.shop).check()
    await questions.getByLabel(size.answers.m).check()
    await questions.getByLabel(texts.answers.some).check()
    await questions.getByLabel(when.answers.day).check()
    await questions.getByLabel('The day').fill('2030-02-15')
    await questions.getByRole('button', { name: 'Fill in the sheet' }).click()
    await expect(page).toHaveURL(`/consultation?${shop}#sheet`)

    const sheet = page.getByRole('region', { name: 'Your plan', exact: true })
    await expect(sheet).toContainText(`${scopes.shop.noun}, ${lowered(size.answers.m)}`)
    await expect(sheet).toContainText('4 of 4 answered')
    await expect(sheet).toContainText('Friday 15 February 2030')
    await expect(questions.getByLabel(goal.answers.shop)).toBeChecked()

    await sheet.getByRole('link', { name: book }).click()
    await expect(page).toHaveURL(`/consultation-form?service=${talk}&${shop}`)
    const box = page.locator('.from')
    await expect(box).toContainText(goal.answers.shop)
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
  await page.getByLabel(goal.answers.tool).check()
  await expect(sheet).toContainText(scopes.tool.noun)
  await expect(page).toHaveURL('/consultation?goal=tool')
  await page.getByLabel('The day').fill('2030-02-15')
  await expect(sheet).toContainText('2 of 4 answered')
  await expect(page.getByLabel(when.answers.day)).toBeChecked()
  await expect(sheet.getByRole('button', { name: 'Print' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  await sheet.getByRole('link', { name: book }).click()
  await comesAlive(page)
  expect(await axeViolations(page)).toEqual([])
  await fill(page, consultation, ownText(consultation))
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/consultations'))
  await submitButton(page, consultation).click()
  expect((await sent).postDataJSON()).toMatchObject({
    service: talk,
    plan: { goal: 'tool', when: 'day', by: '2030-02-15' },
  })
  await expect(page.getByRole('heading', { name: consultation.sent })).toBeVisible()
})

test('offline, the questions say so, keep the answers, and fill in the sheet once online', async ({
  page,
  context,
  expectErrors,
}) => {
  expectErrors(/ERR_INTERNET_DISCONNECTED/)
  await page.goto('/consultation')
  const form = page.getByRole('form', { name: 'Plan' })
  await context.setOffline(true)
  await form.getByLabel(goal.answers.tool).check()
  await expect(form.getByRole('alert')).toContainText('The sheet is not filled in.')
  await expect(form.getByRole('alert')).toBeInViewport()
  expect(await axeViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Fill in the sheet' }).click()
  await expect(form.getByLabel(goal.answers.tool)).toBeChecked()
  await expect(page).toHaveURL('/consultation?goal=tool')

  await context.setOffline(false)
  const sheet = page.getByRole('region', { name: 'Your plan', exact: true })
  await expect(sheet).toContainText('1 of 4 answered')
  await expect(form.getByRole('alert')).toBeHidden()
})

test('an answer of the server without a sheet is told, and the next one fills it in', async ({
  page,
  expectErrors,
}) => {
  expectErrors(/status of 503/)
  await page.goto('/consultation')
  const form = page.getByRole('form', { name: 'Plan' })
  const busy = { status: 503, contentType: 'text/html', body: 'Busy' }
  await page.route('**/consultation?*', (route) => route.fulfill(busy), { times: 1 })
  await form.getByLabel(goal.answers.tool).check()
  await expect(form.getByRole('alert')).toContainText('The sheet is not filled in.')
  await form.getByLabel(size.answers.m).check()
  await expect(page.getByRole('region', { name: 'Your plan', exact: true })).toContainText(
    '2 of 4 answered',
  )
  await expect(form.getByRole('alert')).toBeHidden()
})

test('a shared plan is the consultation page to search engines and previews', async ({
  page,
  request,
}) => {
  await page.goto(`/consultation?${shop}`)
  const canonical = await page.locator('link[rel=canonical]').getAttribute('href')
  expect(new URL(canonical ?? '').pathname).toBe('/consultation')
  const image = await page.locator('meta[property="og:image"]').getAttribute('content')
  expect((await request.get(new URL(image ?? '').pathname)).status()).toBe(200)
  await expect(page.locator('header [aria-current=page]').first()).toHaveAttribute(
    'href',
    '/consultation',
  )
})

test('a day that is too soon is refused with a way out, and unknown answers are ignored', async ({
  page,
}) => {
  const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  await page.goto(`/consultation?goal=site&size=m&when=day&by=${inThreeDays}`)
  const refused = page.getByRole('region', { name: 'This one is not for us' })
  await expect(refused).toContainText(`You want ${lowered(size.answers.m)} by`)
  await refused
    .getByRole('link', { name: `Take ${lowered(size.answers.s)} and no fixed date` })
    .click()
  await expect(page.getByRole('region', { name: 'Your plan', exact: true })).toContainText(
    'No fixed date.',
  )

  await page.goto('/consultation?goal=castle&size=<b>&by=yesterday')
  await expect(page.getByRole('region', { name: 'Your plan', exact: true })).toContainText(
    '0 of 4 answered',
  )
  await page.goto(`/consultation-form?service=${packageServices()[0]}&goal=castle`)
  await expect(page.getByText('From your plan')).toHaveCount(0)
  await comesAlive(page)
})
