import { getDomain } from 'tldts-icann'
import type { Header } from './mime/read-mail.ts'

/** True if the receiving server's checks confirm the domain of From (RFC 8601, RFC 7489). */

const MAX_LENGTH = 10_000

/** Leaves out comments and quoted strings: what a sender wrote in them is no result. */
const plain = (value: string): string => {
  let depth = 0
  let isQuoted = false
  let kept = ''
  for (let at = 0; at < value.length; at += 1) {
    const sign = value[at]
    if (sign === '\\') at += 1
    else if (isQuoted) isQuoted = sign !== '"'
    else if (depth > 0) depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    else if (sign === '"') isQuoted = true
    else if (sign === '(') depth += 1
    else kept += sign
  }
  return kept.replace(/\s+/g, ' ').replace(/ ?([=./;]) ?/g, '$1')
}

const resultOf = (text: string) => {
  const [, method, result] = /^([\w-]+)(?:\/\d+)?=([\w-]+)/.exec(text.trim().toLowerCase()) ?? []
  if (!method || !result) return undefined
  const properties = [...text.toLowerCase().matchAll(/ ([a-z]+\.[\w-]+)=([^ ]+)/g)]
  return {
    method,
    result,
    properties: Object.fromEntries(properties.map(([, name = '', value = '']) => [name, value])),
  }
}

const resultsOf = (headers: readonly Header[], server: string) =>
  headers
    .filter(({ key }) => key === 'authentication-results')
    .map(({ value }) => plain(value.slice(0, MAX_LENGTH)).split(';'))
    .filter(([id = '']) => id.trim().split(' ')[0]?.toLowerCase() === server)
    .flatMap(([, ...results]) => results.flatMap((text) => resultOf(text) ?? []))

const domainOf = (address: string | undefined): string => address?.split('@').at(-1) ?? ''

/** Relaxed alignment: the same organisation's domain. */
const isAligned = (domain: string, from: string): boolean =>
  domain === from || (getDomain(domain) ?? domain) === (getDomain(from) ?? from)

/**
 * @param server the name in the headers that count; every other one anybody may have written
 * @param from the address in From
 */
export const isVerified = (headers: readonly Header[], server: string, from: string): boolean => {
  const domain = domainOf(from.toLowerCase())
  const results = resultsOf(headers, server)
  const dmarc = results.filter(({ method, result }) => method === 'dmarc' && result !== 'none')
  if (dmarc.length > 0)
    return dmarc.every(
      ({ result, properties }) => result === 'pass' && properties['header.from'] === domain,
    )
  return results.some(({ method, result, properties }) => {
    if (result !== 'pass') return false
    const named =
      method === 'dkim'
        ? (properties['header.d'] ?? domainOf(properties['header.i']))
        : method === 'spf'
          ? domainOf(properties['smtp.mailfrom'])
          : ''
    return named !== '' && isAligned(named, domain)
  })
}
