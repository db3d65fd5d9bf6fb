import { once } from 'node:events'
import { createServer, type Server, STATUS_CODES } from 'node:http'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import type { Site } from '#host/site.ts'
import { createApp } from '#server/app.ts'
import { authority } from '#server/config.ts'
import { type Deps, nameOf } from '#server/deps.ts'
import { clientIp } from '#server/http/ip.ts'
import { hasPlan, planPage } from '#server/plan/plan-page.ts'

export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timer = Promise.withResolvers<void>()
  const timeout = setTimeout(timer.resolve, milliseconds)
  await Promise.race([work, timer.promise])
  clearTimeout(timeout)
}

/** Statuses of requests that Node's parser gives up on; everything else is a 400. */
const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Gives the answers that Node makes by itself, before any handler runs, the site's headers. */
function answerProtocolErrors(server: Server, headers: Headers): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const status = statuses[error.code ?? ''] ?? 400
    const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
    socket.end(
      [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, 'connection: close', '', ''].join(
        '\r\n',
      ),
    )
  })
  server.on('checkExpectation', (_request, response) => {
    response.setHeaders(headers).writeHead(417).end()
  })
}

/** The time that requests and the work that they left behind may take to finish. */
const GRACE_MS = 5_000

/**
 * The lifetime of an idle connection: longer than proxies keep theirs to the host (nginx 60 s,
 * Caddy 120 s). The proxy must close first: a request that meets a closing host is lost.
 */
const KEEP_ALIVE_MS = 130_000

/** A call by a path that means the same as it stands, which saves parsing the URL. */
const PLAIN_CALL = /^\/api\/[\w/-]+(\?|$)/

/** Serves the built site and the API on one port, or on a `socket` that is open already. */
export async function startHost(deps: Deps, site: Site, socket?: number) {
  const { config } = deps
  const app = createApp(deps)
  const working = new Set<Promise<unknown>>()
  const afterResponse = (work: Promise<unknown>): void => {
    // Many calls may leave one and the same piece of work: a full outbox is emptied once for all.
    if (working.has(work)) return
    working.add(work)
    void work
      .catch((error: unknown) => {
        deps.log({ level: 'error', event: 'work_failed', name: nameOf(error) })
      })
      .finally(() => working.delete(work))
  }

  const pageOfSite = async (request: Request, url: URL): Promise<Response> => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const planned = isRead && hasPlan(url) && (await planPage(request, deps.page))
    return planned || site.respond(request)
  }

  const handle: Parameters<typeof getRequestListener>[0] = (request, bindings) => {
    const { incoming } = bindings as HttpBindings
    if (!PLAIN_CALL.test(incoming.url ?? '')) {
      const url = new URL(request.url)
      if (!/^\/(api|status|preview|calendar|media)(\/|$)/.test(url.pathname))
        return pageOfSite(request, url)
    }
    const ip = clientIp(
      incoming.socket.remoteAddress,
      // Node joins a header of this name that comes several times.
      String(incoming.headers['x-forwarded-for'] ?? ''),
      config.trustProxy,
    )
    return app.fetch(request, { ip, afterResponse, isBounded: true })
  }
  const headers = site.headersAt('/')
  const listener = getRequestListener(handle, {
    errorHandler: (error) => {
      if (error instanceof RequestError) return new Response(null, { status: 400, headers })
      deps.log({ level: 'error', event: 'internal_error', name: nameOf(error) })
      return new Response(null, { status: 500, headers })
    },
  })
  // A missing Host is refused by the listener, whose answer carries headers.
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false },
    listener,
  )
  answerProtocolErrors(server, headers)
  server.listen(socket === undefined ? { port: config.port, host: config.host } : { fd: socket })
  await once(server, 'listening').catch((cause: Error) => {
    throw new Error(
      `No listening here: ${cause.message}. Stop what listens there, or set another PORT or HOST.`,
      { cause },
    )
  })
  const bound = server.address()
  const port = bound !== null && typeof bound === 'object' ? bound.port : config.port

  return {
    url: `http://${authority(config.host, port)}`,
    /** Takes no more, and lets what has begun finish in bounded time. */
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      await within(GRACE_MS, closed)
      server.closeAllConnections()
      await within(GRACE_MS, Promise.allSettled(working))
    },
  }
}
