import { type Server, STATUS_CODES } from 'node:http'

/** Statuses of requests that Node's parser gives up on; everything else is a 400. */
const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Gives the answers that Node makes by itself, before any handler runs, the site's headers. */
export function answerProtocolErrors(server: Server, headers: Headers): void {
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
