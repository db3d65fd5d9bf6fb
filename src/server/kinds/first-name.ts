import type { Hiring } from '#contract/positions.ts'
import { type Fields, fieldText } from './kind.ts'

/** Longer ones are no name. */
const MOST_CHARACTERS = 40

/** The first word of a name, of letters alone: a sender by mail may have an address for a name. */
const firstWord = (name: string): string | null => {
  const [first] = /^[\p{L}\p{M}'’-]+/u.exec(name) ?? []
  return first === undefined ? null : [...first].slice(0, MOST_CHARACTERS).join('')
}

const isBlind = (position: string, hiring: Hiring): boolean =>
  Object.entries(hiring).some(([name, { blind }]) => blind && name === position)

/** The first name of a record's sender; null where applications for its position are judged blind. */
export const firstName = (fields: Fields, hiring: Hiring): string | null =>
  isBlind(fieldText(fields.position), hiring) ? null : firstWord(fieldText(fields.name))
