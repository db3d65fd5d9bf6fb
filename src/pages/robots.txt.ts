import type { APIRoute } from 'astro'
import { site } from '#site/home.ts'
import { samples } from '#site/samples.ts'

export const GET: APIRoute = () =>
  new Response(
    [
      'User-agent: *',
      ...(samples.shown > 0 ? ['Disallow: /'] : ['Disallow: /admin', 'Disallow: /api/']),
      '',
      `Sitemap: ${new URL('/sitemap-index.xml', site)}`,
      '',
    ].join('\n'),
  )
