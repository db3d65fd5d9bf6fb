import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, client, visitor } from '#tests/bench/api/client.ts'
import { openDesk } from '#tests/bench/content/desk.ts'
import { signIn } from '#tests/bench/stage.ts'
import { eventually } from '#tests/faults/fault.ts'
import type { Started } from '#tests/launch.ts'

/** A call and how many of a hundred are of its kind. */
export type Share = readonly [number, (n: number) => Promise<number>]

/** Spreads the calls of each kind evenly, in the same order every time. */
export const mixed = (shares: readonly Share[]): Share[1] => {
  const order = shares
    .flatMap(([count, call]) =>
      Array.from({ length: count }, (_, n) => ({ at: (n + 0.5) / count, call })),
    )
    .sort((one, other) => one.at - other.at)
  return async (n) => order[n % order.length]?.call(n) ?? 0
}

const GUESTS = 10
const hours = {
  timeZone: 'UTC',
  weekly: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' })),
  ...{ minutes: 15, buffer: 0, noticeHours: 1, horizonDays: 60 },
  place: 'https://meet.example/room',
}

/** Senders who may choose from all hours; a call books or moves an appointment. */
export async function bookings({ url }: Started, dataDir: string): Promise<Share[1]> {
  const { send } = client(url, 64)
  const staff = { ...visitor(0), Authorization: `Bearer ${(await signIn(url)).token}` }
  expected(200, await send('PUT', '/api/me/hours', staff, JSON.stringify(hours)))
  const list = expected(200, await send('GET', '/api/consultations?status=pending', staff))
  for (const { _id } of list.slice(0, GUESTS))
    expected(201, await send('POST', `/api/consultations/${_id}/times`, staff, '{}'))
  const tokens = new Map<string, string>()
  const folder = join(dataDir, 'mail')
  const haveAll = async () => {
    for (const name of readdirSync(folder).filter((one) => !tokens.has(one)))
      tokens.set(
        name,
        /\/status\/([\w-]{22,})\/times/.exec(readMail(join(folder, name)))?.[1] ?? '',
      )
    return [...tokens.values()].filter(Boolean).length >= GUESTS
  }
  if (!(await eventually(haveAll, { withinMs: 120_000 }))) throw new Error('No offer was sent')
  const guests = [...tokens.values()].filter(Boolean)
  let turn = 0
  return async (n) => {
    turn += 1
    const path = `/api/status/${guests[turn % guests.length]}/times`
    const asked = await send('GET', path, visitor(n))
    if (asked.status !== 200) return asked.status
    const { slots } = JSON.parse(asked.body).data
    const body = JSON.stringify({ start: slots[(turn * 7) % slots.length].start })
    return (await send('POST', path, visitor(n), body)).status
  }
}

/** Lines of a mail without the soft breaks of quoted-printable. */
const readMail = (file: string): string => readFileSync(file, 'utf8').replaceAll('=\r\n', '')

function expected(wanted: number, { status, body }: Answer): { _id: string }[] {
  if (status !== wanted) throw new Error(`${status} was answered instead of ${wanted}: ${body}`)
  return JSON.parse(body).data
}

/** An editor who saves a draft with each call, and publishes all drafts every two minutes. */
export async function editing({ url }: Started) {
  const desk = await openDesk(url)
  let edits = 0
  const edit = async (): Promise<number> => {
    edits += 1
    await desk.edit('faq', () => ({ question: `Is this draft ${edits}?` }))
    return 200
  }
  const releases: { state: string; seconds: number }[] = []
  let underWay = Promise.resolve()
  const publish = async () => {
    const start = performance.now()
    await edit()
    const { state } = await desk.finished((await desk.publish()).n)
    releases.push({ state, seconds: (performance.now() - start) / 1_000 })
  }
  const begin = () => {
    underWay = publish().catch((error) => void releases.push({ state: `${error}`, seconds: 0 }))
  }
  const timer = setInterval(begin, 120_000)
  begin()
  return {
    edit,
    releases,
    async stop() {
      clearInterval(timer)
      await underWay
    },
  }
}
