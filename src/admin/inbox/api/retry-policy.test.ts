import { expect, test } from 'vitest'
import { pause, tryNow } from './retry-policy.ts'

test('a request to try now that comes during an attempt ends the pause after it', async () => {
  tryNow()
  await expect(pause(2 ** 31 - 1)).resolves.toBeUndefined()
})
