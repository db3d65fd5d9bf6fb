import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = process.env.LAMBDA_TASK_ROOT ?? join(import.meta.dirname, '../..')

export const contentFolder = join(root, 'src/content')

/** A picture of the documents that lies beside their files; undefined where there is none. */
export const pictureOfFiles = (hash: string): Promise<Buffer | undefined> =>
  readFile(join(contentFolder, 'media', `${hash}.webp`)).catch(() => undefined)
