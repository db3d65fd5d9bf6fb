import type { APIRequestContext } from '@playwright/test'
import { startResendDouble } from '#tests/faults/resend-double.ts'
import { end, launch, newFolder, whenReady } from '#tests/launch.ts'
import {
  axeViolations,
  test as base,
  enter,
  enterAs,
  expect,
  ownWord,
  signedIn,
  submit,
  superuser,
} from './fixtures.ts'

/** Mail that the provider rejects, on a separate host with a test double of the provider. */
const test = base.extend<{ provider: Awaited<ReturnType<typeof startResendDouble>> }>({
  provider: async ({}, use) => {
    const double = await startResendDouble()
    await use(double)
    double.close()
  },
  baseURL: async ({ provider }, use) => {
    const env = {
      DATA_DIR: newFolder(),
      TRUST_PROXY: '1',
      ADMIN_EMAIL: superuser.email,
      ADMIN_USERNAME: superuser.username,
      ADMIN_PASSWORD: superuser.password,
      RESEND_API_KEY: 're_a_double_takes_anything',
      RESEND_BASE_URL: provider.url,
      MAIL_FROM: 'Agency <hello@example.test>',
      MAIL_TO: 'desk@example.test',
    }
    // It lives for seconds: optimising the database's code would take longer than the test.
    const host = await whenReady(launch('serve', [], env, ['--liftoff-only']))
    await use(host.url)
    await end(host.process)
  },
})

/** The number of messages that were rejected permanently. */
const failedMail = async (request: APIRequestContext, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await request.get('/api/mail?status=failed', { headers })
  return (await answer.json()).data.length
}

test('failed mail is shown on the dashboard, with its reason; an editor sends it again, a reviewer cannot', async ({
  page,
  request,
  provider,
  browser,
  baseURL,
}) => {
  provider.mood = 'reject'
  await submit(request, 'contacts', ['Ferry office'], ownWord())
  const editor = await signedIn(request, 'editor')
  await expect.poll(() => failedMail(request, editor.token)).toBe(2)

  await test.step('a reviewer sees it', async () => {
    const reviewing = await browser.newPage()
    await enterAs(reviewing, request, 'reviewer')
    await reviewing.goto(`${baseURL}/admin/mail`)
    await expect(reviewing.getByRole('row', { name: /Notice to staff/ })).toBeVisible()
    await expect(reviewing.getByRole('link', { name: 'Open record' }).first()).toBeVisible()
    await expect(reviewing.getByRole('button', { name: 'Try again' })).toBeHidden()
    await reviewing.close()
  })

  await enter(page, editor)
  await page.goto('/admin/dashboard')
  await page.getByRole('link', { name: '2 e-mails failed' }).click()
  await expect(page).toHaveURL('/admin/mail')
  const toSender = page.getByRole('row', { name: /Confirmation to the sender/ })
  await expect(toSender).toContainText('422')
  await expect(page.getByRole('row', { name: /Notice to staff/ })).toContainText(
    'desk@example.test',
  )
  expect(await axeViolations(page)).toEqual([])

  provider.mood = 'accept'
  await toSender.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'will be sent again' })).toBeVisible()
  await expect(toSender).toBeHidden()
  await expect(page.getByRole('row', { name: /Notice to staff/ })).toBeVisible()
  await expect.poll(() => failedMail(request, editor.token)).toBe(1)
})
