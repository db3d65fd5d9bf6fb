import { limits } from '#contract/limits.ts'

/** Placeholders of messages and templates, which are filled in for each record. */

const names = ['name', 'service', 'position', 'link'] as const
export type PlaceholderValues = Record<(typeof names)[number], string>

const isName = (name: string): name is keyof PlaceholderValues =>
  names.some((known) => known === name)

/** Braces around anything but letters and `_` are text. */
const placeholder = /\{([\p{L}_]+)\}/gu

/** A blank that staff fill in before they send: `{?day and hour}`. */
export const blank = new RegExp(`\\{\\?[^{}]{0,${limits.blank}}\\}`, 'gu')

/** Fills a text in one pass: a value that looks like a placeholder stays as it is. */
export const fillPlaceholders = (text: string, values: PlaceholderValues): string =>
  text.replace(placeholder, (found, name: string) => (isName(name) ? values[name] : found))

export const placeholderProblem = (text: string): string | null => {
  for (const [found, name = ''] of text.matchAll(placeholder))
    if (!isName(name))
      return `${found} is not a placeholder. Use ${names.map((known) => `{${known}}`).join(', ')}.`
  return null
}

/** Reports a blank that is left, too. */
export const messageProblem = (text: string): string | null => {
  const left = text.match(blank)?.[0]
  return (
    placeholderProblem(text) ?? (left === undefined ? null : `Fill in ${left} before you send.`)
  )
}

/** Subjects have no placeholders. */
export const subjectProblem = (subject: string): string | null => {
  const found = subject.match(placeholder)?.[0] ?? subject.match(blank)?.[0]
  return found === undefined ? null : `Nothing fills in ${found} in a subject.`
}
