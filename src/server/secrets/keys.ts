import { createHmac } from 'node:crypto'

/**
 * The keys of `AUTH_SECRET`, separated by a comma while one replaces another: the first is for what is
 * new, each of them for what is checked or read.
 */
export const keysOf = (authSecret: string): [string, ...string[]] => {
  const [first = '', ...others] = authSecret.split(',').map((key) => key.trim())
  return [first, ...others]
}

const hashWith = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** The hashed text by which the audit log knows the address of a refused sign-in. */
export const refusedEmail = (email: string): string => `refused-email:${email.toLowerCase()}`

/** A hash that nobody can make or test without the key. */
export const keyedHash = (authSecret: string, text: string): string =>
  hashWith(keysOf(authSecret)[0], text)

/** The same under every key, the one of {@link keyedHash} first: for what may be stored under an older key. */
export const keyedHashes = (authSecret: string, text: string): [string, ...string[]] => {
  const [first, ...others] = keysOf(authSecret)
  return [hashWith(first, text), ...others.map((key) => hashWith(key, text))]
}
