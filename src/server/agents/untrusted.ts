/** What people wrote, as an agent gets it: text alone, without what a reader might follow, load or run. */

const MOST = 4_000

/** Characters that hide text or change its direction. */
const invisible = /\p{Cf}|\p{Co}|\p{Cn}|\p{Variation_Selector}|[\u115f\u1160\u3164\uffa0]/gu

const withoutTags = (text: string): string => {
  const left = text.replace(/<[^<>]*>/g, ' ')
  return left === text ? text.replace(/[<>]/g, ' ') : withoutTags(left)
}

const withoutLinks = (text: string): string =>
  text
    // Markdown: of an image nothing is left, of a link its words.
    .replace(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*\[[^\]]+\]:.*$/gm, ' ')
    .replace(/\b[a-z][a-z0-9+.-]{1,30}:\/\/\S*/gi, '[link]')
    .replace(/\b(?:https?|javascript|data|vbscript|mailto|tel|sms|file|blob):\S*/gi, '[link]')
    .replace(/\bwww\.\S*/gi, '[link]')
    .replace(/\b(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?[/?#]\S*/giu, '[link]')

const withoutAddresses = (text: string): string => text.replace(/[^\s@]+@[^\s@]+/g, '[address]')

/** @param seesContacts whether e-mail addresses in the text stay */
export const untrusted = (text: string, seesContacts: boolean, most = MOST): string => {
  const plain = withoutLinks(withoutTags(text.normalize('NFKC').replace(invisible, '')))
  return [...(seesContacts ? plain : withoutAddresses(plain)).trim()].slice(0, most).join('')
}
