import { build } from 'astro'
import type { Content } from '#contract/content/collections.ts'
import { setPublished } from '#site/content.ts'
import { type Moved, setMoved } from './redirects.ts'

/** Builds the site with other documents than those of the files and redirects of former addresses, where some are given. */
export const buildSite = async (
  documents?: Content,
  { moved = {}, outDir }: { moved?: Moved; outDir?: string } = {},
): Promise<void> => {
  if (documents) setPublished(documents)
  setMoved(moved)
  // For the pages, which the build bundles with a content module of their own.
  const define = documents ? { BUILT_CONTENT: JSON.stringify(documents) } : {}
  await build({ ...(outDir ? { outDir, logLevel: 'warn' } : {}), vite: { define } })
}
