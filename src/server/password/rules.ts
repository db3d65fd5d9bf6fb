import { newPassword } from '#contract/fields.ts'
import { brand } from '#site/brand.ts'
import commonPasswords from './common-passwords.json' with { type: 'json' }

/**
 * What a password may not be: too short, too long, among the commonest, or about its owner. No rule
 * asks for kinds of characters (NIST SP 800-63B, section 3.1.1.2).
 *
 * The list: the 5,000 commonest passwords, and every longer common one from 12 characters on, of the
 * `@zxcvbn-ts/language-common` package 4 (MIT).
 */

/** Parts shorter than this would forbid too much. */
const PART_LENGTH = 3

const common = new Set(commonPasswords)

/** A common password itself, written several times, or with up to 4 digits and signs after it. */
const isCommon = (password: string): boolean => {
  if (common.has(password)) return true
  const once = /^(.+?)\1+$/su.exec(password)?.[1]
  if (once !== undefined && (once.length < PART_LENGTH || common.has(once))) return true
  const [, word, tail = ''] = /^(.*\p{L})(\P{L}+)$/su.exec(password) ?? []
  return word !== undefined && tail.length <= 4 && common.has(word)
}

/** The sentence that tells what is wrong with a new password; undefined when it may be used. */
export const passwordFault = (choice: {
  username: string
  email: string
  password: string
}): string | undefined => {
  const sized = newPassword('Password').safeParse(choice.password)
  if (!sized.success) return sized.error.issues[0]?.message
  const password = choice.password.normalize('NFC').toLowerCase()
  if (isCommon(password)) return 'Password is one of the commonest. Choose another.'
  const parts = [choice.username, choice.email.split('@')[0] ?? '', brand.name]
  const holds = parts
    .map((part) => part.normalize('NFC').toLowerCase())
    .some((part) => [...part].length >= PART_LENGTH && password.includes(part))
  return holds ? 'Password may not hold the username, the email’s name or ours.' : undefined
}
