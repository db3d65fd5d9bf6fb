import type { BuiltPage, Deps } from '#server/deps.ts'
import { builtPagesIn } from '#server/pages/built-pages.ts'

/** The folder of a function's own files; spelled so that its packer follows nothing from here. */
export const packed = `${process.env.LAMBDA_TASK_ROOT ?? '.'}/`

/** The file with the pages that the server fills in, in a build and in a release. */
export const SERVER_PAGES = '.build/server-pages.json'

const builtPage = builtPagesIn(packed + SERVER_PAGES)
let shownPages: Record<string, BuiltPage> | undefined

/** Takes the pages that the server fills in from these files of a release. */
export const showServerPages = (files: ReadonlyMap<string, Buffer | null>): void => {
  const pages = files.get(SERVER_PAGES)
  shownPages = pages ? JSON.parse(pages.toString()) : undefined
}

/** The pages that the server fills in: those of the live release, or of the build. */
export const serverPages: Deps['page'] = async (name) =>
  shownPages ? shownPages[name] : builtPage(name)

/** The cache tag of every page. */
export const PAGES_TAG = 'pages'
