import { expect, test } from './admin-fixtures.ts'
import { shown } from './messages.ts'

test.use({ expectedError: /401|500|ERR_FAILED/ })

for (const [message, scenario] of Object.entries(shown))
  test(`“${message}” is shown`, async ({ page, request }) => {
    await scenario({ page, request })
    await expect(page.getByText(message).first()).toBeVisible()
  })
