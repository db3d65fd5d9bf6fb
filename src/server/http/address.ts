import { isIP, isIPv4 } from 'node:net'
import { type Limit, limitKey } from '#server/db/rate-limit.ts'

/**
 * The address that limits are counted by, in one spelling: IPv4 as it is, IPv4-mapped IPv6 as the
 * IPv4 it means, IPv6 by the /64 that one household or one machine has to itself (RFC 6177).
 * Undefined for what is no address.
 */
export function foldAddress(text: string): string | undefined {
  const address = text.trim().replace(/%.*$/, '')
  switch (isIP(address)) {
    case 4:
      return address
    case 6: {
      const groups = expand(address)
      if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
        return groups
          .slice(6)
          .flatMap((group) => [group >> 8, group & 0xff])
          .join('.')
      }
      return `${groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}::/64`
    }
    default:
      return undefined
  }
}

/**
 * Who is calling: the socket's other end or, behind one trusted proxy, the last entry of
 * `X-Forwarded-For`, which is the one that the proxy itself has written.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? foldAddress(forwardedFor?.split(',').at(-1) ?? '') : undefined
  return forwarded ?? foldAddress(socketAddress ?? '') ?? 'unknown'
}

/** A provider may hand one customer a /48, which has 65,536 networks of /64: together they get so many times the number of one. */
const WIDER_FACTOR = 4

/** The /48 around the /64 of a folded address; undefined for IPv4, which has none. */
const widerNetwork = (address: string): string | undefined =>
  address.endsWith('::/64') ? address.replace(/^(\w+:\w+:\w+):\w+::\/64$/, '$1::/48') : undefined

/** The limits of one client: of its address and, at four times the number, of the /48 around it. */
export const limitsByAddress = (
  secret: string,
  what: string,
  address: string,
  { max, windowSeconds }: Omit<Limit, 'key'>,
): Limit[] => {
  const wider = widerNetwork(address)
  return [
    { key: limitKey(secret, what, address), max, windowSeconds },
    ...(wider
      ? [{ key: limitKey(secret, what, wider), max: max * WIDER_FACTOR, windowSeconds }]
      : []),
  ]
}

/** The eight groups of an IPv6 address (RFC 4291, section 2.2). */
function expand(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const before = groupsOf(head)
  if (tail === undefined) return before
  const after = groupsOf(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function groupsOf(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (!isIPv4(group)) return Number.parseInt(group, 16)
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
