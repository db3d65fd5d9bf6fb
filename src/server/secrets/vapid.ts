import { createECDH } from 'node:crypto'

const CURVE = 'prime256v1'

/** The keys that a push service knows this installation by (RFC 8292): P-256, base64url without padding. */
export const newVapidKeys = () => {
  const ecdh = createECDH(CURVE)
  const publicKey = ecdh.generateKeys('base64url')
  // A scalar with zeros in front is shorter.
  const privateKey = Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()]).subarray(-32)
  return { publicKey, privateKey: privateKey.toString('base64url') }
}
export type VapidKeys = ReturnType<typeof newVapidKeys>

/** Null for what is no private key. */
export const vapidPublicKey = (privateKey: string): string | null => {
  if (!/^[A-Za-z0-9_-]{43}$/.test(privateKey)) return null
  try {
    const ecdh = createECDH(CURVE)
    ecdh.setPrivateKey(privateKey, 'base64url')
    return ecdh.getPublicKey('base64url')
  } catch {
    return null
  }
}
