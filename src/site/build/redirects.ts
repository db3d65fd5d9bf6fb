import type { AstroIntegration } from 'astro'
import type { Content } from '#contract/content/collections.ts'
import { kindPaths } from '#contract/inbox.ts'
import { planFields } from '#contract/plan.ts'
import { positionIds, serviceIds, withContent } from '#site/content.ts'
import { isOff, isThere } from '#site/features.ts'

/** Shows the variants of the form pages in the dev server as `_redirects` does on the built site. */
export const devRewrites = (): AstroIntegration => ({
  name: 'dev-rewrites',
  hooks: {
    'astro:server:setup': ({ server }) => {
      server.middlewares.use((request, _response, next) => {
        const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
        const to = rewritten(pathname, searchParams)
        if (to) request.url = `${to}?${searchParams}`
        next()
      })
    },
  },
})

/** The URL `from?query=value` shows the prerendered page `to`. */
const variants = (from: string, query: string, values: readonly string[]) =>
  (isOff(from) ? [] : values).map((value) => ({ from, query, value, to: `${from}/${value}` }))

/** Values without a page of their own show this one. */
const otherwise = { '/consultation-form': 'custom', '/apply': 'other' } as const

/** The form pages show their service or position without a script: one page is prerendered per slug. */
export const queryRewrites = () => [
  ...variants('/consultation-form', 'service', serviceIds()),
  ...variants('/apply', 'position', positionIds()),
]

/** The page that the rewrites show for a URL; undefined where no rewrite applies. */
export const rewritten = (path: string, search: URLSearchParams): string | undefined => {
  const mine = queryRewrites().filter(({ from, query }) => from === path && search.get(query))
  const named = mine.find(({ query, value }) => search.get(query) === value)
  return named?.to ?? (mine[0] && `${path}/${otherwise[path as keyof typeof otherwise]}`)
}

/** A URL with answers to the plan is filled in by the server (`functions/plan.ts`). */
const planRewrites = (): string[] =>
  ['/consultation', '/consultation-form'].flatMap((from) =>
    isOff('/plan') ? [] : planFields.map((name) => `${from} ${name}=:${name} /plan${from} 200!`),
  )

/** Former addresses of pages, with the present ones. */
export type Moved = Readonly<Record<string, string>>

/** An article that had an `s` at the end of its address. */
const firstMoved = '/blog/first-portfolio-website-student-developer'

let movedByRelease: Moved = {}

/** Sets the redirects of the release that this process builds. */
export const setMoved = (moved: Moved): void => {
  movedByRelease = moved
}

/** Redirects from addresses that no page has any more, to pages that the site shows. */
const formerAddresses = (moved: Moved): string[] =>
  Object.entries({
    // An article may have taken the address again.
    ...(!isThere(`${firstMoved}s`) && { [`${firstMoved}s`]: moved[firstMoved] ?? firstMoved }),
    ...moved,
  })
    .filter(([, to]) => isThere(to))
    .map(([from, to]) => `${from} ${to} 301!`)

/** Screens of parts that are switched off: without a rule of their own `/admin` would be shown there. */
const screensOff = () => kindPaths.map((kind) => `/admin/${kind}`).filter((path) => isOff(path))

/** The `_redirects` file, read by Netlify and by this project's host. */
export const redirectsFile = (dynamicAdmin: boolean, moved: Moved = movedByRelease) =>
  [
    ...formerAddresses(moved),
    ...planRewrites(),
    ...queryRewrites().map(({ from, query, value, to }) => `${from} ${query}=${value} ${to} 200!`),
    ...Object.entries(otherwise).flatMap(([from, value]) => {
      const query = queryRewrites().find((rewrite) => rewrite.from === from)?.query
      return query ? [`${from} ${query}=:any ${from}/${value} 200!`] : []
    }),
    ...(dynamicAdmin
      ? [...screensOff().map((path) => `${path}/* /404 404`), '/admin/* /admin 200']
      : []),
    '',
  ].join('\n')

/** The same file for a release of these documents. */
export const redirectsOf = (documents: Content, moved: Moved): string =>
  withContent(documents, () => redirectsFile(true, moved))
