import { positions } from '#contract/positions.ts'
import { services } from '#contract/services.ts'

/** `from?query=value` shows the prerendered page `to` at its own address. */
export interface QueryRewrite {
  from: string
  query: string
  value: string
  to: string
}

const variants = (from: string, query: string, values: readonly string[]): QueryRewrite[] =>
  values.map((value) => ({ from, query, value, to: `${from}/${value}` }))

/** A value without a page of its own is shown as this one. */
const otherwise = { '/consultation-form': 'custom', '/apply': 'other' } as const

/** The form pages know what they are for without a script: a page is prerendered for each slug. */
export const queryRewrites: readonly QueryRewrite[] = [
  ...variants('/consultation-form', 'service', services),
  ...variants('/apply', 'position', positions),
]

/** The page that the rewrites show for an address; undefined where they leave it alone. */
export const rewritten = (path: string, search: URLSearchParams): string | undefined => {
  const mine = queryRewrites.filter(({ from, query }) => from === path && search.has(query))
  const named = mine.find(({ query, value }) => search.get(query) === value)
  return named?.to ?? (mine[0] && `${path}/${otherwise[path as keyof typeof otherwise]}`)
}

/** The `_redirects` file, read by Netlify and by this project's host alike. */
export const redirectsFile = (dynamicAdmin: boolean) =>
  [
    '/blog/first-portfolio-website-student-developers /blog/first-portfolio-website-student-developer 301!',
    ...queryRewrites.map(({ from, query, value, to }) => `${from} ${query}=${value} ${to} 200!`),
    ...Object.entries(otherwise).map(([from, value]) => {
      const query = queryRewrites.find((rewrite) => rewrite.from === from)?.query
      return `${from} ${query}=:any ${from}/${value} 200!`
    }),
    ...(dynamicAdmin ? ['/admin/* /admin 200'] : []),
    '',
  ].join('\n')
