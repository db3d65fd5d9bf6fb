import { readFile } from 'node:fs/promises'
import type { BuiltPage, Deps } from '#server/deps.ts'

/** The pages that the build left for the server in a file; without the file there are none. */
export const builtPagesIn = (file: string | URL): Deps['page'] => {
  let pages: Promise<Record<string, BuiltPage>> | undefined
  const read = async () => JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))
  return async (name) => {
    pages ??= read()
    return (await pages)[name]
  }
}
