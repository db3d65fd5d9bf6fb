import { newPassword } from '#contract/fields.ts'
import { brand } from '#site/brand.ts'
import commonPasswords from './common-passwords.json' with { type: 'json' }

/**
 * A password is refused when it is too short, too long, common, or contains the account's name or
 * e-mail. There are no rules about kinds of characters (NIST SP 800-63B, section 3.1.1.2).
 *
 * The list comes from `@zxcvbn-ts/language-common` 4 (MIT): the 5,000 most common passwords, and
 * every other one of at least 12 characters.
 */

/** Shorter parts would match too many good passwords. */
const PART_LENGTH = 3

const common = new Set(commonPasswords)

/** A common password, also repeated or followed by up to 4 digits or signs. */
const isCommon = (password: string): boolean => {
  if (common.has(password)) return true
  const once = /^(.+?)\1+$/su.exec(password)?.[1]
  if (once !== undefined && (once.length < PART_LENGTH || common.has(once))) return true
  const [, word, tail = ''] = /^(.*\p{L})(\P{L}+)$/su.exec(password) ?? []
  return word !== undefined && tail.length <= 4 && common.has(word)
}

/** A message saying why a new password cannot be used; undefined when it can. */
export const passwordProblem = (choice: {
  username: string
  email: string
  password: string
}): string | undefined => {
  const sized = newPassword('Password').safeParse(choice.password)
  if (!sized.success) return sized.error.issues[0]?.message
  const password = choice.password.normalize('NFC').toLowerCase()
  if (isCommon(password)) return 'Password is too common. Choose another one.'
  const parts = [choice.username, choice.email.split('@')[0] ?? '', brand.name]
  const holds = parts
    .map((part) => part.normalize('NFC').toLowerCase())
    .some((part) => [...part].length >= PART_LENGTH && password.includes(part))
  return holds ? 'Password must not contain your username, email or our name.' : undefined
}
