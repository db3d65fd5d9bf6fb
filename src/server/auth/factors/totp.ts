import { brand } from '#site/content.ts'

/** Codes of an authenticator app (RFC 6238), as every app knows them: SHA-1, 6 digits, 30 seconds. */

const PERIOD_SECONDS = 30
/** Steps before and after the present one that count too, for clocks that differ. */
const DRIFT = 1

// Loaded where an authenticator app is used; no other call pays for it.
const otpauth = () => import('otpauth')

const totpOf = async (secret: string, label: string) => {
  const { Secret, TOTP } = await otpauth()
  return new TOTP({
    issuer: brand().name,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  })
}

/** A new secret of 160 bits in base32, and the address that apps read from a QR code. */
export const newTotp = async (email: string): Promise<{ secret: string; uri: string }> => {
  const { Secret } = await otpauth()
  const secret = new Secret({ size: 20 }).base32
  return { secret, uri: (await totpOf(secret, email)).toString() }
}

/** The step whose code this is; null where it is none of the steps that count now. */
export const stepOf = async (secret: string, typed: string): Promise<number | null> => {
  const token = typed.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const timestamp = Date.now()
  const delta = (await totpOf(secret, '')).validate({ token, timestamp, window: DRIFT })
  return delta === null ? null : Math.floor(timestamp / 1_000 / PERIOD_SECONDS) + delta
}
