import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import PQueue from 'p-queue'
import type { SatoriOptions } from 'satori'
import { accentOf } from '#contract/content/accent.ts'
import { brand } from '#site/content.ts'
import { mainLinks } from '#site/navigation.ts'
import { ogImagePath } from '#site/page-path.ts'
import { type BuiltPage, isPublic } from './pages.ts'

/** Raise it when the drawing changes: cached images of another version are drawn again. */
const edition = 6
const width = 1200
const height = 630
const ink = '#151e30'
const paper = '#f9f5ed'

/** A packed function is one file in another folder. */
const { LAMBDA_TASK_ROOT } = process.env
const fontFolder = LAMBDA_TASK_ROOT
  ? `${LAMBDA_TASK_ROOT}/src/site/build/fonts`
  : join(import.meta.dirname, 'fonts')

/** The flight path to the mark: from behind the name, or from below a long one. */
const flight = (name: { right: number; bottom: number }): string => {
  const [x, y] = name.right < 620 ? [name.right + 23, 84] : [142, name.bottom + 33]
  const along = (part: number) => Math.round(x + (880 - x) * part)
  return `M${x} ${y}C${along(0.45)} ${y} ${along(0.7)} 262 880 226C940 214 990 190 1034 156`
}

const font = (file: string) => readFileSync(join(fontFolder, file))

/** The image's drawing: the page's section and title, and a flight path to the mark. */
const svg = async ({ title, section }: ShareImage, fonts: SatoriOptions['fonts']) => {
  // Loaded where an image is drawn: few releases have a new one.
  const { default: satori } = await import('satori')
  const { hex: accent } = accentOf(brand().accent)
  const size = title.length > 60 ? 68 : title.length > 36 ? 84 : 108
  const box = (style: object, children: unknown, key: string | null = null) => ({
    type: 'div',
    key,
    props: { style: { display: 'flex', ...style }, children },
  })
  const name = { right: 0, bottom: 0 }
  const words = await satori(
    box(
      {
        flexDirection: 'column',
        justifyContent: 'space-between',
        boxSizing: 'border-box',
        width,
        height: 540,
        padding: '52px 72px 20px',
        color: ink,
        fontFamily: 'Bricolage',
      },
      [
        box(
          {
            alignSelf: 'flex-start',
            fontSize: 44,
            letterSpacing: -1.5,
            maxWidth: 940,
            paddingLeft: 68,
          },
          brand().name,
          'name',
        ),
        box(
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
    ),
    {
      width,
      height: 540,
      fonts,
      onNodeDetected: (node) => {
        if (node.key !== 'name') return
        name.right = Math.round(node.left + node.width)
        name.bottom = Math.round(node.top + node.height)
      },
    },
  )
  const label = await satori(box({ fontSize: 26, fontFamily: 'B612', color: ink }, section), {
    width: 900,
    height: 40,
    fonts,
  })
  const lines = (drawn: string) => (drawn.match(/<path[^>]*>/g) ?? []).join('')
  const ticks = Array.from(
    { length: 19 },
    (_, index) => `<path fill="${ink}" d="M${index * 64} 606h32v10h-32z"/>`,
  ).join('')
  const mark = (transform: string, colour: string) =>
    `<path transform="${transform}" d="${brand().mark}" fill="none" stroke="${colour}" stroke-width="4.3" stroke-miterlimit="9"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><path fill="${paper}" d="M0 0h${width}v${height}H0z"/><path d="${flight(name)}" fill="none" stroke="${accent}" stroke-width="4" stroke-dasharray="3 13" stroke-linecap="round"/>${mark('translate(1042 66) rotate(-14 16 16) scale(3.2)', ink)}${mark('translate(72 60) scale(1.6)', ink)}<g stroke="${ink}"><path d="M0 604.5h1200M0 617.5h1200"/></g>${ticks}${lines(words)}<g transform="translate(112 538)">${lines(label)}</g><path d="M83 543 96 566H70z" fill="${accent}"/></svg>`
}

/** The Open Graph images of those pages that are public: all that each shows, and a name for that. */
export const shareImagesOf = (pages: readonly BuiltPage[]) =>
  pages.filter(isPublic).flatMap((page) => {
    const title = page.root.querySelector('meta[property="og:title"]')?.getAttribute('content')
    const url = page.root.querySelector('link[rel=canonical]')?.getAttribute('href')
    if (!title || !url || new URL(url).pathname !== page.path) return []
    const section =
      mainLinks().find(({ href }) => href !== '/' && page.path.startsWith(`${href}/`))?.label ??
      brand().motto
    const { name, mark, accent } = brand()
    const key = createHash('sha256')
      .update(JSON.stringify([edition, title, section, name, mark, accent]))
      .digest('hex')
    return [{ file: ogImagePath(page.path).slice(1), key, title, section }]
  })

type ShareImage = ReturnType<typeof shareImagesOf>[number]

/** The names of the images that the build, or a release, shows: by their files. */
export const shareImagesFile = '.build/renderer/images.json'

export const namesOfImages = (images: readonly ShareImage[]): Record<string, string> =>
  Object.fromEntries(images.map(({ file, key }) => [file, key]))

export const pngOf = async (drawing: string): Promise<Buffer> => {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const image = sharp(Buffer.from(drawing))
  return image.png({ palette: true, effort: 1, compressionLevel: 9 }).toBuffer()
}

/**
 * PNG by their file in the site.
 *
 * @param atOnce how many are drawn at the same time: each takes memory
 */
export const drawShareImages = async (images: readonly ShareImage[], atOnce = 1) => {
  if (images.length === 0) return new Map<string, Buffer>()
  const fonts = [
    { name: 'Bricolage', data: font('bricolage-600.ttf'), weight: 600 as const },
    // Central European letters and signs of currencies, which the first lacks.
    { name: 'Bricolage', data: font('bricolage-600-ext.ttf'), weight: 600 as const },
    { name: 'B612', data: font('b612.ttf'), weight: 400 as const },
  ]
  const drawn = new Map<string, Buffer>()
  const queue = new PQueue({ concurrency: atOnce })
  await queue.addAll(
    images.map((image) => async () => {
      drawn.set(image.file, await pngOf(await svg(image, fonts)))
    }),
  )
  return drawn
}

/** Puts the images of all pages into the built site; unchanged ones come from the cache, a folder. */
export const putShareImages = async (dist: string, cache: string, pages: readonly BuiltPage[]) => {
  mkdirSync(cache, { recursive: true })
  const images = shareImagesOf(pages)
  const kept = ({ key }: ShareImage) => join(cache, `${key}.png`)
  const drawn = await drawShareImages(
    images.filter((one) => !existsSync(kept(one))),
    availableParallelism(),
  )
  for (const one of images) {
    const image = drawn.get(one.file)
    if (image) writeFileSync(kept(one), image)
    mkdirSync(dirname(join(dist, one.file)), { recursive: true })
    writeFileSync(join(dist, one.file), image ?? readFileSync(kept(one)))
  }
  writeFileSync(join(dist, '..', shareImagesFile), JSON.stringify(namesOfImages(images)))
}
