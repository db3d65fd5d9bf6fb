import { splitQuoted } from '#contract/mail/quoted-text.ts'
import { messageIdOf } from '#server/mail-out/message-id.ts'
import { corpus } from './corpus/all.ts'
import type { Conversation, CorpusMail, Place, RecordName } from './corpus/corpus.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer is what the corpus says it is
type Json = any

/** The program as a mail server, a visitor and staff see it. */
export interface Site {
  /** Posts a mail as it came. */
  send(raw: Uint8Array): Promise<Response>
  /** Sends a form; the record's id. */
  submit(kind: string, fields: object): Promise<string>
  /** A record as staff read it. */
  read(kind: string, id: string): Promise<Json>
  /** Ends the links and the reply address of a contact. */
  endLink(id: string): Promise<void>
  /** The address for answers that a sent mail carries. */
  replyAddress(mailId: string): Promise<string>
}

/** A record with all of its activity, each text whole. */
export const readWhole = async (
  get: (path: string) => Promise<Json>,
  kind: string,
  id: string,
): Promise<Json> => {
  const path = `/api/${kind}/${id}`
  const { data, meta } = await get(path)
  const activity = [...data.activity]
  let { cursor } = meta.activity
  while (cursor) {
    const older = await get(`${path}/activity?cursor=${cursor}`)
    activity.unshift(...older.data)
    cursor = older.meta.activity.cursor
  }
  for (const [n, entry] of activity.entries())
    if (entry.cut) activity[n] = (await get(`${path}/activity/${entry._id}`)).data
  return { ...data, activity }
}

export interface Result {
  count: number
  /** Names of mails that were refused or are not kept anywhere. */
  lost: string[]
  /** Names of mails that are kept on another record or as something else. */
  misplaced: string[]
  /** Names of automatic mails that were answered, or announced to staff. */
  answered: string[]
  /** What else is not as expected, a line each. */
  wrong: string[]
}

const paths = {
  consultation: 'consultations',
  application: 'applications',
  contact: 'contacts',
} as const

interface Prepared {
  place: Place
  ids: Record<RecordName, string>
}

/** Records whose senders have been sent an acknowledgement. */
export const prepare = async (site: Site): Promise<Prepared> => {
  const begin = async (kind: string, sender: string): Promise<Conversation & { id: string }> => {
    const id = await site.submit(kind, { email: sender })
    const { mail } = await site.read(kind, id)
    const sent = mail.find((one: Json) => one.kind === 'acknowledgement')
    const replyAddress = await site.replyAddress(sent._id)
    return { id, sender, replyAddress, messageId: `<${messageIdOf(sent._id)}>` }
  }
  const consultation = await begin(paths.consultation, 'zoe@people.test')
  const application = await begin(paths.application, 'ann@people.test')
  const contact = await begin(paths.contact, 'bob@people.test')
  const { id, replyAddress: ended } = await begin(paths.contact, 'ended@people.test')
  await site.endLink(id)
  return {
    place: { consultation, application, contact, domain: 'fledge.test', ended },
    ids: { consultation: consultation.id, application: application.id, contact: contact.id },
  }
}

const attachmentLine = /^\[Attachment, not kept: (.*)\]$/

/** A kept text as the corpus describes it. */
const described = (text: string) => {
  const runs = splitQuoted(text)
  const lines = runs.filter(({ isQuoted }) => !isQuoted).flatMap((run) => run.text.split('\n'))
  return {
    written: lines
      .filter((line) => !attachmentLine.test(line))
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    attachments: lines.flatMap((line) => attachmentLine.exec(line)?.[1] ?? []),
    quoted: runs
      .filter(({ isQuoted }) => isQuoted)
      .map((run) => run.text)
      .join('\n'),
  }
}

/** How a kept mail differs from what is expected of it. */
const differences = (
  { expected }: CorpusMail,
  kept: {
    text: string
    from?: unknown
    name?: unknown
    email?: unknown
    spam?: unknown
    subject?: unknown
  },
): string[] => {
  const { written, attachments, quoted } = described(kept.text)
  const wanted = expected.attachments ?? []
  const checks: [string, unknown, unknown][] = [
    ['written', written, expected.written],
    ['from', kept.from ?? undefined, expected.from],
    [
      'attachments',
      attachments.map((name, n) => name.startsWith(wanted[n] ?? '\n')),
      wanted.map(() => true),
    ],
    [
      'quoted',
      quoted.includes(expected.quoted ?? '') && Boolean(quoted) === Boolean(expected.quoted),
      true,
    ],
    ...(['name', 'email', 'subject'] as const).flatMap((field): [string, unknown, unknown][] =>
      expected[field] === undefined ? [] : [[field, kept[field], expected[field]]],
    ),
    ...(expected.on === 'new'
      ? [['spam', kept.spam ?? null, expected.spam ?? null] as [string, unknown, unknown]]
      : []),
  ]
  return checks.flatMap(([what, is, wants]) =>
    JSON.stringify(is) === JSON.stringify(wants)
      ? []
      : [
          `${what}: ${JSON.stringify(is)?.slice(0, 200)} is not ${JSON.stringify(wants)?.slice(0, 200)}`,
        ],
  )
}

/** Sends every mail of the corpus through the public call, and looks where each is kept. */
export const sendCorpus = async (site: Site): Promise<Result> => {
  const { place, ids } = await prepare(site)
  const mails = corpus(place)
  const result: Result = { count: mails.length, lost: [], misplaced: [], answered: [], wrong: [] }
  const placed: { mail: CorpusMail; data: Json }[] = []
  for (const mail of mails) {
    const response = await site.send(mail.raw)
    const { data } = (await response.json()) as Json
    if (response.status === 200) placed.push({ mail, data })
    else result.lost.push(mail.name)
  }
  const records = new Map<string, Json>()
  for (const { data } of placed)
    if (!records.has(data._id)) records.set(data._id, await site.read(data.kind, data._id))

  const entriesSeen = new Map<string, number>()
  for (const { mail, data } of placed) {
    const { name, expected } = mail
    const record = records.get(data._id)
    const isThere =
      expected.on === 'new'
        ? data.kind === 'contacts' && !Object.values(ids).includes(data._id)
        : data._id === ids[expected.on]
    if (!isThere || data.as !== expected.as) {
      result.misplaced.push(name)
      continue
    }
    const kept =
      expected.on === 'new'
        ? { ...record, text: record.message, subject: record.activity[0].subject }
        : nextEntry(record, entriesSeen)
    if (!kept) result.lost.push(name)
    else result.wrong.push(...differences(mail, kept).map((line) => `${name}: ${line}`))
    if (expected.as === 'auto' && expected.on === 'new' && record.mail.length > 0)
      result.answered.push(name)
    if (expected.on !== 'new' && kept && kept.kind !== expected.as) result.misplaced.push(name)
  }
  return result
}

/** The next mail in a record's activity, which is in the order in which they came. */
const nextEntry = (record: Json, seen: Map<string, number>): Json => {
  const entries = record.activity.filter(({ kind }: Json) => kind === 'reply' || kind === 'auto')
  const nth = seen.get(record._id) ?? 0
  seen.set(record._id, nth + 1)
  return entries[nth]
}
