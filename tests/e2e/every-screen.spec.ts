// What holds on every screen of the admin.

import { enter, expect, signedIn, test } from '#tests/e2e/admin-fixtures.ts'

const screens = [
  '/admin/dashboard',
  '/admin/consultations',
  '/admin/applications',
  '/admin/contacts',
  '/admin/users',
  '/admin/mail',
  '/admin/audit',
  '/admin/privacy',
  '/admin/account',
]

test('no screen breaks a rule of its policy, asks another host or is wider than a phone', async ({
  page,
  request,
  baseURL,
}) => {
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  const elsewhere: string[] = []
  page.on('request', (sent) => {
    const url = new URL(sent.url())
    if (/^https?:$/.test(url.protocol) && url.origin !== baseURL) elsewhere.push(sent.url())
  })
  await enter(page, await signedIn(request, 'superuser'))
  await page.setViewportSize({ width: 320, height: 640 })
  for (const screen of screens) {
    await page.goto(screen, { waitUntil: 'networkidle' })
    await expect(page.getByRole('main')).toBeVisible()
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect([screen, overflow]).toEqual([screen, 0])
  }
  expect(elsewhere).toEqual([])
})
