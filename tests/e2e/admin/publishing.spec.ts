import { content, entries } from '#site/content.ts'
import { call, form, isSaved, list, openEntry, preview, test } from './desk.ts'
import { axeEverywhere, expect } from './fixtures.ts'

/** Publishing, history and releases at the desk. */

// A trace looks into every frame, and the preview's frame refuses scripts with an error in the console.
test.use({ trace: 'off' })
test.describe.configure({ mode: 'default' })
test.use({ site: 'publishing' })

/** All pages are drawn: on a busy machine that takes its time. */
const whenDrawn = { timeout: 100_000 }

const [question, second] = entries('faq')
if (!question || !second) throw new Error('The content has too few entries')

const asks = (text: string) => ({ value: { ...question.data, question: text } })
const headings = content().pages
const path = `faq/${question.id}`

test('publishing shows what changes, where and to what, and tells each step until it is live', async ({
  page,
  enterAs,
}) => {
  await enterAs(page, 'admin')
  await openEntry(page, 'faq', question.id)
  await form(page).getByRole('textbox', { name: 'Question' }).fill('Is this live?')
  await expect(isSaved(page)).toBeVisible()
  await page.getByRole('button', { name: 'Publish…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Publish 1 change' })
  await expect(sheet.getByText(`From ${question.data.question}`)).toBeVisible()
  await expect(sheet.getByText('To Is this live?')).toBeVisible()
  await expect(sheet.getByText(`Shown on the page “${headings.faq.title}”`)).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
  const note = sheet.getByRole('textbox', { name: /^Note/ })
  for (const height of [900, 500]) {
    await page.setViewportSize({ width: height === 900 ? 1280 : 390, height })
    await expect(note).toBeInViewport({ ratio: 1 })
  }
  await note.fill('A clearer question')
  await sheet.getByRole('button', { name: 'Publish 1 change' }).click()
  const live = page.getByRole('dialog', { name: '1 change is live' })
  await expect(live.getByText(/It took \d+ second/)).toBeVisible()
  for (const step of ['Changes stored, number', 'Pages drawn', 'checked', 'Live'])
    await expect(
      live.getByRole('listitem').filter({ hasText: step }).getByRole('time'),
    ).toBeVisible()
  await expect(live.getByRole('link', { name: headings.faq.title, exact: true })).toBeVisible()
  await live.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('Nothing to publish')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(form(page).getByText(/^Published:/)).toHaveCount(0)

  await page.goto('/faq')
  await expect(page.getByText('Is this live?').first()).toBeVisible()
})

test('a failed check leaves the site alone and leads to the field; the rest can go live', async ({
  page,
  enterAs,
  request,
}) => {
  const token = await enterAs(page, 'admin')
  const more = { label: 'Read on', href: '/nowhere' }
  await call(request, token, 'PUT', path, { value: { ...question.data, more } })
  await call(request, token, 'PUT', `faq/${second.id}`, {
    value: { ...second.data, question: 'Is this sound?' },
  })
  await page.goto('/admin/site')
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('button', { name: 'Publish 2 changes' }).click()
  const failed = page.getByRole('dialog', { name: 'Not published' })
  await expect(failed.getByText('The site is unchanged. All drafts are kept.')).toBeVisible()
  await expect(failed.getByText(/links to \/nowhere, which does not exist/)).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
  await failed.getByRole('button', { name: 'Put it right' }).click()
  await expect(form(page).getByRole('textbox', { name: 'Link to' })).toBeFocused()

  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('button', { name: 'Publish 2 changes' }).click()
  await failed.getByRole('button', { name: 'Publish the other 1' }).click()
  await page.getByRole('button', { name: 'Publish 1 change' }).click()
  await expect(page.getByRole('dialog', { name: '1 change is live' })).toBeVisible(whenDrawn)
})

