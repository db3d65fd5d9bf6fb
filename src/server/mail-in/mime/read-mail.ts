import { decodeText, withKnownNames } from './decode.ts'

export interface Header {
  /** In lower case. */
  key: string
  /** Unfolded, its encoded words as they are. */
  value: string
}

type Structured = { value: string | false; params: Record<string, string | undefined> }

/** A part of a mail, its transfer encoding removed. */
export interface MimePart {
  contentType: { multipart: string | false; parsed: Structured }
  contentDisposition: { parsed: Structured }
  content: ArrayBuffer | null
  childNodes: MimePart[]
}

/* Limits on the cost of a stranger's mail. The parser needs some hundred bytes for each line and a
   thousand for each part, and time that grows with the square of a header and of the number of
   parts. A file of 5 MiB has 70,000 lines. */
const MAX_LINES = 90_000
const MAX_BOUNDARIES = 1_000
/** Escapes of quoted-printable: each costs the parser an object. A text of 50,000 characters has 200,000 at most. */
const MAX_ESCAPES = 400_000
const MAX_DEPTH = 64
const MAX_PART_HEADER_BYTES = 16 * 1024
const MAX_HEADER_LENGTH = 1_000_000

/** The start of the empty line after the headers; the mail's length if there is none. */
const endOfHeader = (raw: Buffer): number => {
  const ends = ['\n\n', '\n\r\n'].map((end) => raw.indexOf(end)).filter((at) => at >= 0)
  return ends.length > 0 ? Math.min(...ends) + 1 : raw.length
}

/** A mail without what programs put before it. */
const trimmed = (bytes: Uint8Array): Buffer => {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Line ends of a time before line feeds.
  const lines = raw.includes(10) ? raw : Buffer.from(raw.map((byte) => (byte === 13 ? 10 : byte)))
  const text = lines.subarray(0, 4_096).toString('latin1')
  // A byte order mark, empty lines, and the line that mailboxes and pipes put before each mail.
  const before = /^(?:\xef\xbb\xbf)?\s*(?:>?From (?!\s*:)[^\n]*\n)?/.exec(text)?.[0].length ?? 0
  return lines.subarray(before)
}

const FIELD = /^([!-9;-~]{1,100})[ \t]*:/

const headersOf = (text: string): Header[] =>
  text
    .slice(0, MAX_HEADER_LENGTH)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .flatMap((field) => {
      const key = FIELD.exec(field)?.[1]
      return key
        ? [
            {
              key: key.toLowerCase(),
              value: withKnownNames(field.slice(field.indexOf(':') + 1).trim()),
            },
          ]
        : []
    })

const exceeds = (raw: Buffer, pattern: string, max: number): boolean => {
  let at = -1
  for (let count = 0; count <= max; count += 1) {
    at = raw.indexOf(pattern, at + 1)
    if (at < 0) return false
  }
  return true
}

/** A part that is plain text, whatever it says. */
const asText = (body: Buffer): MimePart => ({
  contentType: { multipart: false, parsed: { value: 'text/plain', params: {} } },
  contentDisposition: { parsed: { value: false, params: {} } },
  content: Uint8Array.from(body).buffer,
  childNodes: [],
})

const partsOf = async (headers: readonly Header[], body: Buffer): Promise<MimePart> => {
  if (
    exceeds(body, '\n', MAX_LINES) ||
    exceeds(body, '\n--', MAX_BOUNDARIES) ||
    exceeds(body, '=', MAX_ESCAPES)
  )
    return asText(body)
  // Loaded with the first mail: functions start without it.
  const { default: PostalMime } = await import('postal-mime')
  /**
   * The parser up to the tree of parts. What it makes of the tree is left out: it converts HTML by
   * expressions whose time grows with the square of the text, decodes texts by the name of the
   * character set alone, and fails on a forwarded mail without a date.
   */
  class TreeParser extends PostalMime {
    declare root: MimePart

    processNodeTree(): void {}
  }
  const parser = new TreeParser({
    maxHeadersSize: MAX_PART_HEADER_BYTES,
    maxNestingDepth: MAX_DEPTH,
  })
  const own = headers.filter(({ key }) => key.startsWith('content-'))
  const header = own.map(({ key, value }) => `${key}: ${value}\n`).join('')
  try {
    await parser.parse(Buffer.concat([Buffer.from(`${header}\n`), body]))
    return parser.root
  } catch {
    // Deeper or with larger headers than any program writes.
    return asText(body)
  }
}

/** Headers in their order, and parts of a mail; of one that costs too much to take apart, the body as it came. */
export const readMail = async (bytes: Uint8Array) => {
  const raw = trimmed(bytes)
  const end = endOfHeader(raw)
  const headers = headersOf(decodeText(raw.subarray(0, end), undefined))
  const body = raw.subarray(end).toString('latin1', 0, 2).startsWith('\r')
    ? raw.subarray(end + 2)
    : raw.subarray(end + 1)
  return { headers, root: await partsOf(headers, body) }
}
