import { builtPagesIn } from '#server/pages/built-pages.ts'

/**
 * The path at which a function finds what `included_files` names; spelled so that nothing more is
 * packed.
 */
const SERVER_PAGES = `${process.env.LAMBDA_TASK_ROOT ?? '.'}/.build/server-pages.json`

/** The pages that the build left for the functions. */
export const serverPages = builtPagesIn(SERVER_PAGES)
