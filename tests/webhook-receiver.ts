import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { onTestFinished } from 'vitest'

/** The other side of a webhook, written from the Standard Webhooks specification alone. */

const folder = join(import.meta.dirname, 'fixtures/receiver')
export const certificatePath = join(folder, 'certificate.pem')

/** Whether one of the signatures is the secret's, over id, time and body. */
export const isSigned = (
  secret: string,
  headers: IncomingHttpHeaders,
  body: string,
  now = Date.now(),
): boolean => {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers[`webhook-${name}`] as string,
  )
  if (Math.abs(now / 1_000 - Number(time)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest()
  return (signatures ?? '').split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',')
    const given = Buffer.from(value, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

export interface Received {
  headers: IncomingHttpHeaders
  body: string
}

interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string
}

type Answer = number | Reply | Promise<number | Reply>

/** Listens with https on a free port of localhost; the process trusts its certificate while the test runs. */
export const startReceiver = async (answer: (received: Received) => Answer = () => 204) => {
  const certificate = readFileSync(certificatePath, 'utf8')
  const known = getCACertificates()
  setDefaultCACertificates([...known, certificate])
  const received: Received[] = []
  const server = createServer(
    { cert: certificate, key: readFileSync(join(folder, 'key.pem')) },
    async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const one = { headers: request.headers, body: Buffer.concat(chunks).toString() }
      received.push(one)
      const given = await answer(one)
      const reply: Reply = typeof given === 'number' ? { status: given } : given
      response.writeHead(reply.status, reply.headers).end(reply.body ?? 'taken')
    },
  ).listen(0, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => {
    setDefaultCACertificates(known)
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { received, host: `localhost:${port}`, url: `https://localhost:${port}/hook` }
}
