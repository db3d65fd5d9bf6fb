import type { APIRoute } from 'astro'
import { absolute } from '#site/home.ts'
import { samples } from '#site/samples.ts'

export const GET: APIRoute = () =>
  new Response(
    [
      'User-agent: *',
      ...(samples.shown > 0 ? ['Disallow: /'] : ['Disallow: /admin', 'Disallow: /api/']),
      '',
      `Sitemap: ${absolute('/sitemap-index.xml')}`,
      '',
    ].join('\n'),
  )
