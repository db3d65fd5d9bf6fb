import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { PushKeys } from '#contract/push.ts'

/** Encryption of a notification for one device (RFC 8291, with the coding `aes128gcm` of RFC 8188). */

const CURVE = 'prime256v1'
const SALT_BYTES = 16

/** One record holds the whole message; every push service takes this size. */
const RECORD_BYTES = 4_096

/** Every payload is padded to this length: otherwise its length would tell the length of a name. */
const PADDED_BYTES = 512

const derive = (key: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

const newSender = (): ECDH => {
  const ecdh = createECDH(CURVE)
  ecdh.generateKeys()
  return ecdh
}

export const isDeviceKey = (p256dh: string): boolean => {
  try {
    newSender().computeSecret(p256dh, 'base64url')
    return true
  } catch {
    return false
  }
}

/**
 * The body of a push message.
 *
 * @param sender a key pair for this message alone
 * @throws where the device's key is no point of the curve
 */
export const encryptPush = (
  text: string,
  { p256dh, auth }: PushKeys,
  { sender = newSender(), salt = randomBytes(SALT_BYTES), paddedBytes = PADDED_BYTES } = {},
): Buffer => {
  const device = Buffer.from(p256dh, 'base64url')
  const own = sender.getPublicKey()
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), device, own])
  const secret = derive(sender.computeSecret(device), Buffer.from(auth, 'base64url'), keyInfo, 32)
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(secret, salt, 'Content-Encoding: nonce\0', 12),
  )
  // The delimiter of the last record, then zeros.
  const plain = Buffer.concat([Buffer.from(text), Uint8Array.of(2)])
  const padding = Buffer.alloc(Math.max(0, paddedBytes - plain.length))
  const header = Buffer.alloc(SALT_BYTES + 5)
  salt.copy(header)
  header.writeUInt32BE(RECORD_BYTES, SALT_BYTES)
  header.writeUInt8(own.length, SALT_BYTES + 4)
  return Buffer.concat([
    header,
    own,
    cipher.update(plain),
    cipher.update(padding),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}
