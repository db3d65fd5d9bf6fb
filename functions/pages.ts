import type { Config } from '@netlify/functions'
import { fileOfRelease } from '#netlify/release-files.ts'

/** Every page of the site. */
export default fileOfRelease

export const config: Config = {
  path: '/*',
  excludedPath: [
    '/_astro/*',
    '/api',
    '/api/*',
    '/calendar/*',
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
