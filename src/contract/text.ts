import * as z from 'zod/mini'

/**
 * The rules of text at the door: NFC, trimmed, counted in code points; no control characters, no lone
 * surrogates; in one-line fields no bidirectional controls, no line breaks and nothing of zero width either.
 */

const controls = /\p{Cc}/u
const controlsButTabAndBreak = /[^\P{Cc}\t\n]/u
/** Bidirectional controls, characters of zero width and Unicode's own line breaks. */
export const hidden = /[\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/u

interface Length {
  min?: number
  max: number
}

const plural = (n: number, word: string): string =>
  `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

const tidyLine = (text: string): string =>
  text.isWellFormed() ? text.trim().normalize('NFC') : text

const tidyLong = (text: string): string => tidyLine(text.replace(/\r\n?/g, '\n'))

const text = (label: string, length: Length, forbidden: RegExp[], tidy: (t: string) => string) =>
  z.string({ error: `${label} is missing.` }).check(
    z.meta({ minLength: length.min ?? 1, maxLength: length.max }),
    z.overwrite(tidy),
    z.check<string>(({ value, issues }) => {
      const refuse = (message: string) =>
        issues.push({ code: 'custom', message, input: value, continue: false })
      const { min = 1, max } = length
      if (!value.isWellFormed()) refuse(`${label} holds a broken character.`)
      else if (forbidden.some((pattern) => pattern.test(value)))
        refuse(`${label} holds a character that cannot be used here.`)
      else if (value === '' && min > 0) refuse(`${label} is missing.`)
      else {
        const count = codePoints(value)
        if (count < min) refuse(`${label} needs at least ${plural(min, 'character')}.`)
        if (count > max) refuse(`${label} may have at most ${plural(max, 'character')}.`)
      }
    }),
  )

export const oneLine = (label: string, length: Length) =>
  text(label, length, [controls, hidden], tidyLine)

export const longText = (label: string, length: Length) =>
  text(label, length, [controlsButTabAndBreak], tidyLong)

/** Refuses what `problemOf` finds, too. */
export const checkedText = (
  schema: ReturnType<typeof longText>,
  problemOf: (text: string) => string | null,
) =>
  schema.check(
    z.check<string>(({ value, issues }) => {
      const message = problemOf(value)
      if (message) issues.push({ code: 'custom', message, input: value, continue: false })
    }),
  )

/** For search terms and other strings that only must be storable. */
export const plainText = (label: string, max: number) =>
  text(label, { min: 0, max }, [controls], tidyLine)
