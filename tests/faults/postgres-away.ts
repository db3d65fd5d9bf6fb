import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { contactBody, visitor } from '#tests/bench/api/client.ts'
import { openHost } from '#tests/bench/stage.ts'
import { end } from '#tests/launch.ts'
import { eventually, type Fault } from './fault.ts'
import { startTcpProxy } from './tcp-proxy.ts'

/** A database that is stopped, does not answer, or is disconnected after the commit. */
export const postgresAway: Fault = {
  name: 'postgres-away',
  promise: 'a database that stops, falls silent or is cut off breaks no promise',
  isQuick: true,
  async run(promise, { newDatabase }) {
    const direct = await newDatabase('migrated')
    const proxy = await startTcpProxy(Number(new URL(direct).port))
    const through = new URL(direct)
    through.port = String(proxy.port)
    const host = await openHost({ DATABASE_URL: through.href })
    let count = 0

    const submit = async (key: string = randomUUID(), n = ++count) => {
      const start = performance.now()
      const answer = await fetch(`${host.url}/api/contacts`, {
        method: 'POST',
        headers: { ...visitor(n), 'Idempotency-Key': key },
        body: contactBody(`far-${n}`),
      })
      const { code, data } = (await answer.json()) as { code?: string; data?: { _id: string } }
      return {
        status: answer.status,
        code,
        id: data?._id,
        hint: answer.headers.get('retry-after'),
        ms: performance.now() - start,
      }
    }
    const isRefusedInTime = ({ status, code, hint, ms }: Awaited<ReturnType<typeof submit>>) =>
      status === 503 && code === 'unavailable' && hint !== null && ms < 10_000
    const isBack = () => eventually(async () => (await submit()).status === 201)

    try {
      promise('it works before anything fails', (await submit()).status === 201)

      proxy.weather = 'refuse'
      const stopped = await submit()
      promise('stopped: 503 with Retry-After in time', isRefusedInTime(stopped), stopped)
      const health = await fetch(`${host.url}/api/health`)
      promise('stopped: health says so', health.status === 503, health.status)
      const page = await fetch(host.url)
      promise('stopped: pages are served all the same', page.status === 200, page.status)
      proxy.weather = 'pass'
      promise('back: it takes submissions without a restart', await isBack())

      proxy.weather = 'hold'
      const silent = await submit()
      promise('silent: 503 with Retry-After in time', isRefusedInTime(silent), silent)
      proxy.weather = 'pass'
      promise('heard again: it takes submissions', await isBack())

      const key = randomUUID()
      const n = ++count
      proxy.weather = 'cut'
      const cut = await submit(key, n)
      promise(
        'cut after the commit: 503, not a promise that may be broken',
        cut.status === 503,
        cut,
      )
      proxy.weather = 'pass'
      await isBack()
      const again = await submit(key, n)
      promise('sent again with its key: 201', again.status === 201, again)
      promise('and it is stored once', (await countOf(direct, `visitor-far-${n}@`)) === 1)
    } finally {
      proxy.close()
      await end(host.process)
    }
  },
}

async function countOf(url: string, email: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select 1 from contacts where email like $1', [`${email}%`])
  await client.end()
  return rows.length
}
