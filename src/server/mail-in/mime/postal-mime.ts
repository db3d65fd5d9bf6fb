import type { MimePart } from './read-mail.ts'

const load = async () => {
  const { default: PostalMime, addressParser, decodeWords } = await import('postal-mime')

  /**
   * The parser up to the tree of parts. What it makes of the tree is left out: it converts HTML by
   * expressions whose time grows with the square of the text, decodes texts by the name of the
   * character set alone, and fails on a forwarded mail without a date.
   */
  class TreeParser extends PostalMime {
    declare root: MimePart

    processNodeTree(): void {}
  }
  return { TreeParser, addressParser, decodeWords }
}

let loading: ReturnType<typeof load> | undefined

/** Loaded with the first mail: functions start without it. */
export const postalMime = (): ReturnType<typeof load> => {
  loading ??= load()
  return loading
}
