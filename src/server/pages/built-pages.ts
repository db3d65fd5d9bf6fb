import { readFile } from 'node:fs/promises'
import type { BuiltPage, Deps } from '#server/deps.ts'

export const SERVER_PAGES = '.build/server-pages.json'

/**
 * The pages that the server fills in: those that the build left in a folder, if any, until the files of a release
 * that has its own are shown.
 */
export const serverPagesIn = (folder: string) => {
  let built: Promise<Record<string, BuiltPage>> | undefined
  let shown: Record<string, BuiltPage> | undefined
  const read = async () =>
    JSON.parse(await readFile(`${folder}/${SERVER_PAGES}`, 'utf8').catch(() => '{}'))
  const page: Deps['page'] = async (name) => {
    if (shown) return shown[name]
    built ??= read()
    return (await built)[name]
  }
  const show = (files: ReadonlyMap<string, Buffer | null>): void => {
    const pages = files.get(SERVER_PAGES)
    shown = pages ? JSON.parse(pages.toString()) : undefined
  }
  return { page, show }
}
