import { client, contactBody, visitor } from '#tests/bench/client.ts'
import { openHost, signIn } from '#tests/bench/stage.ts'
import { end, newFolder } from '#tests/launch.ts'

export interface KillReport {
  kills: number
  acknowledged: number
  /** Acknowledged with 201 and missing after the next start. */
  lost: string[]
  /** Records without the event that is written with them. */
  torn: string[]
}

const PACE_MS = 1_000 / 50

/**
 * Kills the host repeatedly with `kill -9` while it takes 50 submissions per second, and after each
 * restart on the same folder checks that all acknowledged records exist.
 */
export async function killAndLook(kills: number, series = 'a'): Promise<KillReport> {
  const env = { DATA_DIR: newFolder() }
  const report: KillReport = { kills: 0, acknowledged: 0, lost: [], torn: [] }
  let token: string | undefined
  let count = 0
  let latest: string[] = []
  const all: string[] = []

  while (true) {
    const host = await openHost(env)
    // One session for the whole run: sessions survive, too.
    token ??= (await signIn(host.url)).token
    const read = reader(host.url, token)
    report.lost.push(...(await missing(read, latest)))
    const last = latest.at(-1)
    if (last && !(await isWhole(read, last))) report.torn.push(last)
    if (report.kills === kills) {
      report.lost.push(...(await missing(read, all)))
      await end(host.process)
      return report
    }

    latest = []
    const { send, close } = client(host.url, 64)
    const duration = 200 + Math.random() * 800
    const writes: Promise<void>[] = []
    const start = performance.now()
    const write = async (n: number) => {
      const { status, body } = await send(
        'POST',
        '/api/contacts',
        visitor(n),
        contactBody(`${series}${n}`),
      )
      if (status !== 201) throw new Error(`A submission was answered ${status}: ${body}`)
      latest.push(JSON.parse(body).data._id)
    }
    for (let due = 0; due < duration; due += PACE_MS) {
      await sleepUntil(start + due)
      count += 1
      // A broken connection is caused by the kill; an answer other than 201 is not.
      writes.push(write(count).catch((error: NodeJS.ErrnoException) => ignoreCut(error)))
    }
    await end(host.process, 'SIGKILL')
    await Promise.all(writes)
    close()
    report.kills += 1
    report.acknowledged += latest.length
    all.push(...latest)
  }
}

function ignoreCut(error: NodeJS.ErrnoException): void {
  if (!/^(ECONNRESET|ECONNREFUSED|EPIPE)$/.test(error.code ?? '')) throw error
}

type Read = (path: string) => Promise<{ status: number; json: never }>

function reader(url: string, token: string): Read {
  return async (path) => {
    const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } })
    return { status: answer.status, json: (await answer.json()) as never }
  }
}

/** Those of the newest ids that the list does not show. */
async function missing(read: Read, ids: readonly string[]): Promise<string[]> {
  const sought = new Set(ids)
  let cursor = ''
  while (sought.size > 0) {
    const { status, json } = await read(`/api/contacts?limit=200${cursor}`)
    if (status !== 200) throw new Error(`The list answers ${status}`)
    const { data, meta } = json as { data: { _id: string }[]; meta: { nextCursor: string | null } }
    for (const { _id } of data) sought.delete(_id)
    if (meta.nextCursor === null) break
    cursor = `&cursor=${encodeURIComponent(meta.nextCursor)}`
  }
  return [...sought]
}

async function isWhole(read: Read, id: string): Promise<boolean> {
  const { status, json } = await read(`/api/contacts/${id}`)
  if (status !== 200) return true
  const { data } = json as { data: { activity: { kind: string }[] } }
  return data.activity.some(({ kind }) => kind === 'created')
}

async function sleepUntil(time: number): Promise<void> {
  const wait = time - performance.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
}
