import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderAsync } from '@resvg/resvg-js'
import type { AstroIntegration } from 'astro'
import { brand } from '#site/content.ts'
import { samples } from '#site/samples.ts'
import { checkPages, filesOf } from './check.ts'
import { compress } from './compress.ts'
import { headersFile } from './headers.ts'
import { readPages } from './pages.ts'
import { redirectsFile } from './redirects.ts'
import { drawShareImages } from './share-images.ts'

const STROKE = 'fill="none" stroke-width="4.3" stroke-miterlimit="9"'

const svg = (paths: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${paths}</svg>`

/** The mark on the night's ground, at this share of the square. */
const onGround = (mark: string, share: number) =>
  svg(
    `<path fill="#0e1420" d="M0 0h32v32H0z"/><path transform="translate(16 16) scale(${share}) translate(-16 -16)" d="${mark}" stroke="#f0ece4" ${STROKE}/>`,
  )

/** Draws the icons anew where the mark is not the one of the files in `public`. */
const drawIcons = async (dist: string): Promise<void> => {
  const { mark } = brand()
  const file = join(dist, 'icon.svg')
  const drawn = readFileSync(file, 'utf8')
  if (drawn.includes(`d="${mark}"`)) return
  writeFileSync(file, drawn.replace(/ d="[^"]*"/, ` d="${mark}"`))
  const images: [name: string, size: number, drawing: string][] = [
    ['icon-32.png', 32, svg(`<path d="${mark}" stroke="#151e30" ${STROKE}/>`)],
    ['icon-180.png', 180, onGround(mark, 0.8)],
    ['icon-512.png', 512, onGround(mark, 0.8)],
    ['icon-maskable.png', 512, onGround(mark, 0.62)],
  ]
  for (const [name, size, drawing] of images) {
    const image = await renderAsync(drawing, { fitTo: { mode: 'width', value: size } })
    writeFileSync(join(dist, name), image.asPng())
  }
}

/**
 * The last integration, after Astro's own build: share images, the host's rule files, a check of every
 * page, and compression.
 */
export const finish = (): AstroIntegration => {
  let root = ''
  return {
    name: 'finish',
    hooks: {
      'astro:config:done': ({ config }) => {
        root = fileURLToPath(config.root)
      },
      'astro:build:done': async ({ dir, logger }) => {
        const dist = fileURLToPath(dir)
        const pages = readPages(dist)
        await drawIcons(dist)
        await drawShareImages(dist, join(root, 'node_modules/.cache/share-images'), pages)
        const hasAdmin = pages.some(({ path }) => path === '/admin')
        writeFileSync(join(dist, '_redirects'), redirectsFile(hasAdmin))
        const { CONTEXT } = process.env
        const isPreview = CONTEXT !== undefined && CONTEXT !== 'production'
        const noindex = isPreview || samples.shown > 0
        writeFileSync(join(dist, '_headers'), headersFile(pages, { noindex }))

        const found = await checkPages(pages, filesOf(dist))
        const problems = [...found.problems, ...found.notices]
        for (const { path, problem } of problems) logger.warn(`${path} ${problem}`)
        logger.info(`${pages.length} pages checked, ${problems.length} problems`)
        if (problems.length > 0 && process.env.PAGE_CHECK !== 'warn') {
          throw new Error('The pages have problems, listed above.')
        }

        for (const { file, count } of samples.files)
          logger.warn(`${file}: ${count} ${count === 1 ? 'sample' : 'samples'}`)
        if (samples.shown > 0) {
          logger.warn(
            `${samples.shown} samples are left: every page says so, and search engines are kept out. Replace them, or set ALLOW_SAMPLE_CONTENT=1.`,
          )
        }

        // Netlify compresses by itself, and would publish the compressed files as pages.
        if (!process.env.NETLIFY) await compress(dist, pages)
      },
    },
  }
}
