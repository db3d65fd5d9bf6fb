import type { Config } from '@netlify/functions'
import { fileOfRelease } from '#netlify/release-files.ts'

/** The images of shared links, apart from the pages for their size. */
export default fileOfRelease

export const config: Config = {
  path: '/og/*',
  rateLimit: { windowLimit: 300, windowSize: 60, aggregateBy: ['ip', 'domain'] },
}