test('the sheet names a removed entry without its fields, and leads to a problem, which waits', async ({
  page,
  enterAs,
  request,
}) => {
  const token = await enterAs(page, 'admin')
  await call(request, token, 'PUT', path, asks('No question mark'))
  await openEntry(page, 'faq', second.id)
  await form(page).getByRole('button', { name: 'Remove this entry' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Remove this entry?' })
  const users = entries('service-pages').filter(({ data }) => data.questions.includes(second.id))
  for (const { id } of users) {
    const title = entries('services').find((one) => one.id === id)?.data.title ?? ''
    await expect(asked.getByText(/uses? it: /)).toContainText(`“${title}” in Service pages`)
  }
  await asked.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('2 changes, 1 problem')).toBeVisible()
  await page.getByRole('button', { name: 'Publish…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Publish 2 changes' })
  const removed = sheet.getByRole('listitem').filter({ hasText: /, removed/ })
  await expect(removed).toHaveText(/No longer on \/faq, nor anywhere else on the site\./)
  await expect(removed.getByRole('term')).toHaveCount(0)
  await expect(sheet.getByRole('button', { name: 'Publish 2 changes' })).toBeDisabled()
  await sheet.getByRole('button', { name: 'Leave out what is unfinished' }).click()
  const rest = page.getByRole('dialog', { name: 'Publish 1 change' })
  await expect(rest.getByRole('button', { name: 'Publish 1 change' })).toBeEnabled()
  await expect(rest.getByRole('button', { name: 'Leave out what is unfinished' })).toHaveCount(0)
  await rest.getByRole('checkbox', { name: /^No question mark/ }).check()
  await sheet.getByRole('button', { name: /^Go to the text/ }).click()
  await expect(form(page).getByRole('textbox', { name: 'Question' })).toBeFocused()
})

test('a list that must not be empty is named, and its problem leads to it', async ({
  page,
  enterAs,
  request,
}) => {
  const token = await enterAs(page, 'admin')
  for (const { id } of entries('process')) await call(request, token, 'DELETE', `process/${id}`)
  await page.goto('/admin/site')
  await page.getByRole('button', { name: 'Publish…' }).click()
  const problem = page.getByRole('listitem').filter({ hasText: 'Keep at least one entry.' })
  await expect(problem).toHaveText(/^[A-Z][a-z ]+: Keep/)
  await problem.getByRole('button', { name: 'Go to the list' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/collection=process$/)
})

test('the second person to publish is told, and publishes what is left', async ({
  page,
  enterAs,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 409/)
  const token = await enterAs(page, 'admin')
  await call(request, token, 'PUT', path, asks('Who is first?'))
  await page.goto('/admin/site')
  await page.getByRole('button', { name: 'Publish…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Publish 1 change' })
  await expect(sheet).toBeVisible()
  const { meta } = await call(request, token, 'GET', '')
  await call(request, token, 'POST', 'publish', { release: meta.release, entries: [] })
  const isLive = async () => (await call(request, token, 'GET', 'releases')).data[0].state
  await sheet.getByRole('button', { name: 'Publish 1 change' }).click()
  await expect(sheet.getByRole('alert')).toContainText(/under way|live by now/)
  await expect.poll(isLive, whenDrawn).toBe('live')
  await sheet.getByRole('button', { name: 'Not yet' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Publish…' }).click()
  await sheet.getByRole('button', { name: 'Publish 1 change' }).click()
  await expect(page.getByRole('dialog', { name: '1 change is live' })).toBeVisible(whenDrawn)
})

test('a change that is left out waits, and so does the brand, which only a superuser publishes', async ({
  page,
  enterAs,
  request,
}) => {
  const token = await enterAs(page, 'admin')
  const owner = await enterAs(await page.context().newPage(), 'superuser')
  const { data } = await call(request, owner, 'GET', 'brand/brand')
  await call(request, owner, 'PUT', 'brand/brand', { value: { ...data.value, name: 'Renamed' } })
  await call(request, token, 'PUT', path, asks('Is this left out?'))
  await call(request, token, 'PUT', `faq/${second.id}`, {
    value: { ...second.data, question: 'Does this go live?' },
  })
  await page.goto('/admin/site')
  await page.getByRole('button', { name: 'Publish…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Publish 2 changes' })
  await expect(sheet.getByRole('checkbox', { name: /Brand and contact/ })).toBeDisabled()
  await expect(sheet.getByText('A superuser publishes this.')).toBeVisible()
  await sheet.getByRole('checkbox', { name: /^Is this left out\?/ }).uncheck()
  await page.getByRole('button', { name: 'Publish 1 change' }).click()
  const live = page.getByRole('dialog', { name: '1 change is live' })
  await expect(live).toBeVisible(whenDrawn)
  await live.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('2 changes', { exact: true })).toBeVisible()
  const stateOf = async (entry: string) =>
    (await call(request, owner, 'GET', entry)).data.state as string
  expect(await stateOf('brand/brand')).toBe('changed')
  expect(await stateOf(path)).toBe('changed')
  expect(await stateOf(`faq/${second.id}`)).toBe('same')
})

test('an earlier text comes back as a draft, and an earlier release is shown at once', async ({
  page,
  enterAs,
  request,
}) => {
  const token = await enterAs(page, 'admin')
  const publish = async () => {
    const { meta } = await call(request, token, 'GET', '')
    const { data } = await call(request, token, 'POST', 'publish', { release: meta.release })
    await expect
      .poll(
        async () => (await call(request, token, 'GET', `releases/${data.n}`)).data.state,
        whenDrawn,
      )
      .toBe('live')
    return data.n as number
  }
  await call(request, token, 'PUT', path, asks('The earlier one?'))
  const earlier = await publish()
  await call(request, token, 'PUT', path, asks('The later one?'))
  await publish()

  await page.goto('/admin/site')
  await page.getByRole('link', { name: 'History' }).click()
  expect(await axeEverywhere(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 900 })
  const release = page
    .getByRole('listitem')
    .filter({ has: page.getByText(`${earlier}`, { exact: true }) })
  await release.getByText('What changed').click()
  // On a slow line a second press changes nothing, and says nothing else.
  let brought = 0
  await page.route('**/bring-back', async (route) => {
    brought += 1
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await route.continue()
  })
  await release
    .getByRole('button', { name: `Bring back the text of release ${earlier} The earlier one?` })
    .click({ clickCount: 2, delay: 200 })
  await expect(page.getByText(`1 text of release ${earlier} is brought back`)).toBeVisible()
  expect(brought).toBe(1)
  await expect(page.getByText('1 change', { exact: true })).toBeVisible()
  expect((await call(request, token, 'GET', path)).data.value.question).toBe('The earlier one?')

  await page.getByRole('button', { name: 'Bring back the previous text The later one?' }).click()
  await expect(page.getByText('The previous text is brought back')).toBeVisible()

  await page.getByRole('button', { name: `Show release ${earlier} again` }).click()
  const confirm = page.getByRole('dialog', { name: `Show release ${earlier} again?` })
  await expect(confirm.getByText('From The later one?')).toBeVisible()
  await expect(confirm.getByText('To The earlier one?')).toBeVisible()
  await confirm.getByRole('button', { name: 'Show it now' }).click()
  await expect(page.getByText(`The texts of release ${earlier} are live again`)).toBeVisible()
  await expect(page.getByText(`Release ${earlier} shown again`)).toBeVisible()
  const site = await (await request.get('/faq')).text()
  expect(site).toContain('The earlier one?')
  expect(site).not.toContain('The later one?')
  await list(page)
    .getByRole('link', { name: /^Questions/ })
    .click()
  await list(page)
    .getByRole('link', { name: /^The earlier one/ })
    .click()
  await expect(preview(page).getByText('The earlier one?').first()).toBeVisible()

  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Bring back all texts of the site as it came' }).click()
  await expect(page.getByText(/of the site as it came (is|are) brought back/)).toBeVisible()
  expect((await call(request, token, 'GET', path)).data.value).toEqual(question.data)
})
