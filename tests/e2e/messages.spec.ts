import { expect, test } from './admin/fixtures.ts'
import { places } from './messages.ts'

for (const [place, scenarios] of Object.entries(places))
  test(`${place} shows ${Object.keys(scenarios)
    .map((message) => `“${message}”`)
    .join(', ')}`, async ({ page, request, expectErrors }) => {
    expectErrors(/status of (401|500)/, /ERR_FAILED/)
    // This route keeps requests intercepted between scenarios, when the page has no route.
    await page.context().route('**/matches-nothing', (route) => route.abort())
    for (const [message, scenario] of Object.entries(scenarios))
      await test.step(message, async () => {
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await scenario({ page, request })
        await expect(page.getByText(message).first()).toBeVisible()
      })
  })
