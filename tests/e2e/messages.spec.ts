import { expect, interceptFromStart, test } from './admin/fixtures.ts'
import { shown } from './messages.ts'

test.beforeEach(({ page }) => interceptFromStart(page))

for (const [message, scenario] of Object.entries(shown))
  test(`“${message}” is shown`, async ({ page, request, expectErrors }) => {
    expectErrors(/status of (401|500)/, /ERR_FAILED/)
    await scenario({ page, request })
    await expect(page.getByText(message).first()).toBeVisible()
  })
