import { correctionOf } from '#contract/sender.ts'
import { validate } from '#server/http/input.ts'
import { type Fields, fieldText, type Kind, knownChoice } from '#server/kinds/kind.ts'

const plain = (value: unknown): string =>
  typeof value === 'string'
    ? value.replace(/\r\n?/g, '\n').trim().normalize('NFC')
    : fieldText(value as Fields[string])

/** The address proves who the link belongs to; a plan is made on the consultation page. */
const fixed = ['email', 'plan']

/**
 * The fields that a correction changes. What is sent as it is stored is no change, and is not checked
 * either: a preferred day may lie in the past by now.
 *
 * @throws HttpError `invalid`
 */
export const correctedFields = (
  kind: Kind,
  stored: Fields,
  body: Readonly<Record<string, unknown>>,
): Fields => {
  const given = Object.entries(body).filter(
    ([name, value]) =>
      name in stored && !fixed.includes(name) && plain(value) !== fieldText(stored[name]),
  )
  const blanksAreNull = given.map(([name, value]) => [
    name,
    stored[name] !== undefined && plain(value) === '' ? null : value,
  ])
  const checked = validate(correctionOf[kind.path], Object.fromEntries(blanksAreNull))
  const names = new Set(given.map(([name]) => name))
  return Object.fromEntries(
    Object.entries(checked)
      .map(
        ([name, value]) =>
          [name, name === kind.choice?.field ? knownChoice(kind.choice, value) : value] as const,
      )
      .filter(([name, value]) => names.has(name) && (value ?? null) !== (stored[name] ?? null)),
  ) as Fields
}
