import type { APIRequestContext, Page } from '@playwright/test'
import { brand } from '#site/content.ts'
import {
  axeViolations,
  detail,
  enter,
  expect,
  interceptFromStart,
  notice,
  ownWord,
  signedIn,
  submit,
  test,
  tryNow,
} from './fixtures.ts'

// Drafts of offers that two people work on.

test.beforeEach(({ page }) => interceptFromStart(page))

const terms = {
  title: 'A shop',
  text: 'We build five pages.',
  lines: [{ label: 'Building', amount: 145_000, per: 'once' }],
  currency: brand().currency,
  validUntil: new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10),
}

/** The draft of an offer, open in the browser of an editor; `headers` are also a colleague's. */
const drafted = async (page: Page, request: APIRequestContext) => {
  const word = ownWord()
  const name = `Wanda ${word}`
  const [record = ''] = await submit(request, 'consultations', [name], word)
  const account = await signedIn(request, 'editor')
  const headers = { authorization: `Bearer ${account.token}` }
  const answer = await request.post(`/api/consultations/${record}/offers`, {
    headers,
    data: terms,
  })
  const { data } = await answer.json()
  await enter(page, account)
  await page.goto(`/admin/offers?record=${record}&offer=${data._id}`)
  const form = page.getByRole('form', { name: 'Offer' })
  const title = form.getByRole('textbox', { name: 'Title', exact: true })
  await expect(title).toHaveValue('A shop')
  return { name, path: `/api/offers/${data._id}`, headers, form, title }
}

test('a draft that a colleague changes meanwhile shows both versions, and is saved, kept or deleted', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 409/)
  const { path, headers, form, title } = await drafted(page, request)
  const changeElsewhere = (data: object) => request.put(path, { headers, data })
  const stored = async () => (await (await request.get(path, { headers })).json()).data
  const faster = page.getByRole('alertdialog', { name: 'Someone else was faster' })
  const button = (name: string | RegExp) => form.getByRole('button', { name })

  await changeElsewhere({ text: 'We build nine pages.', terms: 'A long text. '.repeat(800) })
  await title.fill('A shop of mine')
  await button('Save the draft').click()
  await expect(faster.getByRole('row', { name: /^Title/ })).toHaveText(/A shopA shop of mine/)
  await expect(faster.getByRole('row', { name: /^Text/ })).toHaveText(/nine pages\.the same/)
  expect(await axeViolations(page)).toEqual([])
  await expect(faster.getByRole('heading', { name: 'Someone else was faster' })).toBeInViewport()
  await faster.getByRole('button', { name: 'Save my change' }).click()
  await expect(form.getByRole('status')).toHaveText(/^Draft, saved/)
  const both = { title: 'A shop of mine', text: 'We build nine pages.' }
  expect(await stored()).toMatchObject(both)

  await changeElsewhere({ title: 'A shop of theirs' })
  await title.fill('A shop of ours')
  await button(/^Send to/).click()
  await faster.getByRole('button', { name: 'Keep what is saved' }).click()
  await expect(title).toHaveValue('A shop of theirs')
  expect(await stored()).toMatchObject({ title: 'A shop of theirs', state: 'draft' })

  await changeElsewhere({ title: 'A larger shop' })
  await button('Delete draft').click()
  await expect(notice(page, 'Somebody else has changed this since.')).toBeVisible()
  await expect(title).toHaveValue('A larger shop')
  await button('Delete draft').click()
  await expect(notice(page, 'The draft is deleted.')).toBeVisible()
})

test('a draft that is opened and saved several times shows what is stored', async ({
  page,
  request,
}) => {
  const { path, headers, form, title } = await drafted(page, request)
  for (const text of ['A shop of mine', 'A shop of ours']) {
    await title.fill(text)
    await form.getByRole('button', { name: 'Save the draft' }).click()
    await expect(form.getByRole('status')).toHaveText(/^Draft, saved/)
    await expect(title).toHaveValue(text)
    expect((await (await request.get(path, { headers })).json()).data.title).toBe(text)
  }
})

