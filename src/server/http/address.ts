import { isIP, isIPv4 } from 'node:net'

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
