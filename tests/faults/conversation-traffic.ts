import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import type * as z from 'zod/mini'
import type { contacts } from '#contract/contacts.ts'
import type { OutputOf } from '#contract/http/endpoint.ts'
import { messageIdOf } from '#server/mail-out/message-id.ts'
import { type Answer, atOnce, client, contactBody, visitor } from '#tests/bench/api/client.ts'
import { eventually } from './fault.ts'

/** What senders and staff write, sent as often as needed until it is acknowledged. */

export type Detail = z.output<typeof contacts.detail>

export const inboundSecret = 'known to the mail server of the faults'

/** The host after one of its starts. */
export interface Site {
  send: ReturnType<typeof client>['send']
  token: string
  close: () => void
}

export const siteAt = (url: string, token: string): Site => ({ ...client(url, 64), token })

/** A contact that staff and its sender write to each other about. */
export interface Conversation {
  id: string
  email: string
  /** Of the sender's own page. */
  pageToken: string
  /** The mail that the sender answers. */
  messageId: string
  /** The session of the member of staff who writes here. */
  staff: string
}

const kinds = ['submission', 'message', 'mail', 'reply', 'status', 'recall'] as const
export type WriteKind = (typeof kinds)[number]

/** How the writes follow one another. */
const order: readonly WriteKind[] = [
  'submission',
  'message',
  'mail',
  'submission',
  'reply',
  'status',
  'message',
  'submission',
  'recall',
  'mail',
]

export interface Write {
  kind: WriteKind
  /** The text by which it is found again: each write has its own. */
  mark: string
  /** The contact that it changes; of a submission the new one, once it is acknowledged. */
  record: string
  /** The session that sent a message. */
  staff?: string
  /** Of a recall: the message. */
  of?: Write
  /** The change's name for undo, and whether a recall came in time. */
  event?: string
  wasRecalled?: boolean
  isAcknowledged: boolean
  /** Sends it once. */
  post(site: Site): Promise<Answer>
  /** Sends it, for the first time or again; anything but success is an error. */
  send(site: Site): Promise<void>
}

/** Makes the writes of a run, one after another. */
export function writesOf(series: string, conversations: readonly Conversation[]) {
  let count = 0
  let replies = 0
  let messages = 0
  return (sofar: readonly Write[]): Write => {
    count += 1
    const mark = `${series}-${count}`
    const wanted = order[count % order.length] ?? 'submission'
    const place = conversations[count % conversations.length]
    if (!place) throw new Error('There is no conversation')
    const free = (kind: WriteKind) =>
      sofar.find(
        (write) =>
          write.kind === kind && write.isAcknowledged && !sofar.some(({ of }) => of === write),
      )
    if (wanted === 'message') {
      // An account takes two hundred messages an hour: the accounts take turns.
      messages += 1
      return message(mark, conversations[messages % conversations.length] ?? place)
    }
    if (wanted === 'mail') return mail(mark, place)
    if (wanted === 'reply') {
      // A sender's page takes twenty replies a day: each has its turn.
      replies += 1
      return reply(mark, conversations[replies % conversations.length] ?? place, count)
    }
    const earlier = free(wanted === 'status' ? 'submission' : 'message')
    if (wanted === 'status' && earlier) return status(mark, earlier)
    if (wanted === 'recall' && earlier) return recall(mark, earlier)
    return submission(mark, count)
  }
}

interface Call {
  method?: string
  path: string
  headers?: Record<string, string>
  body: string
}

const json = { 'Content-Type': 'application/json' }
const byStaff = (token: string) => ({ ...json, Authorization: `Bearer ${token}` })

/** A write whose call is the same each time, with one key. */
function write(
  kind: WriteKind,
  mark: string,
  record: string,
  call: (site: Site) => Call,
  take: (own: Write, answer: never) => void = () => {},
): Write {
  const key = randomUUID()
  return {
    kind,
    mark,
    record,
    isAcknowledged: false,
    post(site) {
      const { method = 'POST', path, headers, body } = call(site)
      return site.send(method, path, { ...headers, 'Idempotency-Key': key }, body)
    },
    async send(site) {
      take(this, accepted(`${kind} ${mark}`, await this.post(site)) as never)
      this.isAcknowledged = true
    },
  }
}

function accepted(what: string, { status, body }: Answer): unknown {
  if (status !== 200 && status !== 201) throw new Error(`${what} was answered ${status}: ${body}`)
  return JSON.parse(body)
}

