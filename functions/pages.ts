import type { Config } from '@netlify/functions'
import { fileOfRelease } from '#netlify/release-files.ts'

export default (request: Request): Promise<Response> => fileOfRelease(request)

export const config: Config = {
  path: '/*',
  excludedPath: [
    '/_astro/*',
    '/api',
    '/api/*',
    '/calendar/*',
    '/icon-32.png',
    '/icon-180.png',
    '/icon-512.png',
    '/icon-maskable.png',
    '/media/*',
    '/og/*',
    '/plan/*',
    '/preview/*',
    '/status',
    '/status/*',
    '/.netlify/*',
  ],
  rateLimit: { windowLimit: 300, windowSize: 60, aggregateBy: ['ip', 'domain'] },
}
