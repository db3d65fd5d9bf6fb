import { hash, randomInt } from 'node:crypto'
import { limits } from '#contract/limits.ts'

/** Crockford's base32: no letter looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** Five bits each: from 112 on a code needs no slow hash (ASVS 5.0, 6.5.2). */
const LENGTH = 24

const newCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** As people read it: groups of four. */
const grouped = (code: string): string => code.replace(/.{4}(?=.)/g, '$&-')

/** Turns typed text into the form of a code; any other text stays as it is, and matches nothing. */
const normalise = (typed: string): string =>
  typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')

export const hashRecoveryCode = (userId: string, typed: string): string =>
  hash('sha256', `recovery:${userId}:${normalise(typed)}`, 'base64url')

export const newRecoveryCodes = (userId: string): { codes: string[]; hashes: string[] } => {
  const codes = Array.from({ length: limits.recoveryCodes }, () => grouped(newCode()))
  return { codes, hashes: codes.map((code) => hashRecoveryCode(userId, code)) }
}
