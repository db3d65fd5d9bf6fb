import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import * as z from 'zod/mini'
import { id } from '#contract/fields.ts'
import { keysOf } from '#server/secrets/keys.ts'
import { hashTokenSecret } from '#server/secrets/token-secret.ts'
import packageJson from '../../../package.json' with { type: 'json' }

/**
 * A token is a JWT that names a session row by a secret. The signature alone is never enough: the
 * row decides, at every call.
 */

const ALGORITHM = 'HS256'
const TYPE = 'JWT'
const ISSUER = packageJson.name
const AUDIENCE = `${packageJson.name}-api`
const CLOCK_TOLERANCE_SECONDS = 5

const namesSession = z.object({ sub: id, jti: z.string() })

// Shorter keys than the hash's output are refused here as well as at start-up (RFC 7518, section 3.2).
const bytesOf = (text: string): Uint8Array => {
  const key = new TextEncoder().encode(text)
  if (key.byteLength < 32) throw new Error('AUTH_SECRET must be at least 32 bytes')
  return key
}

export const signToken = (
  authSecret: string,
  session: { userId: string; secret: string; expiresAt: string },
): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setSubject(session.userId)
    .setJti(session.secret)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.parse(session.expiresAt) / 1_000))
    .sign(bytesOf(keysOf(authSecret)[0]))

/** The user that a valid token names, and the hash of its secret; null for any other string. */
export const readToken = async (authSecret: string, token: string) => {
  for (const key of keysOf(authSecret)) {
    const verified = await jwtVerify(token, bytesOf(key), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['sub', 'jti', 'iat', 'exp'],
    }).catch(() => null)
    const claims = namesSession.safeParse(verified?.payload)
    if (claims.success)
      return { userId: claims.data.sub, tokenHash: hashTokenSecret(claims.data.jti) }
  }
  return null
}
