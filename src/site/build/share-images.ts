import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderAsync } from '@resvg/resvg-js'
import satori from 'satori'
import { accentOf } from '#contract/content/accent.ts'
import { brand } from '#site/content.ts'
import { mainLinks } from '#site/navigation.ts'
import { ogImagePath } from '#site/page-path.ts'
import { type BuiltPage, isPublic } from './pages.ts'

/** Raise it when the drawing changes: cached images of another version are drawn again. */
const edition = 3
const width = 1200
const height = 630
const ink = '#151e30'
const paper = '#f9f5ed'

/** A packed function is one file in another folder. */
const { LAMBDA_TASK_ROOT } = process.env
const fontFolder = LAMBDA_TASK_ROOT
  ? `${LAMBDA_TASK_ROOT}/src/site/build/fonts`
  : join(import.meta.dirname, 'fonts')

const font = (file: string) => readFileSync(join(fontFolder, file))

/** The image's drawing: the page's section and title, and a flight path to the mark. */
const svg = async (
  title: string,
  section: string,
  fonts: Parameters<typeof satori>[1]['fonts'],
) => {
  const { hex: accent } = accentOf(brand().accent)
  const size = title.length > 60 ? 68 : title.length > 36 ? 84 : 108
  const text = (style: object, children: string) => ({
    type: 'div',
    props: { style: { display: 'flex', ...style }, children },
  })
  const words = await satori(
    {
      type: 'div',
      key: null,
      props: {
        style: {
          display: 'flex',
          flexDirection: 'column',
          justifyContent: 'space-between',
          boxSizing: 'border-box',
          width,
          height: 540,
          padding: '52px 72px 20px',
          color: ink,
          fontFamily: 'Bricolage',
        },
        children: [
          text({ fontSize: 44, letterSpacing: -1.5, paddingLeft: 68 }, brand().name),
          text(
            {
              fontSize: size,
              lineHeight: 1,
              letterSpacing: size * -0.035,
              maxWidth: 1000,
              textWrap: 'balance',
            },
            title,
          ),
        ],
      },
    },
    { width, height: 540, fonts },
  )
  const label = await satori(
    text({ fontSize: 26, fontFamily: 'B612', color: ink }, section) as Parameters<typeof satori>[0],
    { width: 900, height: 40, fonts },
  )
  const lines = (drawn: string) => (drawn.match(/<path[^>]*>/g) ?? []).join('')
  const ticks = Array.from(
    { length: 19 },
    (_, index) => `<path fill="${ink}" d="M${index * 64} 606h32v10h-32z"/>`,
  ).join('')
  const mark = (transform: string, colour: string) =>
    `<path transform="${transform}" d="${brand().mark}" fill="none" stroke="${colour}" stroke-width="4.3" stroke-miterlimit="9"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><path fill="${paper}" d="M0 0h${width}v${height}H0z"/><path d="M300 84C560 84 700 262 880 226C940 214 990 190 1034 156" fill="none" stroke="${accent}" stroke-width="4" stroke-dasharray="3 13" stroke-linecap="round"/>${mark('translate(1042 66) rotate(-14 16 16) scale(3.2)', ink)}${mark('translate(72 60) scale(1.6)', ink)}<g stroke="${ink}"><path d="M0 604.5h1200M0 617.5h1200"/></g>${ticks}${lines(words)}<g transform="translate(112 538)">${lines(label)}</g><path d="M83 543 96 566H70z" fill="${accent}"/></svg>`
}

/** All that the images show beside the titles. */
export const lookOfImages = (): string => {
  const { name, mark, accent, motto } = brand()
  const labels = mainLinks().map(({ href, label }) => [href, label])
  return createHash('sha256')
    .update(JSON.stringify([name, mark, accent, motto, labels]))
    .digest('hex')
}

/**
 * The Open Graph images of those pages that are public, PNG by their file in the site.
 *
 * @param cache a folder that keeps drawn images; without it all are drawn
 */
export const shareImages = async (
  pages: readonly BuiltPage[],
  cache?: string,
): Promise<Map<string, Uint8Array>> => {
  const fonts = [
    { name: 'Bricolage', data: font('bricolage-600.ttf'), weight: 600 as const },
    { name: 'B612', data: font('b612.ttf'), weight: 400 as const },
  ]
  if (cache) mkdirSync(cache, { recursive: true })
  const images = await Promise.all(
    pages.filter(isPublic).map(async (page) => {
      const title = page.root.querySelector('meta[property="og:title"]')?.getAttribute('content')
      const url = page.root.querySelector('link[rel=canonical]')?.getAttribute('href')
      if (!title || !url || new URL(url).pathname !== page.path) return []
      const section =
        mainLinks().find(({ href }) => href !== '/' && page.path.startsWith(`${href}/`))?.label ??
        brand().motto
      const key = createHash('sha256')
        .update(
          JSON.stringify([edition, title, section, brand().name, brand().mark, brand().accent]),
        )
        .digest('hex')
      const kept = cache && join(cache, `${key}.png`)
      if (kept && existsSync(kept)) return [[page.path, readFileSync(kept)] as const]
      const drawn = await renderAsync(await svg(title, section, fonts), {
        font: { loadSystemFonts: false },
      })
      const image = drawn.asPng()
      if (kept) writeFileSync(kept, image)
      return [[page.path, image] as const]
    }),
  )
  return new Map(images.flat().map(([path, image]) => [ogImagePath(path).slice(1), image]))
}

/** Puts the images of all pages into the built site; unchanged ones come from the cache. */
export const drawShareImages = async (dist: string, cache: string, pages: readonly BuiltPage[]) => {
  for (const [file, image] of await shareImages(pages, cache)) {
    mkdirSync(dirname(join(dist, file)), { recursive: true })
    writeFileSync(join(dist, file), image)
  }
}
