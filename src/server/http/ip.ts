import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Limit, limitKey } from '#server/db/rate-limit.ts'

const network = (ip: string, bits: number): string =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${bits}`)}/${bits}`

/** True where a URL's host name is this machine for every browser and resolver. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)

/**
 * The form of an IP that limits are counted by: IPv4 as it is, IPv4-mapped IPv6 as IPv4, IPv6 as its
 * /64, which belongs to one household or machine (RFC 6177). Undefined for text that is not an IP.
 */
export function foldIp(text: string): string | undefined {
  const withoutZone = text.trim().replace(/%.*$/, '')
  // ipaddr.js also reads shortened, octal and hexadecimal IPv4.
  if (isIP(withoutZone) === 0) return undefined
  const ip = ipaddr.process(withoutZone)
  return ip.kind() === 'ipv4' ? ip.toString() : network(withoutZone, 64)
}

/**
 * The client's IP, folded: the socket's, or behind one trusted proxy the last entry of
 * `X-Forwarded-For`, which the proxy itself wrote.
 */
export function clientIp(
  socketIp: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? foldIp(forwardedFor?.split(',').at(-1) ?? '') : undefined
  return forwarded ?? foldIp(socketIp ?? '') ?? 'unknown'
}

/** A provider may give one customer a /48, which holds 65,536 networks of /64: their common limit is this many times the limit of one. */
const WIDER_FACTOR = 4

const widerNetwork = (ip: string): string | undefined =>
  ip.endsWith('/64') ? network(ip.slice(0, -'/64'.length), 48) : undefined

/** The limits of one client: by its IP and, for IPv6, also by the /48 around it. */
export const limitsByIp = (
  secret: string,
  what: string,
  ip: string,
  { max, windowSeconds }: Omit<Limit, 'key'>,
): Limit[] => {
  const wider = widerNetwork(ip)
  return [
    { key: limitKey(secret, what, ip), max, windowSeconds },
    ...(wider
      ? [{ key: limitKey(secret, what, wider), max: max * WIDER_FACTOR, windowSeconds }]
      : []),
  ]
}
