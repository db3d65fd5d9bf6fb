import { decodeHtml, decodeText, joinWords, unflow } from './decode.ts'
import { htmlText } from './html-text.ts'
import { type Header, type MimePart, readMail } from './read-mail.ts'

/** Mails within mails are read this deep; deeper ones are attachments. */
const MAX_FORWARDS = 3

export interface Attachment {
  name: string
  bytes: number
}

/** The text of a mail or a part of it for people, and its report for programs. */
export interface Content {
  text: string
  /** True if the text lacks something because of its length. */
  isCut: boolean
  isHtml: boolean
  attachments: Attachment[]
  /** The parts of a delivery report (RFC 3464). */
  report: { hasFailed: boolean; messageIds: string[] }
  /** A report of any kind, such as a receipt. */
  isReport: boolean
  calendar: string | null
}

const nothing = (): Content => ({
  text: '',
  isCut: false,
  isHtml: false,
  attachments: [],
  report: { hasFailed: false, messageIds: [] },
  isReport: false,
  calendar: null,
})

/** A header's encoded words decoded. Longer values than people write are cut: decoding takes its time. */
export const decodeHeader = async (value: string): Promise<string> => {
  const { decodeWords } = await import('postal-mime')
  return decodeWords(joinWords(value.slice(0, 10_000)))
}

const bytesOf = ({ content }: MimePart): Uint8Array => new Uint8Array(content ?? new ArrayBuffer(0))

const typeOf = ({ contentType }: MimePart): string => {
  const { value } = contentType.parsed
  return typeof value === 'string' && value.includes('/') ? value : 'text/plain'
}

export const headerValue = (headers: readonly Header[], name: string): string =>
  headers.find(({ key }) => key === name)?.value ?? ''

const attachment = async (part: MimePart): Promise<Attachment> => {
  const { params } = part.contentDisposition.parsed
  const name = params.filename ?? part.contentType.parsed.params.name ?? ''
  return { name: (await decodeHeader(name)) || typeOf(part), bytes: bytesOf(part).byteLength }
}

const CALENDAR = /^(?:text\/calendar|application\/ics)$/
const MAX_CALENDAR = 50_000

const attached = async (part: MimePart): Promise<Content> => ({
  ...nothing(),
  attachments: [await attachment(part)],
  calendar: CALENDAR.test(typeOf(part)) ? textPart(part).slice(0, MAX_CALENDAR) : null,
})

const textPart = (part: MimePart): string => {
  const { charset, format = '', delsp = '' } = part.contentType.parsed.params
  const text = decodeText(bytesOf(part), charset)
  return /^flowed$/i.test(format) ? unflow(text, /^yes$/i.test(delsp)) : text
}

const joined = (contents: readonly Content[]): Content => ({
  text: contents
    .map(({ text }) => text)
    .filter((text) => text.trim() !== '')
    .join('\n\n'),
  isCut: contents.some(({ isCut }) => isCut),
  isHtml: contents.some(({ isHtml }) => isHtml),
  attachments: contents.flatMap(({ attachments }) => attachments),
  report: {
    hasFailed: contents.some(({ report }) => report.hasFailed),
    messageIds: contents.flatMap(({ report }) => report.messageIds),
  },
  isReport: contents.some(({ isReport }) => isReport),
  calendar: contents.find(({ calendar }) => calendar !== null)?.calendar ?? null,
})

/** The plain text where there is one, else the HTML; attachments of all alternatives. */
const chosen = (contents: readonly Content[]): Content => {
  const filled = contents.filter(({ text }) => text.trim() !== '')
  const best = filled.find(({ isHtml }) => !isHtml) ?? filled[0]
  const { text = '', isCut = false, isHtml = false } = best ?? {}
  return { ...joined(contents), text, isCut, isHtml }
}

const FORWARDED_HEADERS = ['From', 'Date', 'Subject', 'To']

const forwarded = async (part: MimePart, depth: number): Promise<Content> => {
  const { headers, root } = await readMail(bytesOf(part))
  const content = await contentOf(root, depth + 1)
  const lines: string[] = []
  for (const name of FORWARDED_HEADERS) {
    const value = await decodeHeader(headerValue(headers, name.toLowerCase()))
    if (value) lines.push(`${name}: ${value}`)
  }
  const text = ['---------- Forwarded message ----------', ...lines, '', content.text].join('\n')
  const { isReport, report, calendar } = nothing()
  return { ...content, text, isHtml: false, isReport, report, calendar }
}

const FAILED = /^action:\s*failed\b/im

const reported = (part: MimePart): Content => ({
  ...nothing(),
  report: { hasFailed: FAILED.test(decodeText(bytesOf(part), undefined)), messageIds: [] },
})

const MESSAGE_ID = /^message-id:\s*(<[^>\n]{1,998}>)/im

/** The mail that a report is about: its Message-ID is read, its text is not part of the report. */
const returned = (part: MimePart): Content => {
  const [headers = ''] = decodeText(bytesOf(part), undefined).split(/\r?\n\r?\n/, 1)
  const id = MESSAGE_ID.exec(headers)?.[1]
  return { ...nothing(), report: { hasFailed: false, messageIds: id ? [id] : [] } }
}

const leafContent = async (part: MimePart, depth: number, isReport: boolean): Promise<Content> => {
  const type = typeOf(part)
  if (/^message\/(?:global-)?delivery-status$/.test(type)) return reported(part)
  const isMail = /^message\/(?:rfc822|global)$/.test(type)
  if (isReport && (isMail || /^(?:text\/rfc822|message\/global)-headers$/.test(type)))
    return returned(part)
  if (isMail && depth < MAX_FORWARDS) return forwarded(part, depth)
  const isNamed = Boolean(part.contentDisposition.parsed.params.filename)
  const isText = /^text\/(?!calendar|csv|vcard|x-vcard|directory)/.test(type)
  if (part.contentDisposition.parsed.value === 'attachment' || !isText)
    return part.content && bytesOf(part).byteLength > 0 ? attached(part) : nothing()
  if (type === 'text/html') {
    const html = decodeHtml(bytesOf(part), part.contentType.parsed.params.charset)
    return { ...nothing(), isHtml: true, ...(await htmlText(html)) }
  }
  if (isNamed && type !== 'text/plain') return attached(part)
  return { ...nothing(), text: textPart(part) }
}

/** Reads a tree of parts: which text is for people, what is attached, what is reported. */
export const contentOf = async (part: MimePart, depth = 0, isReport = false): Promise<Content> => {
  const { multipart } = part.contentType
  if (multipart === false) return leafContent(part, depth, isReport)
  // Without parts its boundary is missing or another one: the body is all there is.
  if (part.childNodes.length === 0)
    return { ...nothing(), text: decodeText(bytesOf(part), undefined) }
  const inReport = isReport || multipart === 'report'
  const contents: Content[] = []
  for (const child of part.childNodes) contents.push(await contentOf(child, depth, inReport))
  const content = multipart === 'alternative' ? chosen(contents) : joined(contents)
  return multipart === 'report' ? { ...content, isReport: true } : content
}
