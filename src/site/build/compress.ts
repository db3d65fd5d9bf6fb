import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type BuiltPage, isPublic } from './pages.ts'

const brotliAsync = promisify(brotliCompress)
const gz = promisify(gzip)
const text = /\.(html|css|js|mjs|svg|xml|txt|json|webmanifest)$/

/** A few per cent larger than the best, in a tenth of the time. */
export const STORED_QUALITY = 9

export const brotli = (content: string | Uint8Array, quality = 11): Promise<Buffer> =>
  brotliAsync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(content),
    },
  })

/**
 * Leaves `.br` and `.gz` beside every text file, so that the host never compresses during a request. Sets
 * `compressed` of every page before it waits for anything, so that a check that runs beside it finds them.
 */
export const compress = async (dist: string, pages: readonly BuiltPage[]) => {
  for (const page of pages)
    page.compressed = isPublic(page) ? brotli(page.html) : brotli(page.html, STORED_QUALITY)
  const ready = new Map(pages.map((page) => [page.html, page.compressed]))
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    text.test(file),
  )
  await Promise.all(
    files.map(async (file) => {
      const path = join(dist, file)
      const content = readFileSync(path)
      writeFileSync(`${path}.br`, await (ready.get(content.toString()) ?? brotli(content)))
      writeFileSync(`${path}.gz`, await gz(content, { level: 9 }))
    }),
  )
}
