import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { migrateRemote } from '#server/db/migrate.ts'
import { atMost, type Part } from '#tests/bench/part.ts'
import { hostSettings, requireBuiltSite } from '#tests/bench/stage.ts'
import { end, launch, newFolder, whenReady } from '#tests/launch.ts'
import { startPostgres } from '#tests/postgres.ts'
import { atOnce, client, contactBody, visitor } from './client.ts'

const SUBMISSIONS = 1_000
/** How long a host rests before its memory is read. */
const REST_MS = 5_000
const SAMPLE_MS = 20

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`
const limits = {
  embedded: 350 * 1024 ** 2,
  embeddedPeak: 450 * 1024 ** 2,
  postgres: 150 * 1024 ** 2,
}

interface Memory {
  /** Bytes resident after the start, and after the submissions. */
  started: number
  used: number
  /** The most until the start's end, with child processes. */
  peak: number
}

/** Resident memory of `npm run serve`'s process. */
export const memory: Part = {
  name: 'memory',
  async measure() {
    await requireBuiltSite()
    const folder = newFolder()
    const first = await memoryOf('first', { DATA_DIR: folder })
    const next = await memoryOf('next', { DATA_DIR: folder })
    const postgres = await startPostgres()
    try {
      await postgres.createDatabase('memory')
      const url = postgres.url('memory')
      await migrateRemote({ kind: 'pg', url })
      const remote = await memoryOf('remote', { DATA_DIR: newFolder(), DATABASE_URL: url })
      const submissions = `after ${SUBMISSIONS.toLocaleString('en')} submissions`
      return {
        rows: [
          ...(
            [
              ['first start', first],
              ['later start', next],
            ] as const
          ).flatMap(([start, { started, used, peak }]) => [
            atMost(`peak of a ${start}, embedded`, peak, limits.embeddedPeak, megabytes),
            atMost(`after a ${start}, embedded`, started, limits.embedded, megabytes),
            atMost(`${submissions}, ${start}, embedded`, used, limits.embedded, megabytes),
          ]),
          atMost('after a start, with Postgres', remote.started, limits.postgres, megabytes),
          atMost(`${submissions}, with Postgres`, remote.used, limits.postgres, megabytes),
        ],
        details: { first, next, remote },
      }
    } finally {
      await postgres.stop()
    }
  },
}

/** Starts a host, sends it submissions that no other run sends, and ends it. */
async function memoryOf(run: string, env: Record<string, string>): Promise<Memory> {
  const child = launch('serve', [], { ...hostSettings, ...env })
  const pid = child.pid ?? 0
  let peak = 0
  const sampling = setInterval(() => {
    peak = Math.max(peak, sum(withChildren(pid), 'VmRSS'))
  }, SAMPLE_MS)
  const host = await whenReady(child)
  try {
    await setTimeout(REST_MS)
    clearInterval(sampling)
    peak = Math.max(peak, sum([pid], 'VmHWM'))
    const started = sum([pid], 'VmRSS')
    const { send, close } = client(host.url, 10)
    await atOnce(SUBMISSIONS, 10, async (n) => {
      const { status, body } = await send(
        'POST',
        '/api/contacts',
        visitor(n),
        contactBody(`${run}-${n}`),
      )
      if (status !== 201) throw new Error(`A submission was answered ${status}: ${body}`)
    })
    close()
    await setTimeout(REST_MS)
    return { started, used: sum([pid], 'VmRSS'), peak }
  } finally {
    clearInterval(sampling)
    await end(host.process)
  }
}

/** A process and those that it started, as Linux lists them. */
function withChildren(pid: number): number[] {
  const threads = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : []
  const children = threads.flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(withChildren)]
}

/** Bytes that a process holds in memory now. */
export const residentOf = (pid: number): number => sum([pid], 'VmRSS')

/** Bytes of several processes by a line of their status; those that have ended count nothing. */
function sum(pids: readonly number[], line: 'VmRSS' | 'VmHWM'): number {
  return pids.reduce((total, pid) => {
    const [, kilobytes = 0] =
      new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`)) ?? []
    return total + Number(kilobytes) * 1024
  }, 0)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
