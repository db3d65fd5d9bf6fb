import type { AstroIntegration } from 'astro'
import { rewritten } from './redirects.ts'

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
