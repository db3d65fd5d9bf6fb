// The first deploy, before samples are replaced: built as on Netlify.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { loadSite } from '#host/site.ts'
import { readPages } from '#site/build/pages.ts'
import { sampleContent } from '#site/samples.ts'
import { axeViolations } from '#tests/axe.ts'
import { expect, test } from '#tests/e2e/fixtures.ts'
import { outcome } from '#tests/launch.ts'

test.describe.configure({ mode: 'serial' })

const dist = join(mkdtempSync(join(tmpdir(), 'fledge-deploy-')), 'dist')
const left = sampleContent().reduce((sum, { count }) => sum + count, 0)
const strip = `${left} samples are left on this site.`
let log = ''
let server: Server

/** The deployed site, with the API of the host under test behind it. */
const deploy = async (api: string): Promise<Server> => {
  const site = loadSite(dist)
  const pages = getRequestListener((incoming) => site.respond(incoming))
  const deployed = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    if (!url.startsWith('/api/')) return void pages(incoming, outgoing)
    const sent = forward(api + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(sent)
  }).listen(0, '127.0.0.1')
  await once(deployed, 'listening')
  return deployed
}

test.beforeAll(async ({ baseURL }) => {
  test.skip(left === 0, 'No samples are left')
  test.setTimeout(300_000)
  const env = { PATH: process.env.PATH, CONTEXT: 'production', NETLIFY: 'true' }
  const build = spawn('astro', ['build', '--outDir', dist], { env, stdio: 'pipe' })
  const { code, output } = await outcome(build)
  expect(code, output).toBe(0)
  log = output
  server = await deploy(baseURL ?? '')
})

test.afterAll(() => {
  server?.closeAllConnections()
  server?.close()
})

const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

test('a production build with samples succeeds, lists them, and keeps search engines out', async ({
  request,
}) => {
  for (const { file, count } of sampleContent()) {
    expect(log).toContain(`${file}: ${count} ${count === 1 ? 'sample' : 'samples'}`)
  }
  expect(await (await request.get(at('/robots.txt'))).text()).toMatch(/^Disallow: \/$/m)
  const pages = readPages(dist)
  expect(pages.length).toBeGreaterThan(30)
  for (const { path, html } of pages) {
    expect([path, html.includes('name="robots" content="noindex')]).toEqual([path, true])
    expect([path, html.includes(strip)]).toEqual([path, !path.startsWith('/admin')])
  }
  for (const path of ['/', '/nowhere', '/admin', '/thanks/contacts', '/og/home.png']) {
    expect((await request.get(at(path))).headers()['x-robots-tag']).toBe('noindex')
  }
})

test('the strip fits a small window in both themes, keeps its position and covers no content', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(globalThis, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        sources: { node?: Node }[]
      })[])
        for (const { node } of entry.sources)
          if (document.querySelector('.samples')?.contains(node ?? null)) moved.push(String(node))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 640 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(at('/about'))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const note = page.getByRole('complementary', { name: 'Sample content' })
      await expect(note).toBeInViewport({ ratio: 1 })
      await expect(note).toContainText(strip)
      const { height = 0 } = (await note.boundingBox()) ?? {}
      expect(height).toBeLessThan(90)
      expect(await axeViolations(page)).toEqual([])
      const seen = await page.evaluate(() => ({
        moved: Reflect.get(globalThis, 'moved'),
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }))
      expect(seen).toEqual({ moved: [], overflow: 0 })
      // At the end of the page the strip is below its last line.
      await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
      const footer = await page.getByRole('contentinfo').boundingBox()
      const below = await note.boundingBox()
      expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual((below?.y ?? 0) + 0.5)
    }
  }
})
