import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { headersFor, parseHeaders } from '#host/rules.ts'
import type { Deps } from '#server/deps.ts'

/** Reads prerendered pages from a built site, each when it is first needed. */
export function templatesIn(dist: string): Deps['page'] {
  const read = (path: string) => readFile(join(dist, path), 'utf8').catch(() => undefined)
  const cache = new Map<string, ReturnType<Deps['page']>>()
  const load: Deps['page'] = async (name) => {
    const [html, rules = ''] = await Promise.all([read(`${name}.html`), read('_headers')])
    if (html === undefined) return undefined
    const csp = headersFor(parseHeaders(rules), `/${name}`).get('Content-Security-Policy') ?? ''
    return { html, csp }
  }
  return (name) => {
    const page = cache.get(name) ?? load(name)
    cache.set(name, page)
    return page
  }
}
