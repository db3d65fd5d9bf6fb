import { createHash } from 'node:crypto'
import { isLoopback } from '#server/http/ip.ts'
import { contentSecurityPolicy } from '#site/build/content-security-policy.ts'
import { everywhere } from '#site/build/headers.ts'
import { queryRewrites, redirectsFile } from '#site/build/redirects.ts'
import type { Answer } from './answer.ts'
import { Broken, type Check, type Deploy, headerProblem, inTurns, requireNone } from './check.ts'

const NOWHERE = '/no/such/page'
const unlisted = ['/admin', '/admin/contacts', '/thanks/contacts', NOWHERE]

const allPages = async (deploy: Deploy): Promise<Answer[]> => {
  const listed = await deploy.pages()
  if (listed.length === 0) throw new Broken('/sitemap-index.xml lists no page')
  return inTurns([...listed, ...unlisted], deploy.get)
}

const scriptsIn = (html: string): string[] => [
  ...new Set([...html.matchAll(/["/](_astro\/[\w.~-]+\.js)"/g)].map(([, path]) => `/${path}`)),
]

const answers: Check = {
  name: 'pages',
  remedy: 'Look at the log of the deploy: was everything in dist published, under this address?',
  async run(deploy) {
    const pages = await allPages(deploy)
    requireNone(
      pages.map(({ url, status, header }) => {
        const expected = url === NOWHERE ? 404 : 200
        if (status !== expected) return `${url} answers ${status}, not ${expected}`
        return header('content-type')?.startsWith('text/html') ? undefined : `${url} is not HTML`
      }),
    )
    return `${pages.length} addresses answer, an unknown one with the 404 page`
  },
}

const encryption: Check = {
  name: 'https',
  remedy:
    'Netlify: Domain management → HTTPS, wait for the certificate, then Force HTTPS. Elsewhere: let the proxy redirect.',
  async run(deploy) {
    const { url } = deploy
    if (isLoopback(url.hostname)) return 'not needed on this machine'
    if (url.protocol !== 'https:') throw new Broken(`${url.origin} is not encrypted`)
    const plain = await deploy.ask(`http://${url.hostname}/about`, {})
    const location = plain.header('location') ?? ''
    if (![301, 308].includes(plain.status) || !location.startsWith('https://')) {
      throw new Broken(`http://${url.hostname} answers ${plain.status} and does not lead to https`)
    }
    return 'http leads to https'
  },
}

/** The one policy of all pages; a comma would join two of them, and browsers obey both. */
const policyOf = ([home]: readonly Answer[]): string => {
  const value = home?.header('content-security-policy')
  if (value === undefined) throw new Broken('/ has no Content-Security-Policy')
  if (value.includes(',')) throw new Broken('/ has several policies, joined with a comma')
  return value
}

const headers: Check = {
  name: 'headers',
  remedy:
    'The headers are in dist/_headers. If they are missing, the host does not read that file; if they are doubled or changed, remove the header rules in the host’s or proxy’s own settings.',
  async run(deploy) {
    const pages = await allPages(deploy)
    const policy = policyOf(pages)
    const [script = '/robots.txt'] = scriptsIn(pages.map(({ text }) => text).join(''))
    const more = [
      '/robots.txt',
      '/sitemap-index.xml',
      '/og/home.png',
      '/about/',
      '/admin-push.js',
      script,
    ]
    const answers = [...pages, ...(await inTurns(more, deploy.get))]
    const promised = (answer: Answer) => {
      // Our own host shortens the policy of what is no document.
      const isShort = answer.header('content-security-policy') === "default-src 'none'"
      const own = isShort && !pages.includes(answer) ? "default-src 'none'" : policy
      return Object.entries({ ...everywhere, 'Content-Security-Policy': own })
    }
    requireNone(
      answers.flatMap((answer) =>
        promised(answer).map(([name, value]) => headerProblem(answer, name, value)),
      ),
    )
    requireNone(
      ['/admin', '/admin/contacts', '/thanks/contacts'].map((path) => {
        const page = pages.find(({ url }) => url === path)
        return page && headerProblem(page, 'X-Robots-Tag', 'noindex')
      }),
    )
    const count = Object.keys(everywhere).length + 1
    return `${count} headers, each once and as promised, on ${answers.length} addresses`
  },
}

const directives = (policy: string) =>
  new Map(
    policy.split(/;\s*/).map((part) => {
      const [name = '', ...sources] = part.trim().split(/\s+/)
      return [name, sources] as const
    }),
  )

const isSafe = (name: string, source: string): boolean =>
  /^'(none|self|script|sha256-[\w+/=]+)'$/.test(source) ||
  (name === 'trusted-types' && source === 'push-worker')

const policy: Check = {
  name: 'policy',
  remedy:
    'Something changed pages or headers after the build. Switch off everything that rewrites pages: snippet injection, minifying, analytics, “optimisation” by a proxy. Then deploy again without cache.',
  async run(deploy) {
    const pages = await allPages(deploy)
    const sent = directives(policyOf(pages))
    requireNone(
      [...sent].map(([name, sources]) =>
        sources.every((source) => isSafe(name, source))
          ? undefined
          : `${name} allows ${sources.join(' ')}`,
      ),
    )
    requireNone(
      pages.flatMap(({ url, text }) =>
        [...directives(contentSecurityPolicy(text))].map(([name, sources]) => {
          const allowed = sent.get(name)
          if (!allowed) return `the policy lacks ${name}`
          return sources.every((source) => allowed.includes(source))
            ? undefined
            : `${url} holds a block that ${name} does not allow`
        }),
      ),
    )
    return `allows the inline blocks of ${pages.length} pages, and nothing unsafe`
  },
}

const sha256 = ({ body }: Answer) => `sha256-${createHash('sha256').update(body).digest('base64')}`

const integrity: Check = {
  name: 'scripts',
  remedy:
    'A script is missing or not the one that was built; browsers refuse it. Switch off minifying and bundling by the host, and deploy again without cache.',
  async run(deploy) {
    const pages = await allPages(deploy)
    const pinned = new Map(
      pages.flatMap(({ text }) =>
        [...text.matchAll(/"(\/_astro\/[\w.~-]+\.js)":"(sha256-[\w+/=]+)"/g)].map(
          ([, path = '', hash = '']) => [path, hash] as const,
        ),
      ),
    )
    const named = scriptsIn(pages.map(({ text }) => text).join(''))
    requireNone(named.map((path) => (pinned.has(path) ? undefined : `${path} has no hash`)))
    requireNone(
      await inTurns([...pinned], async ([path, hash]) => {
        const file = await deploy.get(path)
        if (file.status !== 200) return `${path} answers ${file.status}`
        return sha256(file) === hash ? undefined : `${path} is not what was built`
      }),
    )
    return `${pinned.size} files are what was built`
  },
}

const caching: Check = {
  name: 'caching',
  remedy:
    'Remove caching rules of the host’s or proxy’s own: dist/_headers keeps /_astro/* for a year, and pages are asked for each time. Let text be compressed.',
  async run(deploy) {
    const page = await deploy.ask('/about', { headers: { 'Accept-Encoding': 'br, gzip' } })
    const [script] = scriptsIn((await deploy.get('/admin')).text)
    if (!script) throw new Broken('/admin names no script')
    const kept = (await deploy.get(script)).header('cache-control') ?? ''
    const fresh = page.header('cache-control') ?? ''
    requireNone([
      /max-age=31536000.*immutable/.test(kept) ? undefined : `${script} is kept as: ${kept}`,
      /max-age=0|no-cache|no-store/.test(fresh) ? undefined : `/about is kept as: ${fresh}`,
      /^(br|gzip|zstd)$/.test(page.header('content-encoding') ?? '')
        ? undefined
        : '/about travels uncompressed',
    ])
    return 'hashed files are kept, pages are fresh, text is compressed'
  },
}

/** The rules without those to pages that staff have removed or switched off: the files may still have these. */
const withoutGone = async <Rule extends { to: string }>(
  deploy: Deploy,
  rules: readonly Rule[],
): Promise<Rule[]> => {
  const kept = await inTurns(rules, async (rule) =>
    (await deploy.get(rule.to)).status === 404 ? [] : [rule],
  )
  return kept.flat()
}

const redirects: Check = {
  name: 'redirects',
  remedy:
    'The rules are in dist/_redirects; the host has to read that file. Netlify: Build & deploy → Post processing → Pretty URLs on, for addresses with a slash at the end.',
  async run(deploy) {
    const former = [...redirectsFile(true).matchAll(/^(\S+) (\S+) 301/gm)].map(
      ([, from = '', to = '']) => ({ from, to }),
    )
    const moved = [{ from: '/about/', to: '/about' }, ...(await withoutGone(deploy, former))]
    const variants = await withoutGone(deploy, queryRewrites())
    requireNone(
      await inTurns(moved, async ({ from, to }) => {
        const { status, header } = await deploy.get(from)
        const location = header('location')
        const path = location && new URL(location, deploy.url).pathname
        return status === 301 && path === to
          ? undefined
          : `${from} answers ${status}${path ? ` to ${path}` : ''}, not 301 to ${to}`
      }),
    )
    requireNone(
      await inTurns(variants, async ({ from, query, value, to }) => {
        const address = `${from}?${query}=${value}`
        const [shown, meant] = await Promise.all([deploy.get(address), deploy.get(to)])
        return shown.status === 200 && shown.body.equals(meant.body)
          ? undefined
          : `${address} does not show ${to}`
      }),
    )
    const admin = await deploy.get('/admin/contacts/0')
    if (admin.status !== 200 || !admin.text.includes('astro-island')) {
      throw new Broken(`/admin/contacts/0 answers ${admin.status} and not the admin`)
    }
    return `${moved.length} lead where they should, ${variants.length} forms know what they are for`
  },
}

export const pageChecks: Check[] = [
  answers,
  encryption,
  headers,
  policy,
  integrity,
  caching,
  redirects,
]