test('a new offer is one draft, with the text typed since, whichever answer is lost', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/)
  const word = ownWord()
  const [record = ''] = await submit(request, 'consultations', [`Wanda ${word}`], word)
  const account = await signedIn(request, 'editor')
  await enter(page, account)
  await page.goto(`/admin/offers?record=${record}`)
  const form = page.getByRole('form', { name: 'Offer' })
  const field = (name: string) => form.getByRole('textbox', { name, exact: true })
  await field('Title').fill('A shop')
  await field('Text').fill('We build five pages.')
  await field('Line 1: what').fill('Building')
  await field('Line 1: amount').fill('1450')
  await page.route(
    `**/api/consultations/${record}/offers`,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  const save = form.getByRole('button', { name: 'Save the draft' })
  await save.click()
  await expect(form.getByRole('alert')).toBeVisible()
  await page.route('**/api/offers/*', (route) => route.abort(), { times: 1 })
  const change = page.waitForEvent('requestfailed', (call) => call.method() === 'PUT')
  await field('Title').fill('A large shop')
  await save.click()
  await change
  await expect(save).toBeEnabled()
  await field('Title').fill('A larger shop')
  await save.click()
  await expect(form.getByRole('status')).toHaveText(/^Draft, saved/)
  const headers = { authorization: `Bearer ${account.token}` }
  const { data } = await (await request.get(`/api/consultations/${record}`, { headers })).json()
  expect(data.offers).toMatchObject([{ title: 'A larger shop', state: 'draft' }])
})

for (const deed of ['sends', 'deletes'] as const)
  test(`text typed in a draft that a colleague ${deed} meanwhile is saved as a new offer`, async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(/status of 40[49]/)
    const { path, headers, form, title } = await drafted(page, request)
    await title.fill('A shop of mine')
    const gone =
      deed === 'sends'
        ? await request.post(`${path}/send`, { headers, data: {} })
        : await request.delete(path, { headers })
    expect(gone.ok()).toBe(true)
    const save = form.getByRole('button', { name: 'Save the draft' })
    await save.click()
    const past = deed === 'sends' ? 'sent' : 'deleted'
    await expect(form.getByRole('status')).toContainText(`A colleague has ${past} this draft.`)
    await expect(form.getByRole('alert')).toHaveCount(0)
    await expect(title).toHaveValue('A shop of mine')
    await save.click()
    await expect(form.getByRole('status')).toHaveText(/^Draft/)
    await expect(page).not.toHaveURL(new RegExp(path.replace('/api/offers/', '')))
    const stored = `/api/offers/${new URL(page.url()).searchParams.get('offer')}`
    const read = await request.get(stored, { headers })
    expect((await read.json()).data).toMatchObject({ title: 'A shop of mine', state: 'draft' })
    await title.fill('A shop of ours')
    await save.click()
    await expect(form.getByRole('status')).toHaveText(/^Draft, saved/)
    expect((await (await request.get(stored, { headers })).json()).data.title).toBe(
      'A shop of ours',
    )
  })

for (const [deed, says] of [
  ['changes', 'Somebody else has changed this since.'],
  ['deletes', 'It does not exist any more.'],
] as const)
  test(`an offer that a colleague ${deed} while its sending waits is not sent, and a notice says so`, async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(/ERR_FAILED|status of 40[49]/)
    const { name, path, headers, form } = await drafted(page, request)
    await page.route(
      `**${path}/send`,
      async (route) => {
        if (deed === 'deletes') await request.delete(path, { headers })
        else await request.put(path, { headers, data: { title: 'A larger shop' } })
        await route.abort()
      },
      { times: 1 },
    )
    await form.getByRole('button', { name: /^Send to/ }).click()
    const unsaved = page.getByRole('region', { name: 'Not saved yet' })
    await expect(unsaved).toBeVisible()
    await tryNow(unsaved)
    await expect(notice(page, `The offer to ${name} was not sent. ${says}`)).toBeVisible()
    await expect(detail(page).getByRole('heading', { name })).toBeVisible()
  })
