import { migrateRemote } from '#server/db/migrate.ts'
import { atMost, milliseconds, type Part, times } from '#tests/bench/part.ts'
import { fillWithSamples, openHost, signIn } from '#tests/bench/stage.ts'
import { interleave, percentile, timed } from '#tests/bench/statistics.ts'
import { end, newFolder, type Started } from '#tests/launch.ts'
import { startPostgres } from '#tests/postgres.ts'
import { client } from './client.ts'

const FEW = 1_000
const MANY = 100_000
const ROUNDS = 150

/** One status per kind; contacts are read by the same code and have fewer fields. */
const kinds = { consultations: 'pending', applications: 'reviewing' } as const
type Kind = keyof typeof kinds

/** Search texts with many, some, one and no match; with an accent, a quote and a wildcard. */
const searches = [
  'bakery',
  'café',
  'sample 4711',
  'interview',
  'zzz',
  'two months',
  '100%',
  'ximena',
]
const SEARCH_ROUNDS = 8

interface Inbox {
  /** Milliseconds of a GET that must answer 200. */
  get(path: string): Promise<number>
  /** A cursor at this offset. */
  cursorAt(kind: Kind, depth: number): Promise<string>
}

/** Pages of the staff's lists with 100,000 records compared with 1,000, and search in 100,000. */
export const lists: Part = {
  name: 'lists',
  async measure() {
    const postgres = await startPostgres()
    const hosts: Started[] = []
    try {
      const open = async (env: Record<string, string>, count: number) => {
        const host = await openFilled(count, { DATA_DIR: newFolder(), ...env })
        hosts.push(host)
        return inboxOf(host.url)
      }
      const stage = async (database: string, of: (count: number) => Promise<Inbox>) => ({
        database,
        few: await of(FEW),
        many: await of(MANY),
      })
      // Filled in parallel, measured in sequence.
      const stages = await Promise.all([
        stage('PostgreSQL', async (count) =>
          open({ DATABASE_URL: await blank(postgres, `with${count}`) }, count),
        ),
        stage('embedded', (count) => open({}, count)),
      ])
      const rows = []
      const details: Record<string, unknown> = {}
      for (const { database, few, many } of stages) {
        const pages = await comparePages(few, many)
        const found = await search(many)
        details[database] = { pages, searches: found }
        for (const name of ['first page', 'filtered page', 'page at depth 90,000'] as const) {
          const worst = Math.max(...pages.filter((page) => page.name === name).map((p) => p.ratio))
          rows.push(
            atMost(`${name}, 100,000 against 1,000 records, p95, ${database}`, worst, 1.5, times),
          )
        }
        const all = found.flatMap(({ values }) => values)
        rows.push(
          atMost(
            `search among 100,000 records, p95, ${database}`,
            percentile(all, 0.95),
            150,
            milliseconds,
          ),
        )
      }
      return { rows, details }
    } finally {
      await Promise.all(hosts.map((host) => end(host.process)))
      await postgres.stop()
    }
  },
}

async function blank(
  postgres: Awaited<ReturnType<typeof startPostgres>>,
  name: string,
): Promise<string> {
  await postgres.createDatabase(name)
  await migrateRemote({ kind: 'pg', url: postgres.url(name) })
  return postgres.url(name)
}

/** A host on a database with `count` records of each kind. */
async function openFilled(count: number, env: Record<string, string>): Promise<Started> {
  const each = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, count]))
  await fillWithSamples(env, { ...each, contacts: 0 })
  return openHost(env)
}

async function inboxOf(url: string): Promise<Inbox> {
  const { token } = await signIn(url)
  const { send } = client(url, 1)
  const read = async (path: string) => {
    const { status, body } = await send('GET', path, { Authorization: `Bearer ${token}` })
    if (status !== 200) throw new Error(`${path} answers ${status}: ${body}`)
    return body
  }
  return {
    get: (path) => timed(() => read(path)),
    async cursorAt(kind, depth) {
      // A multiple of the page size that is not the end of the list.
      const size = Math.min(200, depth / 9)
      let cursor = ''
      for (let passed = 0; passed < depth; passed += size) {
        const { meta } = JSON.parse(await read(`/api/${kind}?limit=${size}${cursor}`))
        cursor = `&cursor=${encodeURIComponent(meta.nextCursor)}`
      }
      return cursor
    },
  }
}

async function comparePages(few: Inbox, many: Inbox) {
  const results: { kind: Kind; name: string; few: number; many: number; ratio: number }[] = []
  for (const [kind, status] of Object.entries(kinds) as [Kind, string][]) {
    const deepInFew = await few.cursorAt(kind, 0.9 * FEW)
    const deepInMany = await many.cursorAt(kind, 0.9 * MANY)
    const pages = {
      'first page': ['', ''],
      'filtered page': [`&status=${status}`, `&status=${status}`],
      'page at depth 90,000': [deepInFew, deepInMany],
    } as const
    for (const [name, [queryOfFew, queryOfMany]] of Object.entries(pages)) {
      const tasks = {
        few: () => few.get(`/api/${kind}?limit=50${queryOfFew}`),
        many: () => many.get(`/api/${kind}?limit=50${queryOfMany}`),
      }
      await interleave(10, tasks)
      const values = await interleave(ROUNDS, tasks)
      const p95 = { few: percentile(values.few, 0.95), many: percentile(values.many, 0.95) }
      results.push({ kind, name, ...p95, ratio: p95.many / p95.few })
    }
  }
  return results
}

async function search({ get }: Inbox) {
  const results: { kind: string; q: string; p95: number; values: number[] }[] = []
  for (const kind of Object.keys(kinds)) {
    for (const q of searches) {
      const path = `/api/${kind}?q=${encodeURIComponent(q)}`
      await get(path)
      const { values } = await interleave(SEARCH_ROUNDS, { values: () => get(path) })
      results.push({ kind, q, p95: percentile(values, 0.95), values })
    }
  }
  return results
}
