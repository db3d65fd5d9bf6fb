/** Builds mails for the corpus, byte for byte: no library, since broken mails are wanted too. */

export type Header = readonly [name: string, value: string]

export interface Part {
  type?: string
  headers?: readonly Header[]
  body: string | Buffer
}

const CRLF = '\r\n'

const bytes = (text: string | Buffer): Buffer =>
  typeof text === 'string' ? Buffer.from(text.replaceAll('\n', CRLF)) : text

const headerLines = (headers: readonly Header[]): string =>
  headers.map(([name, value]) => `${name}: ${value}${CRLF}`).join('')

/** Headers, an empty line, a body. */
export const rawMail = (headers: readonly Header[], body: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(headerLines(headers) + CRLF), bytes(body)])

let boundaries = 0

/** A multipart body with its header. */
export const multipart = (subtype: string, parts: readonly Part[]): Required<Part> => {
  boundaries += 1
  const boundary = `part-${boundaries}`
  const body = Buffer.concat([
    ...parts.flatMap(({ type, headers = [], body }) => [
      Buffer.from(`--${boundary}${CRLF}`),
      Buffer.from(headerLines([...(type ? [['Content-Type', type] as const] : []), ...headers])),
      Buffer.from(CRLF),
      bytes(body),
      Buffer.from(CRLF),
    ]),
    Buffer.from(`--${boundary}--${CRLF}`),
  ])
  return { type: `multipart/${subtype}; boundary="${boundary}"`, headers: [], body }
}

export const base64 = (content: string | Buffer): Part => ({
  headers: [['Content-Transfer-Encoding', 'base64']],
  body: Buffer.from(content).toString('base64').replace(/.{76}/g, `$&${CRLF}`),
})

export const quotedPrintable = (text: string): Part => {
  let line = ''
  let body = ''
  for (const byte of Buffer.from(text)) {
    const isPlain = byte === 10 || (byte >= 32 && byte <= 126 && byte !== 61)
    const token = isPlain
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
    if (line.length + token.length > 75) {
      body += `${line}=\n`
      line = ''
    }
    line += token
    if (byte === 10) {
      body += line
      line = ''
    }
  }
  return { headers: [['Content-Transfer-Encoding', 'quoted-printable']], body: body + line }
}

export const plain = (text: string): Part => ({ type: 'text/plain; charset=utf-8', body: text })
export const html = (text: string): Part => ({ type: 'text/html; charset=utf-8', body: text })
export const file = (name: string, type: string, content: string | Buffer): Part => {
  const { headers = [], body } = base64(content)
  return {
    type: `${type}; name="${name}"`,
    headers: [['Content-Disposition', `attachment; filename="${name}"`], ...headers],
    body,
  }
}

const encodings = new Map<string, Map<string, number[]>>()

/** Text in an old character set, by the inverse of the platform's decoder. */
export const encode = (charset: string, text: string): Buffer => {
  let table = encodings.get(charset)
  if (!table) {
    table = new Map()
    const decoder = new TextDecoder(charset)
    for (let high = 255; high >= 0; high -= 1) {
      const single = decoder.decode(Uint8Array.of(high))
      if ([...single].length === 1 && single !== '\ufffd') table.set(single, [high])
      else
        for (let low = 255; low >= 0x30; low -= 1) {
          const double = decoder.decode(Uint8Array.of(high, low))
          if ([...double].length === 1 && double !== '\ufffd') table.set(double, [high, low])
        }
    }
    encodings.set(charset, table)
  }
  const known = table
  return Buffer.from([...text].flatMap((character) => known.get(character) ?? [63]))
}
