// Links within the site: the next page is prerendered while the pointer hovers over the link.

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onThisMachine } from '#tests/browser.ts'
import { expect, test } from '#tests/e2e/fixtures.ts'
import { follow, hover, openPage, prerenderingBrowser } from '#tests/followed-links.ts'

interface Seen {
  method: string
  path: string
  /** The `Sec-Purpose` header: `prefetch;prerender`, or empty. */
  purpose: string
}

/** The site behind a proxy that records requests. */
const recorder = async (site: string) => {
  const seen: Seen[] = []
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    seen.push({ method, path: url, purpose: String(headers['sec-purpose'] ?? '') })
    const sent = request(site + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    sent.on('error', () => outgoing.destroy())
    incoming.pipe(sent)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const prerendered = ({ seen }: { seen: Seen[] }) =>
  seen.filter(({ purpose }) => purpose.includes('prerender'))

test('a hovered page is prerendered, sends nothing by itself, and is shown when its link is followed', async ({
  baseURL,
}) => {
  const site = await recorder(baseURL ?? '')
  const browser = await prerenderingBrowser(onThisMachine()[0] ?? '')
  try {
    const page = await openPage(browser, `${site.url}/about`)
    site.seen.length = 0
    // The home page has a form and several scripts.
    await page.locator('.nav .brand').hover()
    await expect.poll(() => prerendered(site).map(({ path }) => path)).toContain('/')
    await hover(page, '/services')
    await expect.poll(() => prerendered(site).map(({ path }) => path)).toContain('/services')
    await expect
      .poll(() => site.seen.filter(({ path }) => path.startsWith('/_astro/')).length)
      .toBeGreaterThan(0)
    const followed = await follow(page, '/services')
    expect(followed.wasPrerendered).toBe(true)
    expect(JSON.parse(followed.source ?? '{}')).toEqual({ landingPage: '/about' })
    expect(site.seen.filter(({ method }) => method !== 'GET')).toEqual([])
    expect(site.seen.filter(({ path }) => path.startsWith('/api'))).toEqual([])
  } finally {
    await browser.close()
    site.close()
  }
})

test('forms and the page itself are not prerendered', async ({ baseURL }) => {
  const site = await recorder(baseURL ?? '')
  const browser = await prerenderingBrowser(onThisMachine()[0] ?? '')
  try {
    const page = await openPage(browser, `${site.url}/consultation`)
    site.seen.length = 0
    await page.locator('main a[href^="/consultation-form"]').hover()
    await hover(page, '/services')
    await expect.poll(() => prerendered(site).map(({ path }) => path)).toContain('/services')
    expect(prerendered(site).filter(({ path }) => /form|consultation/.test(path))).toEqual([])
  } finally {
    await browser.close()
    site.close()
  }
})

test('the rules leave out the admin, the forms and the pages of one sender', async ({
  request,
}) => {
  const html = await (await request.get('/about')).text()
  const rules = JSON.parse(/<script type="speculationrules">(.*?)<\/script>/.exec(html)?.[1] ?? '')
  const [rule] = rules.prerender
  const matches = (patterns: string | string[], path: string) =>
    [patterns]
      .flat()
      .some((pathname) =>
        new RegExp(`^${pathname.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(path),
      )
  const [all, { not: left }] = rule.where.and
  expect(matches(all.href_matches, '/services')).toBe(true)
  expect(matches(left.href_matches, '/services')).toBe(false)
  for (const path of ['/admin', '/admin/contacts', '/apply', '/consultation-form', '/status/x']) {
    expect([path, matches(left.href_matches, path)]).toEqual([path, true])
  }
  expect(html).not.toContain('"immediate"')
  expect(await (await request.get('/admin')).text()).not.toContain('type="speculationrules"')
})
