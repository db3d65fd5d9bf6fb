import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { runCommand } from '#tests/processes.ts'

test('npm run push-keys prints lines for .env that switch notifications on', async () => {
  const { code, output } = await runCommand('push-keys', [], {})
  expect(code).toBe(0)
  const pairs = output
    .trim()
    .split('\n')
    .map((line) => line.split('='))
  expect(pairs.map(([name]) => name)).toEqual(['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'])
  const env = Object.fromEntries(pairs) as Record<string, string>
  const { push } = readConfig({ AUTH_SECRET: 'x'.repeat(32), ...env })
  expect(push).toEqual({ publicKey: env.VAPID_PUBLIC_KEY, privateKey: env.VAPID_PRIVATE_KEY })
})
