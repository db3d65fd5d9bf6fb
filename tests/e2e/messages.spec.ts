import { expect, test } from './admin-fixtures.ts'
import { shown } from './messages.ts'

test.use({ expectedError: /401|500|ERR_FAILED/ })

/** Until changes that the server refuses with a 500 are given up rather than tried again. */
const waiting = /^Failed to (update status|delete (consultation|application|contact message))/

for (const [message, scenario] of Object.entries(shown))
  test(`“${message}” is shown`, async ({ page, request }) => {
    test.fixme(waiting.test(message))
    await scenario({ page, request })
    await expect(page.getByText(message).first()).toBeVisible()
  })
