import { builtPagesIn } from '#server/pages/built-pages.ts'

/**
 * The path at which a function finds what `included_files` names; spelled so that nothing more is
 * packed.
 */
const SERVER_PAGES = `${process.env.LAMBDA_TASK_ROOT ?? '.'}/.build/server-pages.json`

/** The pages that the build left for the functions. */
export const serverPages = builtPagesIn(SERVER_PAGES)

/** The folder of a function's own files; spelled so that its packer follows nothing from here. */
export const packed = `${process.env.LAMBDA_TASK_ROOT ?? '.'}/`

/** The cache tag of every page. */
export const PAGES_TAG = 'pages'
