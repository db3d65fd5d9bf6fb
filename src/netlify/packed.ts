import { serverPagesIn } from '#server/pages/built-pages.ts'

/** The folder of a function's own files; spelled so that its packer follows nothing from here. */
export const packed = `${process.env.LAMBDA_TASK_ROOT ?? '.'}/`

export const serverPages = serverPagesIn(packed)

export const PAGES_TAG = 'pages'
