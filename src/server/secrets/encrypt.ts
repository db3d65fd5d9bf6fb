import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { keysOf } from './keys.ts'

/** Secrets that must be read again: AES-256-GCM under a key that is derived from one of `AUTH_SECRET`. */

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

const cipherKey = (key: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, '', 'fledge stored secrets', 32))

const keyName = (key: string): string =>
  createHash('sha256').update('fledge key name:').update(key).digest('base64url').slice(0, 8)

/** @param purpose what the secret is and whose; needed again to read it, so that no row can stand for another */
export const encrypt = (authSecret: string, purpose: string, text: string): string => {
  const [key] = keysOf(authSecret)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, cipherKey(key), nonce).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([
    nonce,
    cipher.update(text, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  return `${keyName(key)}.${sealed.toString('base64url')}`
}

/** Null where no key of `AUTH_SECRET` reads it. */
export const decrypt = (authSecret: string, purpose: string, sealed: string): string | null => {
  const [name, content = ''] = sealed.split('.')
  const key = keysOf(authSecret).find((one) => keyName(one) === name)
  const bytes = Buffer.from(content, 'base64url')
  if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv(CIPHER, cipherKey(key), bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString()
  } catch {
    return null
  }
}

export const firstKeyPrefix = (authSecret: string): string => `${keyName(keysOf(authSecret)[0])}.`

/** Purposes of stored secrets: a row's ciphertext reads as nothing in another's place. */

export const mailPurpose = 'mail'
export const recordLinkPurpose = (recordId: string): string => `record-link:${recordId}`
export const totpPurpose = (userId: string): string => `totp:${userId}`
export const webhookPurpose = (endpointId: string): string => `webhook:${endpointId}`
export const devicePurpose = (userId: string): string => `push:${userId}`
export const busyUrlPurpose = (userId: string): string => `busy-calendar:${userId}`
