import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

const ARCHIVE = '.build/site.br'

/** Packs what a release is drawn with: as single files in a zip, equal parts of the pages would weigh three times as much. */
export const packSite = (root: string): void => {
  const files = ['dist', '.build/renderer'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const file = join(folder, relative(join(root, folder), entry.parentPath), entry.name)
      // Images of shared links are compared by name.
      return entry.isFile() && !/^dist\/og\/|\.(br|gz)$/.test(file) ? [file] : []
    }),
  )
  const contents = [...files, '.build/server-pages.json'].map(
    (file) => [file, readFileSync(join(root, file))] as const,
  )
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 }
  writeFileSync(join(root, ARCHIVE), brotliCompressSync(serialize(contents), { params }))
}

export const unpackSite = (root: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  const contents: [string, Buffer][] = deserialize(
    brotliDecompressSync(readFileSync(join(root, ARCHIVE))),
  )
  for (const [file, content] of contents) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  return folder
}
