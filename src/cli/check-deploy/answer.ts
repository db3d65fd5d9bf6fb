import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'

/** An answer as it came, redirects not followed. */
export interface Answer {
  url: string
  status: number
  /** Every value of a header, in the order of the lines that it came in. */
  all(name: string): string[]
  /** The only value of a header; undefined without one or with several. */
  header(name: string): string | undefined
  body: Buffer
  text: string
}

export interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: string
}

const TIMEOUT_MS = 15_000

/** One request; rejects with a sentence when no answer comes. */
export async function ask(url: URL, { method = 'GET', headers = {}, body }: Asked = {}) {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const outgoing = send(url, {
    method,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
    },
    timeout: TIMEOUT_MS,
  })
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within 15 seconds')))
  outgoing.on('error', ({ message }) =>
    reject(new Error(`${url.pathname} could not be asked: ${message}`)),
  )
  outgoing.on('response', (incoming) => {
    const all = (name: string) => incoming.headersDistinct[name.toLowerCase()] ?? []
    buffer(incoming).then(
      (content) =>
        resolve({
          url: url.pathname + url.search,
          status: incoming.statusCode ?? 0,
          all,
          header: (name) => (all(name).length === 1 ? all(name)[0] : undefined),
          body: content,
          text: content.toString(),
        }),
      reject,
    )
  })
  outgoing.end(body)
  return promise
}

/** The JSON of an answer; undefined where it is none. */
export const jsonOf = ({ text }: Answer): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
