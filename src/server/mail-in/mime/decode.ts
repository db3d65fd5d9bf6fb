/** Labels under which UTF-8 is sent by mistake; any other one is taken at its word. */
const DOUBTFUL =
  /^(?:|utf-?8|us-ascii|ascii|iso-8859-1|latin1|windows-1252|cp1252|unknown-8bit|x-unknown|default_charset|binary)$/

/** Names that mail programs use and the platform does not know. */
const otherNames: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  'sjis-win': 'shift_jis',
  cp51932: 'euc-jp',
  'eucjp-ms': 'euc-jp',
  'eucjp-win': 'euc-jp',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-3': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  cp936: 'gbk',
  ms936: 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  uhc: 'euc-kr',
  cp950: 'big5',
}

/** The platform's name of a character set, in lower case. */
const knownName = (named: string): string => {
  const name = named.trim().toLowerCase()
  return otherNames[name] ?? name
}

/** A header whose encoded words (RFC 2047) name character sets as the platform does. */
export const withKnownNames = (header: string): string =>
  header.replace(/=\?([\w-]{1,40})(?=[*?])/g, (_, name: string) => `=?${knownName(name)}`)

const asUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    // As a stream, so that a text that was cut off within a character is no error. The parser ends
    // each line, also that one.
    const end = bytes.at(-1) === 10 ? -1 : undefined
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end), {
      stream: true,
    })
  } catch {
    return undefined
  }
}

const decoderFor = (charset: string): TextDecoder => {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder('windows-1252')
  }
}

/** Bytes as text: by the named character set, or by what they are where the name is often wrong. */
export const decodeText = (bytes: Uint8Array, named: string | undefined): string => {
  const charset = knownName(named ?? '')
  const guessed = DOUBTFUL.test(charset) ? asUtf8(bytes) : undefined
  if (guessed !== undefined) return guessed
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return decoderFor(/^utf-?8$/.test(charset) ? 'windows-1252' : charset).decode(bytes)
}

const META_CHARSET = /<meta\b[^>]{0,200}?\bcharset\s{0,10}=\s{0,10}["']?\s{0,10}([\w:.-]{1,40})/i

/** HTML as text: by the character set that only its own head names where it is no UTF-8. */
export const decodeHtml = (bytes: Uint8Array, named: string | undefined): string => {
  if (named?.trim() || asUtf8(bytes) !== undefined) return decodeText(bytes, named)
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024))
  const own = META_CHARSET.exec(head)?.[1]
  // A head that can be read byte by byte is not in UTF-16 (HTML standard, section 13.2.3.2).
  return decodeText(bytes, own && !/^(?:utf-16|unicode|ucs-2)/i.test(own) ? own : undefined)
}

const ADJACENT_WORDS = /=\?([\w*-]+)\?B\?[\w+/]*={0,2}\?=(?:\s+=\?\1\?B\?[\w+/]*={0,2}\?=)+/gi

/** Adjacent encoded words of one character set as one: many programs end a word within a character. */
export const joinWords = (header: string): string =>
  header.replace(ADJACENT_WORDS, (words, charset) => {
    const texts = [...words.matchAll(/\?B\?([^?]*)/gi)].map(([, text]) => text ?? '')
    const bytes = Buffer.concat(texts.map((text) => Buffer.from(text, 'base64')))
    return `=?${charset}?B?${bytes.toString('base64')}?=`
  })

/** `format=flowed` (RFC 3676): soft line breaks removed, within a paragraph and its depth of quotation. */
export const unflow = (text: string, deletesSpaces: boolean): string => {
  const lines: string[] = []
  let open: { depth: number; pieces: string[] } | undefined
  const close = () => {
    if (open)
      lines.push(`${'>'.repeat(open.depth)}${open.depth > 0 ? ' ' : ''}${open.pieces.join('')}`)
    open = undefined
  }
  for (const line of text.split(/\r?\n/)) {
    const depth = /^>*/.exec(line)?.[0].length ?? 0
    const content = line.slice(depth).replace(/^ /, '')
    const isSoft = content.endsWith(' ') && content !== '-- '
    if (open && open.depth !== depth) close()
    open ??= { depth, pieces: [] }
    open.pieces.push(isSoft && deletesSpaces ? content.slice(0, -1) : content)
    if (!isSoft) close()
  }
  close()
  return lines.join('\n')
}
