/**
 * The two rule files that the build leaves in `dist`, in Netlify's formats: what the deployed site
 * obeys, this host obeys too. https://docs.netlify.com/routing/headers/ and /routing/redirects/
 */

interface HeaderRule {
  pattern: RegExp
  headers: [name: string, value: string][]
}

/** Reads `_headers`: a path on a line of its own, its headers indented below. */
export function parseHeaders(text: string): HeaderRule[] {
  const rules: HeaderRule[] = []
  for (const line of meaningful(text)) {
    if (/^\S/.test(line)) {
      rules.push({ pattern: pathPattern(line.trim()), headers: [] })
    } else {
      const colon = line.indexOf(':')
      rules.at(-1)?.headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()])
    }
  }
  return rules
}

/** Every header that the rules give a path; of two with one name the later rule's. */
export function headersFor(rules: readonly HeaderRule[], path: string): Headers {
  const headers = new Headers()
  for (const rule of rules) {
    if (!rule.pattern.test(path)) continue
    for (const [name, value] of rule.headers) headers.set(name, value)
  }
  return headers
}

/** Reads `_redirects`: `from [name=value …] to [status[!]]` on each line. */
export function parseRedirects(text: string) {
  return meaningful(text).map((line) => {
    const [from = '', ...rest] = line.trim().split(/\s+/)
    const at = rest.findIndex((part) => /^(\/|https?:)/.test(part))
    const [, code = '301', mark] = /^(\d{3})(!?)$/.exec(rest[at + 1] ?? '') ?? []
    return {
      pattern: pathPattern(from),
      /** Search parameters that must be there: a literal value, or `:name` for any that is not empty. */
      query: rest.slice(0, at).map((pair): [name: string, value: string] => {
        const [name = '', value = ''] = pair.split('=')
        return [name, value]
      }),
      to: rest[at] ?? '/',
      status: Number(code),
      /** Goes before a file of the same path. */
      force: mark === '!',
    }
  })
}

type Redirect = ReturnType<typeof parseRedirects>[number]

/** The target of a redirect for this URL, or undefined if it does not apply. */
export function targetOf(redirect: Redirect, url: URL): string | undefined {
  const path = redirect.pattern.exec(url.pathname)
  if (!path) return undefined
  const found: Record<string, string> = { ...path.groups }
  for (const [name, wanted] of redirect.query) {
    const value = url.searchParams.get(name)
    if (!value) return undefined
    if (wanted.startsWith(':')) found[wanted.slice(1)] = encodeURIComponent(value)
    else if (value !== wanted) return undefined
  }
  return redirect.to.replace(/:(\w+)/g, (whole, name: string) => found[name] ?? whole)
}

function meaningful(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, ''))
    .filter((line) => line.trim() !== '')
}

/** `/blog/:slug` and `/admin/*` as an expression; what a star stands for is called `splat`. */
function pathPattern(path: string): RegExp {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:(\w+)/g, '(?<$1>[^/]+)')
    .replace(/\/\*$|\*/g, (star) => (star === '*' ? '.*' : '(?:/(?<splat>.*))?'))
  return new RegExp(`^${source}$`)
}
