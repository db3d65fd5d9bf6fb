import { randomInt } from 'node:crypto'
import { limits } from '#contract/limits.ts'
import { keyedHash, keyedHashes } from '#server/secrets/keys.ts'

const { digits } = limits.senderCode

const textOf = (recordId: string, code: string): string => `sender-code:${recordId}:${code}`

/** A code with its hash: few digits, so that only a keyed hash hides it from who reads the database. */
export const makeCode = (authSecret: string, recordId: string): { code: string; hash: string } => {
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  return { code, hash: keyedHash(authSecret, textOf(recordId, code)) }
}

/** Every hash that a stored code may have. */
export const codeHashes = (authSecret: string, recordId: string, code: string): string[] =>
  keyedHashes(authSecret, textOf(recordId, code))
