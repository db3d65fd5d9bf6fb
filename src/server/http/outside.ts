import { type LookupAddress, lookup } from 'node:dns'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Requests to hosts that people name: https, to public addresses alone, without following redirects. */

/** The one range of IPv6 that is in use. */
const inUse = ipaddr.IPv6.parseCIDR('2000::/3')

/** True if an IP is reachable for everybody: in use, and in no range that IANA keeps for a special purpose. */
export const isPublicIp = (text: string): boolean => {
  if (isIP(text) === 0) return false
  const ip = ipaddr.parse(text)
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(inUse))
}

/** An IPv6 host stands in brackets. */
const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

/** True if `PRIVATE_HOSTS` names the host, or the host with its port. */
const isExempt = ({ hostname, port }: URL, privateHosts: readonly string[]): boolean =>
  privateHosts.includes(hostname) || privateHosts.includes(`${hostname}:${port || '443'}`)

/**
 * True if a URL names a private IP in any spelling: the URL standard has made it one. Names are
 * judged as they resolve.
 */
export const namesPrivateIp = (url: URL, privateHosts: readonly string[]): boolean =>
  isIP(bare(url.hostname)) !== 0 && !isExempt(url, privateHosts) && !isPublicIp(bare(url.hostname))

/** The host may not be called, or its answer is not what was asked for. */
export class OutsideRefused extends Error {}

/** Resolves a name and lets it through where all its addresses are public: the connection goes to these. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, [])
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublicIp(address)))
      return callback(new OutsideRefused('private address'), [])
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

interface Outside {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  /** A longer answer is refused. With 0 the body is not read. */
  maxBytes: number
  privateHosts: readonly string[]
}

interface OutsideAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** @throws {OutsideRefused}, or the error of the connection */
export const requestOutside = (
  url: URL,
  { method, headers = {}, body, timeoutMs, maxBytes, privateHosts }: Outside,
): Promise<OutsideAnswer> => {
  if (url.protocol !== 'https:') return Promise.reject(new OutsideRefused('not https'))
  if (namesPrivateIp(url, privateHosts))
    return Promise.reject(new OutsideRefused('private address'))
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        headers: {
          // Firewalls refuse requests that do not name their program.
          'User-Agent': 'node',
          ...headers,
          ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
        },
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        ...(isExempt(url, privateHosts) ? {} : { lookup: publicLookup }),
      },
      (answer) => {
        const { statusCode: status = 0, headers } = answer
        if (maxBytes === 0) {
          resolve({ status, headers, body: Buffer.alloc(0) })
          answer.destroy()
          return
        }
        const chunks: Buffer[] = []
        let size = 0
        answer.on('error', reject)
        answer.on('data', (chunk: Buffer) => {
          size += chunk.byteLength
          chunks.push(chunk)
          if (size > maxBytes) answer.destroy(new OutsideRefused('answer too large'))
        })
        answer.on('end', () => resolve({ status, headers, body: Buffer.concat(chunks) }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
