// Every script that runs is the one that was built: Subresource Integrity for all of them.

import { screens } from '#admin/screens.ts'
import { brandName, enterAs, expect, goTo, test } from '#tests/e2e/admin/fixtures.ts'
import { pinned, scriptsOf } from '#tests/e2e/scripts.ts'

test('every script that the admin loads has a hash in its markup, and the inbox takes few files, which cost a request each', async ({
  page,
  request,
}) => {
  const asked = scriptsOf(page)
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/contacts', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { name: 'Contacts' })).toBeVisible()
  expect(asked.size).toBeLessThanOrEqual(20)
  for (const path of [
    '/admin/dashboard',
    '/admin/users',
    '/admin/mail',
    '/admin/audit',
    '/admin/privacy',
    '/admin/account',
  ] as const) {
    // The built pages of all others are alike.
    await (path === '/admin/dashboard' ? page.goto(path) : goTo(page, path))
    await expect(page).toHaveTitle(`${screens[path].title} | ${brandName}`)
    await expect(page.getByRole('main')).toBeVisible()
  }
  const known = await pinned(page)
  expect(asked.size).toBeGreaterThan(10)
  expect([...asked].filter((script) => !known.includes(script))).toEqual([])
})

for (const [name, file] of [
  ['of an island', /\/_astro\/consultation-form\.[^/]+\.js/],
  ['that an island imports', /\/_astro\/form\.[^/]+\.js$/],
  ['that a screen imports when it is opened', /\/_astro\/audit\.[^/]+\.js$/],
] as const) {
  test(`a changed script ${name} is not run`, async ({ page, request, expectErrors }) => {
    expectErrors(/integrity|digest/, /dynamically imported module/)
    const problems: string[] = []
    page.on('console', (message) => problems.push(message.text()))
    const events: string[] = []
    await page.exposeFunction('tell', (event: string) => events.push(event))
    await page.route(file, async (route) => {
      const response = await route.fetch()
      events.push('sent')
      await route.fulfill({ response, body: `tell('run');${await response.text()}` })
    })
    if (name.includes('screen')) {
      await enterAs(page, request, 'superuser')
      await page.goto('/admin/audit')
    } else {
      await page.goto('/consultation-form')
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    }
    await expect.poll(() => problems.join('\n')).toContain('integrity')
    // Astro requests an island's own file a second time, at another URL.
    if (name === 'of an island')
      await expect.poll(() => problems.length > 1 || events.includes('run')).toBe(true)
    expect(events).toContain('sent')
    expect(events).not.toContain('run')
  })
}
