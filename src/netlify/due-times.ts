import { hash } from 'node:crypto'
import type { Store } from '@netlify/blobs'

/** Due times lie on a grid, so that those of a busy hour are few. */
const GRID_MS = 10_000

/** The longest wait for the store. */
const DEADLINE_MS = 1_000

/** Opens a blob store. Each database has stores of its own: a preview never reaches those of production. */
export const namedStore = (what: string, databaseUrl: string): (() => Promise<Store>) => {
  const { host, pathname } = new URL(databaseUrl)
  const name = `${what}-${hash('sha256', host + pathname, 'hex').slice(0, 16)}`
  // The platform gives each invocation a token of its own, so a store is opened for each use.
  return async () => {
    const { getStore } = await import('@netlify/blobs')
    return getStore({ name, consistency: 'strong', fetch: impatientFetch })
  }
}

/**
 * The times at which the outbox has work, kept outside the database so that asking does not wake
 * it: one key for each time in Netlify's blob store. Keys are only written and removed, never
 * changed, so that writers cannot lose each other's.
 */
export const dueTimes = (databaseUrl: string) => {
  const store = namedStore('outbox', databaseUrl)
  return {
    /** Keeps a time, in milliseconds of the epoch; answers the time that is kept instead, at most 10 s later. */
    async add(time: number) {
      const kept = Math.ceil(time / GRID_MS) * GRID_MS
      await (await store()).set(String(kept), '')
      return kept
    },
    async reached(now: number) {
      const { blobs } = await (await store()).list()
      return blobs.map(({ key }) => Number(key)).filter((time) => time <= now)
    },
    async remove(times: readonly number[]) {
      const opened = await store()
      await Promise.all(times.map((time) => opened.delete(String(time))))
    },
  }
}

export type DueTimes = ReturnType<typeof dueTimes>

/**
 * The client tries five times with five seconds between, which no call can wait for. It leaves alone
 * what is refused, so a failure is handed on as a refusal.
 */
const impatientFetch: typeof fetch = async (input, init) => {
  const refused = (why: string) =>
    new Response(null, { status: 400, headers: { 'x-nf-error': why } })
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const response = await fetch(input, { ...init, signal })
    return response.status === 429 || response.status >= 500
      ? refused(`status ${response.status}`)
      : response
  } catch (error) {
    return refused(error instanceof Error ? error.name : 'no answer')
  }
}
