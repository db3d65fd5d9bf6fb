/** Argon2id with 19 MiB, 2 passes and 1 lane (OWASP Password Storage Cheat Sheet). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of a password that nobody has: an unknown e-mail costs what a wrong password costs. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,p=1,t=2$eukygK1v9iJT31J6ZXUKKw$UTZHTxQdDdBevFwsy+WZX3b2JAoAt0ln/qsM55+YCjg'

// Loaded with the first sign-in: no other call needs the native code.
const argon2 = () => import('argon2')

export const hashPassword = async (password: string): Promise<string> => {
  const { hash, argon2id } = await argon2()
  return hash(password, { type: argon2id, ...parameters })
}

/** Compares with the stored hash, or without one with nobody's: the same work, never a match. */
export const verifyPassword = async (
  storedHash: string | undefined,
  password: string,
): Promise<boolean> => {
  const { verify } = await argon2()
  const matches = await verify(storedHash ?? NOBODYS_HASH, password)
  return matches && storedHash !== undefined
}

/** Whether a hash was made with weaker parameters than today's. */
export const isOutdated = async (storedHash: string): Promise<boolean> =>
  (await argon2()).needsRehash(storedHash, parameters)
