import { existsSync } from 'node:fs'
import { atOnce, visitor } from '#tests/bench/api/client.ts'
import { openHost, signIn } from '#tests/bench/stage.ts'
import { end, newFolder } from '#tests/launch.ts'
import {
  type Conversation,
  type Detail,
  inboundSecret,
  mailFile,
  readContact,
  type Site,
  siteAt,
  startConversations,
  type Write,
  writesOf,
} from './conversation-traffic.ts'
import { eventually } from './fault.ts'

export interface KillReport {
  kills: number
  acknowledged: number
  /** Writes that a kill cut off. */
  cutOff: number
  /** Marks of writes that were acknowledged and are missing after the next start. */
  lost: string[]
  /** Entries that are stored more often than they were written. */
  doubled: string[]
  /** Records without the event that is written with them. */
  torn: string[]
  /** Messages that were recalled in time and left all the same, or were not and did not leave. */
  sentWrongly: string[]
}

const PACE_MS = 1_000 / 50
/** A sender's page takes twenty replies a day, and a round has up to five. */
const KILLS_A_CONVERSATION = 4
/** An account may send 200 messages an hour, and a round has up to ten. */
const KILLS_AN_ACCOUNT = 20

/**
 * Kills the host repeatedly with `kill -9` while it takes 50 writes per second: submissions, messages
 * of staff and their recall, replies by mail and on the sender's page, and statuses. After each restart
 * on the same folder it looks for those that were acknowledged, sends all again with the same keys, and
 * looks that each is stored once.
 */
export async function killAndLook(
  kills: number,
  { series = 'a', onKill = () => {} }: { series?: string; onKill?: () => void } = {},
): Promise<KillReport> {
  const dataDir = newFolder()
  const env = { DATA_DIR: dataDir, INBOUND_SECRET: inboundSecret }
  const report: KillReport = {
    kills: 0,
    acknowledged: 0,
    cutOff: 0,
    lost: [],
    doubled: [],
    torn: [],
    sentWrongly: [],
  }
  let token: string | undefined
  let conversations: Conversation[] | undefined
  let nextWrite: ReturnType<typeof writesOf> | undefined
  let latest: Write[] = []
  const all: Write[] = []

  while (true) {
    const host = await openHost(env)
    // One session for the whole run: sessions survive, too.
    token ??= (await signIn(host.url)).token
    const site = siteAt(host.url, token)
    conversations ??= await startConversations(site, {
      count: Math.ceil(kills / KILLS_A_CONVERSATION),
      series,
      dataDir,
      staff: await addStaff(host.url, token, Math.ceil(kills / KILLS_AN_ACCOUNT)),
    })
    nextWrite ??= writesOf(series, conversations)

    const kept = latest.filter(({ isAcknowledged }) => isAcknowledged)
    await look(site, kept, report)
    report.cutOff += latest.length - kept.length
    // All of them: to a client, an answer that got lost is a call that was cut off.
    await atOnce(latest.length, 8, async (n) => latest[n]?.send(site))
    await look(site, latest, report)
    if (report.kills === kills) {
      await lookAtAll(site, { all, conversations, dataDir }, report)
      site.close()
      await end(host.process)
      return report
    }

    latest = await killAmid(site, nextWrite, () => end(host.process, 'SIGKILL'))
    report.kills += 1
    report.acknowledged += latest.filter(({ isAcknowledged }) => isAcknowledged).length
    all.push(...latest)
    onKill()
  }
}

/** New editors, each with a session. */
async function addStaff(url: string, token: string, count: number): Promise<string[]> {
  const sessions: string[] = []
  for (let n = 0; n < count; n += 1) {
    const email = `editor-${n}@example.test`
    const password = 'three quiet herons wade'
    const answer = await fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { ...visitor(n), Authorization: `Bearer ${token}` },
      body: JSON.stringify({ username: `editor-${n}`, email, password, role: 'editor' }),
    })
    if (!answer.ok) throw new Error(`The new account was answered ${answer.status}`)
    sessions.push((await signIn(url, { email, password })).token)
  }
  return sessions
}