const submission = (mark: string, n: number): Write =>
  write(
    'submission',
    mark,
    '',
    () => ({ path: '/api/contacts', headers: visitor(n), body: contactBody(mark) }),
    (own, { data }: { data: { _id: string } }) => {
      own.record = data._id
    },
  )

export const message = (mark: string, { id, staff }: Conversation): Write => ({
  ...write(
    'message',
    mark,
    id,
    () => ({
      path: `/api/contacts/${id}/messages`,
      headers: byStaff(staff),
      body: JSON.stringify({ text: mark }),
    }),
    (own, { meta }: { meta: { event: string } }) => {
      own.event = meta.event
    },
  ),
  staff,
})

export const mail = (mark: string, { id, email, messageId }: Conversation): Write =>
  write('mail', mark, id, () => ({
    path: '/api/mail/inbound',
    headers: { 'Content-Type': 'message/rfc822', Authorization: `Bearer ${inboundSecret}` },
    body: [
      `From: ${email}`,
      'To: office@fledge.test',
      'Subject: Re: your message',
      `Message-ID: <${mark}@people.example>`,
      `In-Reply-To: <${messageId}>`,
      '',
      mark,
      '',
    ].join('\r\n'),
  }))

const reply = (mark: string, { id, pageToken }: Conversation, n: number): Write =>
  write('reply', mark, id, () => ({
    path: `/api/status/${pageToken}/messages`,
    headers: visitor(n),
    body: JSON.stringify({ text: mark }),
  }))

const status = (mark: string, of: Write): Write => ({
  ...write('status', mark, of.record, (site) => ({
    method: 'PUT',
    path: `/api/contacts/${of.record}`,
    headers: byStaff(site.token),
    body: JSON.stringify({ status: 'handled' }),
  })),
  of,
})

const recall = (mark: string, of: Write): Write => ({
  ...write(
    'recall',
    mark,
    of.record,
    (site) => ({
      path: '/api/undo',
      headers: byStaff(of.staff ?? site.token),
      body: JSON.stringify({ event: of.event }),
    }),
    (_, { data }: { data: { reverted: string[] } }) => {
      of.wasRecalled = data.reverted.length > 0
    },
  ),
  of,
})

/** A contact with its whole activity, oldest first; undefined where there is none. */
export async function readContact({ send, token }: Site, id: string): Promise<Detail | undefined> {
  const read = (path: string) => send('GET', path, { Authorization: `Bearer ${token}` })
  const answer = await read(`/api/contacts/${id}`)
  if (answer.status === 404) return undefined
  const { data, meta } = accepted(`contact ${id}`, answer) as OutputOf<typeof contacts.read>
  let activity = data.activity
  let { cursor } = meta.activity
  while (cursor) {
    const older = await read(`/api/contacts/${id}/activity?cursor=${cursor}`)
    const page = accepted(`activity of ${id}`, older) as OutputOf<typeof contacts.activity>
    activity = [...page.data, ...activity]
    cursor = page.meta.activity.cursor
  }
  return { ...data, activity }
}

interface Start {
  count: number
  series: string
  dataDir: string
  /** The sessions that share the conversations; the site's own unless told otherwise. */
  staff?: readonly string[]
}

/** Contacts whose senders have their acknowledgement, with the link to their page. */
export async function startConversations(
  site: Site,
  { count, series, dataDir, staff = [] }: Start,
): Promise<Conversation[]> {
  const conversations: Conversation[] = []
  // All at once: mail leaves once a second.
  await atOnce(count, count, async (n) => {
    const first = submission(`${series}-conversation-${n}`, 1_000_000 + n)
    await first.send(site)
    const contact = await readContact(site, first.record)
    const sent = contact?.mail.find(({ kind }) => kind === 'acknowledgement')
    if (!contact || !sent) throw new Error('A sender got no acknowledgement')
    const file = mailFile(dataDir, sent._id)
    const page = async () => {
      if (!existsSync(file)) return undefined
      const { text = '' } = await PostalMime.parse(await readFile(file))
      return /\/status\/([\w-]+)/.exec(text)?.[1]
    }
    if (!(await eventually(async () => Boolean(await page()), { withinMs: 120_000 })))
      throw new Error('No mail was sent')
    conversations.push({
      id: contact._id,
      email: contact.email,
      pageToken: (await page()) ?? '',
      messageId: messageIdOf(sent._id),
      staff: staff[n % staff.length] ?? site.token,
    })
  })
  return conversations
}

export const mailFile = (dataDir: string, id: string): string => join(dataDir, 'mail', `${id}.eml`)
