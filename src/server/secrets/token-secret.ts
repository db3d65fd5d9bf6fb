import { hash, randomBytes } from 'node:crypto'

/** 192 random bits, and the hash under which what they name is found again. */
export const newTokenSecret = (): { secret: string; hash: string } => {
  const secret = randomBytes(24).toString('base64url')
  return { secret, hash: hashTokenSecret(secret) }
}

/** Sessions, challenges and links have secrets with random bits enough to need no slow hash. */
export const hashTokenSecret = (secret: string): string => hash('sha256', secret, 'base64url')
