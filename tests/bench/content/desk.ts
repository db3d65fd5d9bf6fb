import { setTimeout } from 'node:timers/promises'
import type { Release } from '#contract/content/desk.ts'
import { signIn } from '#tests/bench/stage.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents are changed as an editor does, whatever they hold
type Json = any

/** The desk of a running host, as a superuser uses it. */
export interface Desk {
  call(method: string, path: string, body?: unknown): Promise<Json>
  /** Changes fields of an entry's draft; the first entry where none is named. */
  edit(collection: string, change: (value: Json) => Json): Promise<void>
  /** Begins a release of all drafts. */
  publish(): Promise<Release>
  /** Waits until a release is live or has failed. */
  finished(n: number): Promise<Release>
  page(path: string): Promise<string>
}

export const openDesk = async (url: string, known?: string): Promise<Desk & { token: string }> => {
  const token = known ?? (await signIn(url)).token
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const call: Desk['call'] = async (method, path, body) => {
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await fetch(`${url}/api/content${path}`, init)
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
    return answer.json()
  }
  return {
    token,
    call,
    async edit(collection, change) {
      const { data } = await call('GET', `/${collection}`)
      const path = `/${collection}/${data[0].id}`
      const { value } = (await call('GET', path)).data
      await call('PUT', path, { value: { ...value, ...change(value) } })
    },
    async publish() {
      const { meta } = await call('GET', '')
      return (await call('POST', '/publish', { release: meta.release })).data
    },
    async finished(n) {
      for (;;) {
        const { data } = await call('GET', `/releases/${n}`)
        if (!/drawing|checking/.test(data.state)) return data
        await setTimeout(50)
      }
    },
    page: async (path) => (await fetch(url + path)).text(),
  }
}
