import { criticalBytes } from '#site/build/check.ts'
import { brotli } from '#site/build/compress.ts'
import { atMost, bytes, informative, type Part } from '#tests/bench/part.ts'
import { withHost } from '#tests/bench/stage.ts'
import { publicPages } from '#tests/pages.ts'

interface Weight {
  path: string
  /** HTML with its inline CSS, as sent in brotli. */
  document: number
  /** Stylesheets that the first paint waits for, in brotli. */
  stylesheets: number
  /** The inline CSS, compressed separately with brotli. */
  ownStyles: number
}

/** What must be loaded before the first paint, as the host sends it. */
export const weights: Part = {
  name: 'weights',
  measure: () =>
    withHost(async ({ url }) => {
      const pages: Weight[] = []
      for (const path of publicPages()) pages.push(await weigh(url, path))
      const total = ({ document, stylesheets }: Weight) => document + stylesheets
      const heaviest = (some: Weight[]) => some.reduce((a, b) => (total(a) >= total(b) ? a : b))
      const heavy = heaviest(pages)
      const styles = Math.max(...pages.map((page) => page.ownStyles + page.stylesheets))
      return {
        rows: [
          atMost(`HTML and CSS, heaviest page (${heavy.path})`, total(heavy), criticalBytes, bytes),
          informative('CSS of the page with the most of it', [styles], '', bytes),
        ],
        details: { pages },
      }
    }),
}

async function weigh(url: string, path: string): Promise<Weight> {
  const document = await sent(url + path)
  const html = await (await fetch(url + path)).text()
  const linked = [...html.matchAll(/<link\b[^>]*rel="?stylesheet"?[^>]*>/g)].map(
    ([tag]) => /href="?([^"\s>]+)/.exec(tag)?.[1] ?? '',
  )
  let stylesheets = 0
  for (const href of linked) stylesheets += await sent(new URL(href, url + path).href)
  const own = [...html.matchAll(/<style\b[^>]*>(.*?)<\/style>/gs)].map(([, css]) => css).join('')
  return { path, document, stylesheets, ownStyles: (await brotli(own)).length }
}

/** Bytes of a body as sent to a browser that accepts brotli. */
async function sent(url: string): Promise<number> {
  const { headers, status } = await fetch(url, {
    method: 'HEAD',
    headers: { 'Accept-Encoding': 'br' },
  })
  if (status !== 200 || headers.get('content-encoding') !== 'br') {
    throw new Error(`${url} answers ${status}, ${headers.get('content-encoding')}`)
  }
  return Number(headers.get('content-length'))
}
