import { imageTypes } from '#contract/content/desk.ts'

/** A picture as it is served: WebP without metadata. */
export interface Picture {
  body: Uint8Array
  width: number
  height: number
}

const WIDEST = 1_600

/** An article takes no longer side. */
const TALLEST = 10_000

/** Cameras of 12 megapixels have up to 12.2 million. */
const MOST_PIXELS = 12_499_999

/** Undefined for what is none of the accepted formats. Decodes what a stranger may have made: the host does it in a process that ends. */
export const readPicture = async (
  bytes: Uint8Array,
): Promise<Picture | 'too_large' | undefined> => {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  try {
    const source = sharp(bytes, { limitInputPixels: false, failOn: 'error', sequentialRead: true })
    const { format = '', compression, width = 0, height = 0 } = await source.metadata()
    // AVIF is a kind of HEIF.
    const type = `image/${format === 'heif' && compression === 'av1' ? 'avif' : format}`
    if (!imageTypes.some((one) => one === type)) return undefined
    if (width * height > MOST_PIXELS) return 'too_large'
    const { data, info } = await source
      .autoOrient()
      .resize({ width: WIDEST, height: TALLEST, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true })
    return { body: data, width: info.width, height: info.height }
  } catch {
    return undefined
  }
}
