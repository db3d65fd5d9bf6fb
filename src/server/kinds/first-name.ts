import { judging } from '#site/content.ts'
import { type Fields, fieldText } from './kind.ts'

/** Longer ones are no name. */
const MOST_CHARACTERS = 40

/** The first word of a name, of letters alone: a sender by mail may have an address for a name. */
const firstWord = (name: string): string | null => {
  const [first] = /^[\p{L}\p{M}'’-]+/u.exec(name) ?? []
  return first === undefined ? null : [...first].slice(0, MOST_CHARACTERS).join('')
}

/** The first name of a record's sender; null where applications for its position are judged blind. */
export const firstName = (fields: Fields): string | null =>
  fields.position !== undefined && judging(fieldText(fields.position)).blind
    ? null
    : firstWord(fieldText(fields.name))
