import { sql } from 'drizzle-orm'
import { splitQuoted } from '#contract/mail/quoted-text.ts'
import { rows } from '#server/db/rows.ts'
import { type Json, type Staff, staff, submit } from '#server/inbox/testing.ts'
import { messageIdOf } from '#server/mail/message-id.ts'
import { sendDue } from '#server/sender/testing.ts'
import type { TestApi } from '#server/testing.ts'
import { corpus } from './corpus/all.ts'
import type { Conversation, CorpusMail, Place, RecordName } from './corpus/corpus.ts'

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

export const send = (api: TestApi, raw: Uint8Array): Promise<Response> =>
  api.request('/api/mail/inbound', {
    body: raw,
    token: api.deps.config.mail.inboundSecret,
    headers: { 'Content-Type': 'message/rfc822' },
  })

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
export const prepare = async (api: TestApi, superuser: Staff): Promise<Prepared> => {
  const senders = { consultation: 'zoe', application: 'ann', contact: 'bob' }
  const ids = {} as Record<RecordName, string>
  for (const name of ['consultation', 'application', 'contact'] as const)
    ids[name] = await submit(api, paths[name], { email: `${senders[name]}@people.test` })
  const endedId = await submit(api, 'contacts', { email: 'ended@people.test' })
  const sent = await sendDue(api)
  const conversation = (id: string, sender: string): Conversation => {
    const mail = sent.find(({ kind, record }) => kind === 'acknowledgement' && record?.id === id)
    if (!mail?.replyTo) throw new Error('An acknowledgement without a reply address')
    return { sender, replyAddress: mail.replyTo, messageId: `<${messageIdOf(mail.id)}>` }
  }
  const place: Place = {
    consultation: conversation(ids.consultation, 'zoe@people.test'),
    application: conversation(ids.application, 'ann@people.test'),
    contact: conversation(ids.contact, 'bob@people.test'),
    domain: 'fledge.test',
    ended: conversation(endedId, 'ended@people.test').replyAddress,
  }
  await superuser.delete(`/api/contacts/${endedId}/link`)
  return { place, ids }
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
export const sendCorpus = async (api: TestApi): Promise<Result> => {
  const superuser = await staff(api)
  const { place, ids } = await prepare(api, superuser)
  const mails = corpus(place)
  const result: Result = { count: mails.length, lost: [], misplaced: [], answered: [], wrong: [] }
  const placed: { mail: CorpusMail; data: Json }[] = []
  for (const mail of mails) {
    const response = await send(api, mail.raw)
    const { data } = (await response.json()) as Json
    if (response.status === 200) placed.push({ mail, data })
    else result.lost.push(mail.name)
  }
  const details = new Map<string, Json>()
  for (const { data } of placed)
    if (!details.has(data._id))
      details.set(data._id, (await superuser.get(`/api/${data.kind}/${data._id}`)).body.data)

  const seen = new Map<string, number>()
  for (const { mail, data } of placed) {
    const { name, expected } = mail
    const record = details.get(data._id)
    const isNew = expected.on === 'new'
    const isThere = isNew
      ? data.kind === 'contacts' && !Object.values(ids).includes(data._id)
      : data._id === ids[expected.on as RecordName]
    if (!isThere || data.as !== expected.as) result.misplaced.push(name)
    if (!record) result.lost.push(name)
    else if (isNew) {
      const { subject } = record.activity[0]
      const kept = { ...record, text: record.message, subject }
      result.wrong.push(...differences(mail, kept).map((line) => `${name}: ${line}`))
    } else {
      // Entries are in the order in which the mails came.
      const entries = record.activity.filter(
        ({ kind }: Json) => kind === 'reply' || kind === 'auto',
      )
      const nth = seen.get(data._id) ?? 0
      seen.set(data._id, nth + 1)
      const entry = entries[nth]
      if (!entry) result.lost.push(name)
      else if (entry.kind !== expected.as) result.misplaced.push(name)
      else result.wrong.push(...differences(mail, entry).map((line) => `${name}: ${line}`))
    }
  }

  const automatic = placed.filter(
    ({ mail }) => mail.expected.as === 'auto' && mail.expected.on === 'new',
  )
  for (const { mail, data } of automatic) {
    const sent = await rows(api.deps.db, sql`select from mail where record_id = ${data._id}::uuid`)
    if (sent.length > 0) result.answered.push(mail.name)
  }
  return result
}
