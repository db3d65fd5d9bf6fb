import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'

const guide = readFileSync('docs/integrate.md', 'utf8')

test('the guide’s check of a signature takes what is ours, and nothing else', async () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? []
  const { isOurs } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const [at, body] = [new Date(), '{"type":"test"}']
  const headers = {
    'webhook-id': 'one',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('one', at, body)}`,
  }
  expect(isOurs(secret, headers, body)).toBe(true)
  expect(isOurs(secret, headers, `${body} `)).toBe(false)
  expect(isOurs(`whsec_${randomBytes(32).toString('base64')}`, headers, body)).toBe(false)
  expect(isOurs(secret, headers, body, Date.now() + 600_000)).toBe(false)
})
