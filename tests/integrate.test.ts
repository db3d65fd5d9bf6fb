import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { readPages } from '#site/build/pages.ts'
import { newDataDir, startHost } from './processes.ts'

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
  expect(isOurs(secret, {}, body)).toBe(false)

  // n8n runs the code like this, with the changes that the guide names.
  const [, node = ''] = / {2}```js\n([\s\S]*?) {2}```/.exec(guide) ?? []
  const [, first = ''] = /`(const [^`]* = require\('crypto'\))`/.exec(guide) ?? []
  const changed = code.replace(/^import .*/, first).replace('export ', '')
  const run = new Function(
    'require',
    '$json',
    `${changed}\nreturn (async () => {${node.replace('whsec_…', secret)}}).call(this)`,
  )
  const helpers = { getBinaryDataBuffer: async () => Buffer.from(body) }
  const require = createRequire(import.meta.url)
  expect(await run.call({ helpers }, require, { headers })).toEqual([
    { json: { body: { type: 'test' } } },
  ])
  await expect(run.call({ helpers }, require, { headers: {} })).rejects.toThrow('is wrong')
})

test('counting a visit takes at most 250 bytes of each page’s script', () => {
  const pages = readPages('dist').filter(({ path }) => !path.startsWith('/admin'))
  expect(pages.length).toBeGreaterThan(20)
  for (const { path, html } of pages) {
    // From the signals against tracking to the beacon; what it sends is there for the forms.
    const [script = ''] =
      /[^,;{]+\|\|navigator\.globalPrivacyControl.*?sendBeacon\(.*?\}\)\)/.exec(html) ?? []
    expect([path, script.length > 100 && Buffer.byteLength(script) <= 250]).toEqual([path, true])
  }
})

const hasCurl = spawnSync('curl', ['--version']).status === 0

test.skipIf(!hasCurl)('the guide’s calls with curl work as they stand', async () => {
  const password = 'a long and quiet walk'
  const { url } = await startHost({ DATA_DIR: newDataDir(), ADMIN_PASSWORD: password })
  const post = async (path: string, body: object, token = '') => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { token: string; data: { _id: string; token: string } }
  }
  const sent = { name: 'Ada', email: 'ada@people.test', message: 'Hello' }
  const { data: contact } = await post('/api/contacts', sent)
  const { token } = await post('/api/auth/login', { email: 'admin@localhost.test', password })
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const wanted = { name: 'curl', scopes: ['read', 'write'], expiresAt }
  const { data: made } = await post('/api/me/tokens', wanted, token)
  const [, recipe = ''] = /```sh\n(curl[\s\S]*?)```/.exec(guide) ?? []
  const env = { PATH: process.env.PATH, SITE: url, TOKEN: made.token, ID: contact._id }
  const answers = spawnSync('sh', ['-c', recipe.replaceAll('\ncurl', '\necho\ncurl')], {
    env,
    encoding: 'utf8',
  })
  const [listed, changed] = answers.stdout.split('\n').map((line) => JSON.parse(line))
  expect(listed.data).toMatchObject([{ _id: contact._id, name: 'Ada', status: 'new' }])
  expect(changed.data).toMatchObject({ _id: contact._id, status: 'handled' })
})
