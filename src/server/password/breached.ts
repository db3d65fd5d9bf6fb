import { createHash } from 'node:crypto'

const TIMEOUT_MS = 1_000

/**
 * Asks a range service, such as Have I Been Pwned's, whether a password is known: the first five of the 40
 * digits of its SHA-1 leave, and every answer fits about a thousand passwords. A service that does not answer in
 * time refuses nobody's password.
 */
export const isBreached = async (
  service: string | undefined,
  password: string,
): Promise<boolean> => {
  if (!service) return false
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  try {
    const response = await fetch(`${service.replace(/\/+$/, '')}/${hash.slice(0, 5)}`, {
      headers: { 'Add-Padding': 'true' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) return false
    const rest = hash.slice(5)
    return (await response.text()).split('\n').some((line) => {
      const [suffix = '', count] = line.trim().split(':')
      // Padding comes with a count of 0.
      return suffix.toUpperCase() === rest && Number(count) > 0
    })
  } catch {
    return false
  }
}
