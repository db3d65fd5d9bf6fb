import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { isOff } from '#site/features.ts'
import { packSite } from '#site/publish/packed-site.ts'
import { samples } from '#site/samples.ts'
import { checkPages, filesOf } from './check.ts'
import { compress } from './compress.ts'
import { headersFile } from './headers.ts'
import { drawIcons, newIcon } from './icons.ts'
import { readPages } from './pages.ts'
import { redirectsFile } from './redirects.ts'
import { rewritePages } from './rewrite/rewrite-pages.ts'
import { takeServerPages } from './server-pages.ts'
import { putShareImages } from './share-images.ts'

/** Removes the pages of what is switched off, before anything reads its pages. */
const removeSwitchedOff = (dist: string): void => {
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
    if (isOff(`/${name.replace(/\.html$/, '')}`))
      rmSync(join(dist, name), { recursive: true, force: true })
}

/**
 * The steps after Astro's own build: finished pages, the server's pages, share images, the host's rule
 * files, a check of every page, and compression.
 */
export const finish = (): AstroIntegration => {
  let root = ''
  return {
    name: 'finish',
    hooks: {
      'astro:config:done': ({ config }) => {
        root = fileURLToPath(config.root)
      },
      // The inputs that `npm start` compares do not describe a build that another command makes.
      'astro:build:start': () => rmSync(join(root, '.build/inputs'), { force: true }),
      'astro:build:done': async ({ dir, logger }) => {
        const dist = fileURLToPath(dir)
        removeSwitchedOff(dist)
        rewritePages(dist)
        await takeServerPages(dist)
        const pages = readPages(dist)
        const icon = newIcon(dist)
        if (icon) {
          writeFileSync(join(dist, 'icon.svg'), icon)
          for (const [file, image] of await drawIcons()) writeFileSync(join(dist, file), image)
        }
        await Promise.all([
          putShareImages(dist, join(root, 'node_modules/.cache/share-images'), pages),
          // Netlify compresses by itself, and would publish the compressed files as pages.
          process.env.NETLIFY ? undefined : compress(dist, pages),
        ])
        const hasAdmin = pages.some(({ path }) => path === '/admin')
        writeFileSync(join(dist, '_redirects'), redirectsFile(hasAdmin))
        const { CONTEXT } = process.env
        const isPreview = Boolean(CONTEXT) && CONTEXT !== 'production'
        const noindex = isPreview || samples.shown > 0
        writeFileSync(join(dist, '_headers'), headersFile(pages, { noindex }))

        const found = await checkPages(pages, filesOf(dist))
        const all = [...found.problems, ...found.notices]
        for (const { path, problem } of all) logger.warn(`${path} ${problem}`)
        logger.info(`${pages.length} pages checked, ${all.length} problems`)
        // A notice stops no release, so it stops no build either; the project's own tests are stricter.
        const { PAGE_CHECK } = process.env
        const stopping = PAGE_CHECK === 'strict' ? all : found.problems
        if (stopping.length > 0 && PAGE_CHECK !== 'warn') {
          throw new Error('The pages have problems, listed above.')
        }

        for (const { file, count } of samples.files)
          logger.warn(`${file}: ${count} ${count === 1 ? 'sample' : 'samples'}`)
        if (samples.shown > 0) {
          logger.warn(
            `${samples.shown} samples are left: every page says so, and search engines are kept out. Replace them, or set ALLOW_SAMPLE_CONTENT=1.`,
          )
        }

        if (process.env.NETLIFY) packSite(root)
      },
    },
  }
}
