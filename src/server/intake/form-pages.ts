import { readFile } from 'node:fs/promises'
import type { Deps, PageTemplate } from '#server/deps.ts'

/** The templates that the build left in a file; without the file there are none. */
export const formPagesIn = (file: string | URL): Deps['page'] => {
  let pages: Promise<Record<string, PageTemplate>> | undefined
  const read = async () => JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))
  return async (name) => {
    pages ??= read()
    return (await pages)[name]
  }
}
