import type { APIRequestContext, Page } from '@playwright/test'
import { brand } from '#site/content.ts'
import {
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
