import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gz = promisify(gzip)
const text = /\.(html|css|js|mjs|svg|xml|txt|json|webmanifest)$/

const compressed = new Map<string, Promise<Buffer>>()

/** In brotli at its best; a page that was weighed is not compressed again. */
const inBrotli = (content: string): Promise<Buffer> => {
  const known = compressed.get(content)
  if (known) return known
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(content),
  }
  const made = brotli(content, { params })
  compressed.set(content, made)
  return made
}

/** Size of a text in bytes, with the best brotli compression. */
export const brotliSize = async (content: string): Promise<number> =>
  (await inBrotli(content)).length

/** Leaves `.br` and `.gz` beside every text file, so that the host never compresses during a request. */
export const compress = async (dist: string) => {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    text.test(file),
  )
  await Promise.all(
    files.map(async (file) => {
      const path = join(dist, file)
      const content = readFileSync(path, 'utf8')
      writeFileSync(`${path}.br`, await inBrotli(content))
      writeFileSync(`${path}.gz`, await gz(content, { level: 9 }))
    }),
  )
  return files.length
}