/** Sends writes for up to a second, and kills the host while it works on them. */
async function killAmid(
  site: Site,
  nextWrite: (sofar: readonly Write[]) => Write,
  kill: () => Promise<void>,
): Promise<Write[]> {
  const writes: Write[] = []
  const sent: Promise<void>[] = []
  const duration = 200 + Math.random() * 800
  const start = performance.now()
  for (let due = 0; due < duration; due += PACE_MS) {
    await sleepUntil(start + due)
    const write = nextWrite(writes)
    writes.push(write)
    // A broken connection is caused by the kill; an answer other than 2xx is not.
    sent.push(write.send(site).catch((error: NodeJS.ErrnoException) => ignoreCut(error)))
  }
  await kill()
  await Promise.all(sent)
  site.close()
  return writes
}

function ignoreCut(error: NodeJS.ErrnoException): void {
  if (!/^(ECONNRESET|ECONNREFUSED|EPIPE)$/.test(error.code ?? '')) throw error
}

/** Looks for each of these writes, all of them acknowledged, on the record that it changed. */
async function look(site: Site, writes: readonly Write[], report: KillReport): Promise<void> {
  const byRecord = [...Map.groupBy(writes, ({ record }) => record)]
  await atOnce(byRecord.length, 8, async (n) => {
    const [id, own] = byRecord[n] ?? ['', []]
    const contact = await readContact(site, id)
    for (const write of own) {
      const times = timesStored(write, contact)
      if (times === 0) report.lost.push(`${write.kind} ${write.mark}`)
      if (times > 1) report.doubled.push(`${write.kind} ${write.mark}`)
    }
    if (contact && !contact.activity.some(({ kind }) => kind === 'created')) report.torn.push(id)
  })
}

function timesStored({ kind, mark, of }: Write, contact: Detail | undefined): number {
  if (!contact) return 0
  const entries = contact.activity
  const saying = (text: string) => entries.filter((entry) => entry.text?.trim() === text)
  if (kind === 'submission') return contact.message.includes(`number ${mark}.`) ? 1 : 0
  if (kind === 'status')
    return contact.status === 'handled'
      ? entries.filter((entry) => entry.kind === 'status' && entry.to === 'handled').length
      : 0
  if (kind !== 'recall') return saying(mark).length
  if (!of?.wasRecalled) return 1
  return saying(of.mark).filter(({ delivery }) => delivery === 'recalled').length
}

/** At the end: every write, the number of contacts, and which messages have left. */
async function lookAtAll(
  site: Site,
  { all, conversations, dataDir }: { all: Write[]; conversations: Conversation[]; dataDir: string },
  report: KillReport,
): Promise<void> {
  await look(site, all, report)
  const expected = conversations.length + all.filter(({ kind }) => kind === 'submission').length
  const stored = await countContacts(site)
  if (stored > expected) report.doubled.push(`${stored} contacts instead of ${expected}`)
  if (stored < expected) report.lost.push(`${stored} contacts instead of ${expected}`)

  const read = async (): Promise<Detail[]> => {
    const contacts = await Promise.all(conversations.map(({ id }) => readContact(site, id)))
    return contacts.filter((contact) => contact !== undefined)
  }
  await eventually(
    async () =>
      (await read()).every(({ activity }) =>
        activity.every(({ delivery }) => delivery !== 'waiting'),
      ),
    // Ten mails a second leave, and hundreds to staff may wait before the last messages.
    { withinMs: 900_000, everyMs: 2_000 },
  )
  for (const { activity, mail } of await read())
    for (const { _id, delivery, text } of activity) {
      if (delivery === undefined) continue
      const left = mail.filter(
        ({ _id: id, entry }) => entry === _id && existsSync(mailFile(dataDir, id)),
      )
      if (left.length !== (delivery === 'recalled' ? 0 : 1))
        report.sentWrongly.push(`message ${text}, ${delivery}: left ${left.length} times`)
    }
}

async function countContacts({ send, token }: Site): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` }
  const { body } = await send('GET', '/api/contacts?limit=1', headers)
  const { meta } = JSON.parse(body) as { meta: { boxes: Record<string, number> } }
  return Object.values(meta.boxes).reduce((sum, count) => sum + count, 0)
}

async function sleepUntil(time: number): Promise<void> {
  const wait = time - performance.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
}
