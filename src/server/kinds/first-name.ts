/** Longer ones are no name. */
const MOST_CHARACTERS = 40

/** The first word of a name, of letters alone: a sender by mail may have an address for a name. */
export const firstName = (name: string): string | null => {
  const [first] = /^[\p{L}\p{M}'’-]+/u.exec(name) ?? []
  return first === undefined ? null : [...first].slice(0, MOST_CHARACTERS).join('')
}
