import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The site as a browser without JavaScript sees it: a proxy adds a second policy to each answer, which
 * allows no script.
 */
export async function withoutScripts(url: string): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { 'content-type': type } = request.headers
    const answer = await fetch(url + request.url, {
      method: request.method ?? 'GET',
      redirect: 'manual',
      ...(type ? { headers: { 'Content-Type': type } } : {}),
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    })
    for (const [name, value] of answer.headers)
      if (!/^(content-encoding|content-length|connection|keep-alive)$/.test(name))
        response.setHeader(name, value)
    response.appendHeader('Content-Security-Policy', "script-src 'none'")
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
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
