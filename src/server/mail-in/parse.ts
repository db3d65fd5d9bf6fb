import { hash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { email as emailSchema } from '#contract/fields.ts'
import { limits } from '#contract/limits.ts'
import { splitQuoted } from '#contract/mail/quoted-text.ts'
import { hidden } from '#contract/text.ts'
import { attendanceOf } from './attendance.ts'
import { joinWords } from './mime/decode.ts'
import * as mime from './mime/mail-content.ts'
import { type Header, readMail } from './mime/read-mail.ts'
import { isVerified } from './verified.ts'

/** A mail that came in, as far as it decides where it goes and what is kept. */
export type IncomingMail = NonNullable<Awaited<ReturnType<typeof parseMail>>>

type Headers = readonly Header[]

/** The part of a text that is read, in UTF-16: more than is kept, because some of it is removed. */
const MAX_TEXT = 10 * limits.mailText
const MAX_TOKENS = 20
const MAX_REFERENCES = 50
const MAX_NAMED_ATTACHMENTS = 50

const all = (headers: Headers, names: readonly string[]): string[] =>
  names.flatMap((name) => headers.filter(({ key }) => key === name).map(({ value }) => value))

/** Text that may be stored: composed, without broken characters, control characters only as told. */
const storable = (text: string, controls: RegExp): string =>
  text.toWellFormed().replace(/\r\n?/g, '\n').replace(controls, '').normalize('NFC').trim()

const line = (text: string, max: number): string =>
  [...storable(text.replace(/\s+/g, ' '), /\p{Cc}/gu).replace(new RegExp(hidden, 'gu'), '')]
    .slice(0, max)
    .join('')
    .trim()

const body = (text: string): string =>
  storable(text, /[^\P{Cc}\t\n]/gu).replace(/\n{4,}/g, '\n\n\n')

/** The first address of From that the product can answer and erase. */
const senderOf = async (value: string): Promise<{ name: string; email: string } | null> => {
  const { addressParser } = await import('postal-mime')
  for (const { address = '', name } of addressParser(joinWords(value), { flatten: true })) {
    const at = address.lastIndexOf('@')
    const domain = domainToASCII(address.slice(at + 1))
    const parsed = emailSchema.safeParse(`${address.slice(0, at)}@${domain}`)
    if (at < 1 || !domain || !parsed.success) continue
    const shown = line(name, limits.name) || line(address.slice(0, at), limits.name)
    return { name: shown, email: parsed.data }
  }
  return null
}

/** Headers with recipients. A delivering server adds the last two. */
const RECIPIENTS = ['to', 'cc', 'delivered-to', 'x-original-to']

const REPLY_ADDRESS = /\breply\+([a-z2-7]{32})(?![a-z0-9])/gi

const replyTokens = (headers: Headers): string[] => {
  const tokens = all(headers, RECIPIENTS)
    .flatMap((value) => [...value.matchAll(REPLY_ADDRESS)])
    .map(([, token = '']) => token.toLowerCase())
  return [...new Set(tokens)].slice(0, MAX_TOKENS)
}

/** A Message-ID with a control character is none, and a database takes no NUL. */
const ID = /<([^<>\s\p{Cc}]{1,998})>/gu

const idsIn = (text: string): string[] => [...text.matchAll(ID)].map(([, id = '']) => id)

const referencesOf = (headers: Headers): string[] => {
  const named = [
    ...idsIn(mime.headerValue(headers, 'in-reply-to')),
    ...idsIn(all(headers, ['references']).join(' ')).reverse(),
  ]
  return [...new Set(named)].slice(0, MAX_REFERENCES)
}

/** Some servers write a name for the empty return path. Two adjacent `\s*` would take quadratic time. */
const EMPTY_PATH = /^<\s*(?:mailer-daemon\s*)?>/i

const isAutomatic = (headers: Headers): boolean => {
  const says = (name: string, sign: RegExp) =>
    headers.some(({ key, value }) => key === name && sign.test(value.trim()))
  return (
    says('auto-submitted', /^(?!no\s*(?:[;(]|$))[^\s;(]/i) ||
    says('precedence', /^(?:bulk|list|junk|auto[_-]reply)\b/i) ||
    says('list-id', /^/) ||
    says('return-path', EMPTY_PATH)
  )
}

const size = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1_000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`

const attachmentLines = ({ attachments }: mime.Content): string[] => {
  const named = attachments.slice(0, MAX_NAMED_ATTACHMENTS)
  const others = attachments.length - named.length
  return [
    ...named.map(({ name, bytes }) => `[Attachment, not kept: ${line(name, 200)}, ${size(bytes)}]`),
    ...(others > 0 ? [`[And ${others} more attachments, not kept]`] : []),
  ]
}

/** Stands for the words of a mail without any. */
const NO_TEXT = '(no text)'

/** True if the text of a mail is none of its sender's words, attachments or not. */
export const isWordless = (text: string): boolean =>
  text === NO_TEXT || text.startsWith(`${NO_TEXT}\n\n[Attachment, not kept: `)

const CUT_LINE = '[Cut here: the mail was longer.]'

/** The text to keep: cut, with the attachments named after the sender's words. */
const keptText = (content: mime.Content): string => {
  const points = [...body(content.text.slice(0, MAX_TEXT))]
  const isCut = content.isCut || content.text.length > MAX_TEXT || points.length > limits.mailText
  const whole = points.join('')
  const text = isCut
    ? `${points.slice(0, limits.mailText).join('').trimEnd()}\n\n${CUT_LINE}`
    : whole
  const attachments = attachmentLines(content).join('\n')
  if (attachments === '') return text || NO_TEXT
  const runs = splitQuoted(text)
  const last = runs.at(-1)
  const written = last?.isQuoted ? runs.slice(0, -1) : runs
  const rest = last?.isQuoted ? [`\n${last.text}`] : []
  const own =
    written
      .map((run) => run.text)
      .join('\n')
      .trimEnd() || NO_TEXT
  return [own, '', attachments, ...rest].join('\n')
}

const MAIL_FIELDS = ['from', 'to', 'date', 'message-id', 'received', 'return-path', 'mime-version']

/**
 * Reads a mail; undefined where the bytes are none.
 *
 * @param attachments those that are known of and not in the bytes
 * @param authServer the server whose `Authentication-Results` count
 */
export const parseMail = async (
  raw: Uint8Array,
  {
    attachments = [],
    authServer,
  }: { attachments?: readonly mime.Attachment[]; authServer?: string | undefined } = {},
) => {
  const { headers, root } = await readMail(raw)
  if (!headers.some(({ key }) => MAIL_FIELDS.includes(key))) return undefined
  const content = await mime.contentOf(root)
  const from = await senderOf(mime.headerValue(headers, 'from').slice(0, 10_000))
  const subject = line(
    await mime.decodeHeader(mime.headerValue(headers, 'subject')),
    limits.mailSubject,
  )
  const text = keptText({
    ...content,
    attachments: [...content.attachments, ...attachments],
  })
  const references = referencesOf(headers)
  const attendance = attendanceOf(content.calendar, from?.email)
  const { report } = content
  const messageId = mime.headerValue(headers, 'message-id')
  // Without an id, a mail is known again by when and about what it was written.
  const identity = [
    ...(messageId ? [messageId] : [mime.headerValue(headers, 'date'), subject]),
    from?.email.toLowerCase() ?? '',
    text,
    ...(attendance ? [attendance.answer] : []),
  ]
  return {
    /** Null where From names no usable address. */
    from,
    /** True if the receiving server confirms the sender's domain; null where no server is named. */
    verified: authServer ? from !== null && isVerified(headers, authServer, from.email) : null,
    subject,
    text,
    /** Tokens of our reply addresses in what the mail was sent to, in order. */
    replyTokens: replyTokens(headers),
    /** The Message-IDs that it answers, the nearest first, without brackets. */
    references,
    /** Sent by a program: kept, and never answered. */
    isAutomatic: isAutomatic(headers) || content.isReport || attendance !== null,
    attendance,
    /** The mails that could not be delivered, by Message-ID, where it reports such. */
    undelivered: report.hasFailed ? [...report.messageIds.flatMap(idsIn), ...references] : [],
    /** The same for a mail that arrives twice; another for every other one. */
    fingerprint: hash('sha256', JSON.stringify(identity), 'base64url'),
  }
}
