import { createHash } from 'node:crypto'
import * as contract from '#contract/content/desk.ts'
import { HttpError, invalidField } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import { pictureOfFiles } from '#site/content-folder.ts'
import { addImage, findImage, listImages } from './store/images.ts'

const imageTypes: readonly string[] = contract.imageTypes

export const imageRoutes: Route[] = [
  route(contract.listImages, async (_call, { db }) => ({ data: await listImages(db) })),

  route(
    contract.addImage,
    async ({ body: { file, alt }, actor }, { db, readPicture }) => {
      if (file.type && !imageTypes.includes(file.type) && file.type !== 'application/octet-stream')
        throw new HttpError('unsupported_media_type', 'Send a PNG, JPEG, WebP or AVIF.')
      const tooLarge = new HttpError('too_large', 'An image has at most 5 MB and 12 megapixels.')
      if (file.bytes.byteLength > contract.MAX_IMAGE_BYTES) throw tooLarge
      if (!readPicture) throw new HttpError('unavailable', 'Images cannot be read here.')
      const picture = await readPicture(file.bytes)
      if (picture === 'too_large') throw tooLarge
      if (!picture) throw invalidField('file', 'This image cannot be read.')
      const { width, height } = picture
      const hash = createHash('sha256').update(picture.body).digest('hex')
      const stored = Buffer.from(picture.body).toString('base64')
      return { data: await addImage(db, { hash, alt, width, height, body: stored }, actor) }
    },
    { bodyBytes: () => 5.5 * 1_048_576 },
  ),
]

export const publicImageRoutes: Route[] = [
  route(contract.readImage, async ({ params, request }, { db }) => {
    const { hash } = params
    const isHash = /^[0-9a-f]{64}$/.test(hash)
    const body = isHash && ((await findImage(db, hash)) ?? (await pictureOfFiles(hash)))
    if (!body) throw new HttpError('not_found')
    const etag = `"${hash.slice(0, 32)}"`
    const isKnown = request.headers.get('If-None-Match')?.includes(etag)
    return new Response(isKnown ? null : new Uint8Array(body), {
      status: isKnown ? 304 : 200,
      headers: {
        'Content-Type': 'image/webp',
        'Cache-Control': 'public, max-age=31536000, immutable',
        ETag: etag,
      },
    })
  }),
]
