import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Page {
  headers: Headers
  html: string
}

/** The host behind a proxy that changes each of its pages. */
export async function proxied(url: string, change: (page: Page) => Page) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers))
      if (!/^(host|connection|content-length|accept-encoding|if-none-match|sec-.*)$/.test(name))
        headers.set(name, name === 'origin' && value !== 'null' ? url : String(value))
    const answer = await fetch(url + request.url, {
      method: request.method ?? 'GET',
      redirect: 'manual',
      headers,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    })
    const isPage = answer.headers.get('content-type')?.startsWith('text/html')
    const page = isPage
      ? change({ headers: new Headers(answer.headers), html: await answer.text() })
      : undefined
    for (const [name, value] of page?.headers ?? answer.headers)
      if (!/^(content-encoding|content-length|connection|keep-alive)$/.test(name))
        response.appendHeader(name, value)
    response.writeHead(answer.status)
    response.end(page?.html ?? Buffer.from(await answer.arrayBuffer()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The site as a browser without JavaScript sees it: a second policy allows no script. */
export const withoutScripts = (url: string) =>
  proxied(url, ({ headers, html }) => {
    headers.append('Content-Security-Policy', "script-src 'none'")
    return { headers, html }
  })
