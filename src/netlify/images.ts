import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { log } from '#host/log.ts'
import { pagesOf } from '#host/site.ts'
import { drawIcons, newIcon } from '#site/build/icons.ts'
import { builtPage } from '#site/build/pages.ts'
import { drawShareImages, shareImagesFile, shareImagesOf } from '#site/build/share-images.ts'
import { packed } from './packed.ts'
import { fileOfRelease, released, site } from './release-files.ts'

const pageAt = pagesOf(site, 'https://site')

/** The icons, or the share image of a page, where the release shows others than the build. */
const draw = async (path: string): Promise<ReadonlyMap<string, Uint8Array>> => {
  if (path.startsWith('/icon-')) return newIcon(`${packed}dist`) ? drawIcons() : new Map()
  const page = path === '/og/home.png' ? '/' : path.slice('/og'.length, -'.png'.length)
  const html = await pageAt(page)
  const names = released.get(shareImagesFile) ?? readFileSync(join(packed, shareImagesFile))
  const drawn: Record<string, string> = JSON.parse(names.toString())
  const images = html ? shareImagesOf([builtPage(page, html)]) : []
  return drawShareImages(images.filter(({ file, key }) => drawn[file] !== key))
}

const prepare = async (path: string): Promise<boolean> => {
  if (released.has(path.slice(1))) return true
  try {
    const drawn = await draw(path)
    for (const [file, image] of drawn) released.set(file, Buffer.from(image))
    if (drawn.size > 0) site.show(released)
    return true
  } catch (error) {
    log({ level: 'error', event: 'image_not_drawn', message: String(error) })
    return false
  }
}

/** An image of the live release; one that the build has not is drawn when it is first asked for. */
export const imageOfRelease = (request: Request): Promise<Response> =>
  fileOfRelease(request, prepare)
