import { type Header, type Part, rawMail } from '../compose.ts'

export const records = ['consultation', 'application', 'contact'] as const
export type RecordName = (typeof records)[number]

/** A record that its sender has an acknowledgement of. */
export interface Conversation {
  /** The sender's address. */
  sender: string
  replyAddress: string
  /** Of the acknowledgement, in angle brackets. */
  messageId: string
}

/** What the mails refer to. */
export interface Place extends Record<RecordName, Conversation> {
  domain: string
  /** A reply address that staff have ended. */
  ended: string
}

export interface Expected {
  as: 'reply' | 'contact' | 'auto'
  /** `new`: a contact of its own. */
  on: RecordName | 'new'
  /** The address that it is marked with. */
  from?: string
  /** What the sender wrote, without quotations and names of attachments. */
  written: string
  /** Something of what is quoted; nothing is where it is left out. */
  quoted?: string
  attachments?: readonly string[]
  /** Of a contact. */
  name?: string
  email?: string
  subject?: string
  /** Of a contact: why it is set apart. */
  spam?: readonly string[]
}

export interface CorpusMail {
  name: string
  raw: Buffer
  expected: Expected
}

let mails = 0

/** Headers that every program writes, each replaced by one of `own` with its name; of two subjects the last. */
export const headers = (all: readonly Header[]): Header[] => {
  mails += 1
  const subject = all.findLast(([name]) => name === 'Subject')
  const own = all.filter((header) => header[0] !== 'Subject' || header === subject)
  const usual: Header[] = [
    ['Message-ID', `<mail-${mails}@people.test>`],
    ['Date', 'Fri, 20 Nov 2026 10:12:00 +0100'],
    ['MIME-Version', '1.0'],
  ]
  const names = own.map(([name]) => name.toLowerCase())
  return [...usual.filter(([name]) => !names.includes(name.toLowerCase())), ...own]
}

/** A mail whose body is one part. */
export const mailOf = (own: readonly Header[], part: Part): Buffer =>
  rawMail(
    headers([
      ...own,
      ...(part.type ? [['Content-Type', part.type] as const] : []),
      ...(part.headers ?? []),
    ]),
    part.body,
  )

/** The headers of a reply by the record's own sender to its reply address. */
export const replyHeaders = ({ sender, replyAddress, messageId }: Conversation): Header[] => [
  ['From', `Zoe Baker <${sender}>`],
  ['To', `Agency <${replyAddress}>`],
  ['Subject', 'Re: We have your message | Agency'],
  ['In-Reply-To', messageId],
  ['References', messageId],
]

/** The headers of a mail from somebody who wrote no form. */
export const strangerHeaders = (email: string, domain: string): Header[] => [
  ['From', `Max Stranger <${email}>`],
  ['To', `hello@${domain}`],
  ['Subject', 'A question'],
]
