import assert from 'node:assert/strict'
import { vi } from 'vitest'
import type { Content, Value } from '#contract/content/collections.ts'
import { createApp, routes } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import {
  type Check,
  test as databaseTest,
  type OnDatabase,
  testOnAll as onAll,
  testOnEveryDriver as onEveryDriver,
  testOnPostgres as onPostgres,
} from '#server/db/testing.ts'
import type { Deps, LogEntry } from '#server/deps.ts'
import { visitsInMemory } from '#server/visits/counts.ts'
import { judging, content as siteContent, withContent } from '#site/content.ts'

/** The API in a test: the real app on a real database, called as a stranger on the network would. */
export interface TestApi {
  deps: Deps
  logged: LogEntry[]
  /** Sends one request; `body` goes as JSON unless it is a form already. */
  request(
    path: string,
    init?: {
      method?: string
      body?: unknown
      token?: string | undefined
      headers?: Record<string, string>
      ip?: string
    },
  ): Promise<Response>
  /** Work that the answers left behind, such as sending mail. */
  settled(): Promise<void>
}

/** Each route with the form of its path, fixed paths before those with parameters. */
const forms = routes
  .map(({ endpoint }) => ({
    endpoint,
    form: new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
  }))
  .sort((a, b) => a.endpoint.path.split(':').length - b.endpoint.path.split(':').length)

/** Every success holds what the contract lists, and nothing else: a field too many is a leak. */
const checkAnswer = async (method: string, url: string, response: Response): Promise<void> => {
  const { pathname } = new URL(url, 'http://localhost')
  const route = forms.find(
    ({ endpoint, form }) =>
      (endpoint.method === method || endpoint.also === method) && form.test(pathname),
  )
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  const isFile = response.headers.has('Content-Disposition')
  if (!route || !response.ok || !isJson || isFile || route.endpoint.produces) return
  const { success: _, ...answer } = (await response.clone().json()) as { success: true }
  assert.deepStrictEqual(answer, JSON.parse(JSON.stringify(route.endpoint.output.parse(answer))))
}

export const testConfig = readConfig({
  AUTH_SECRET: 'a secret for tests that is long enough to sign',
  DATA_DIR: '.cache/test-data',
  SITE_URL: 'https://fledge.test',
})

/** The files’ content with every part, also one that the owner does without. */
export const wholeSite = (): Content => {
  const all = siteContent()
  const features = { blog: true, careers: true, work: true, plan: true }
  return { ...all, brand: { ...all.brand, features } }
}

/** The files’ content of an owner who takes no applications. */
export const withoutCareers = (): Content => {
  const { brand, ...others } = wholeSite()
  return { ...others, brand: { ...brand, features: { ...brand.features, careers: false } } }
}

/** `content` is what the site says, in place of the files. */
export const testApi = (
  db: Database,
  { content: wanted, ...overrides }: Partial<Deps> & { content?: Content } = {},
): TestApi => {
  // A renderer draws what was built.
  const content = wanted ?? (overrides.renderer ? siteContent() : wholeSite())
  const logged: LogEntry[] = []
  const publicPage = overrides.publicPage ?? (async () => undefined)
  const deps: Deps = {
    publicPage,
    visits: visitsInMemory({ db, publicPage }),
    config: testConfig,
    db,
    log: (entry) => logged.push(entry),
    page: async () => undefined,
    deliver: async () => {},
    warnings: async () => [],
    ...overrides,
  }
  const app = createApp(deps)
  let pending: Promise<unknown>[] = []
  return {
    deps,
    logged,
    async request(path, { method, body, token, headers = {}, ip = '192.0.2.1' } = {}) {
      const isRaw =
        body === undefined ||
        typeof body === 'string' ||
        body instanceof FormData ||
        body instanceof URLSearchParams ||
        body instanceof Uint8Array ||
        body instanceof ReadableStream
      const response = await withContent(content, () =>
        app.request(
          path,
          {
            method: method ?? (body === undefined ? 'GET' : 'POST'),
            headers: {
              ...(isRaw ? {} : { 'Content-Type': 'application/json' }),
              ...(token ? { Authorization: `Bearer ${token}` } : {}),
              ...headers,
            },
            ...(body === undefined
              ? {}
              : { body: isRaw ? (body as BodyInit) : JSON.stringify(body), duplex: 'half' }),
          } as RequestInit,
          { ip, afterResponse: (work) => pending.push(work) },
        ),
      )
      await checkAnswer(method ?? (body === undefined ? 'GET' : 'POST'), path, response)
      return response
    },
    async settled() {
      while (pending.length > 0) {
        const work = pending
        pending = []
        await Promise.all(work)
      }
    },
  }
}

/** Vitest's `test` with `api`: the app on an empty embedded database. */
export const test = databaseTest.extend('api', async ({ db }) => testApi(db))

type ApiCheck = Check<OnDatabase & { api: TestApi }>
const withApi =
  (check: ApiCheck): Check<OnDatabase> =>
  (context) =>
    check({ ...context, api: testApi(context.db) })

export const testOnAll = (promise: string, check: ApiCheck): void => onAll(promise, withApi(check))
export const testOnEveryDriver = (promise: string, check: ApiCheck): void =>
  onEveryDriver(promise, withApi(check))
export const testOnPostgres = onPostgres.extend('api', async ({ db }) => testApi(db))

/** The files’ content with these positions alone, each open and judged by name unless said otherwise. */
export const withPositions = (
  positions: Readonly<Record<string, { opening?: Value<'openings'>; blind?: boolean }>>,
): Content => {
  const site = wholeSite()
  const all = Object.entries(positions)
  const position = site.positions[0]?.data as Value<'positions'>
  return {
    ...site,
    positions: all.map(([id]) => ({ id, data: { ...position, title: `The ${id}` } })),
    openings: all.map(([id, { opening = { open: true } }]) => ({ id, data: opening })),
    hiring: [
      ...all.map(([id, { blind = false }]) => ({ id, data: { ...judging('other'), blind } })),
      { id: 'other', data: judging('other') },
    ],
  }
}

/** Runs `first` without committing it until `second`, begun meanwhile, waits for a lock. */
export const overlap = async <First, Second>(
  db: Database,
  first: (api: TestApi) => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> => {
  let waiting: Promise<Second> | undefined
  const done = await db.transaction(async (transaction) => {
    const result = await first(testApi(transaction))
    waiting = second()
    await vi.waitUntil(
      async () => {
        const [found] = await rows<{ n: number }>(
          db,
          sql`select count(*) as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return found && found.n > 0
      },
      { timeout: 60_000, interval: 5 },
    )
    return result
  })
  if (!waiting) throw new Error('Nothing waited')
  return [done, await waiting]
}

/** The turns of the event loop that some work leaves to others. */
export const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0
  let next: NodeJS.Immediate | undefined
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  count()
  await work()
  clearImmediate(next)
  return turns
}
