import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Lists } from '#contract/content/collections.ts'
import { contentFolder } from '#site/content-folder.ts'

/** Articles and legal pages of the files. The build answers for this module in its own bundles (`build/documents.ts`). */

type Articles = Pick<Lists, 'blog' | 'legal'>

const root = join(import.meta.dirname, '../../..')
const folderOf = (collection: keyof Articles) => join(contentFolder, collection)

const filesOf = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.mdx')) : []

export const articleFiles = (): string[] =>
  (['blog', 'legal'] as const).flatMap((collection) =>
    filesOf(folderOf(collection)).map((file) => join(folderOf(collection), file)),
  )

export const readArticles = async (): Promise<Articles> => {
  // By its address: a bundle would import the parser at its top, where a missing one ends the program.
  const reader = new URL('./read-mdx.ts', import.meta.url).href
  const { readMdx } = (await import(reader)) as {
    readMdx(source: string): { date?: unknown }
  }
  const dataIn = (collection: keyof Articles, file: string) => {
    try {
      return readMdx(readFileSync(join(folderOf(collection), file), 'utf8'))
    } catch (error) {
      throw new Error(`src/content/${collection}/${file}, ${(error as Error).message}`)
    }
  }
  const read = (collection: keyof Articles) =>
    filesOf(folderOf(collection))
      .sort()
      .map((file) => ({ id: file.replace('.mdx', ''), data: dataIn(collection, file) }))
  const dayOf = ({ data }: { data: { date?: unknown } }) => String(data.date)
  const blog = read('blog').sort((a, b) => (dayOf(a) < dayOf(b) ? 1 : -1))
  return { blog, legal: read('legal') } as unknown as Articles
}

const isMissing = (error: unknown): boolean =>
  (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND'

/** The hash of the files and their reader, in base64url. */
const hashOfFiles = (): string => {
  const hash = createHash('sha256')
  const reader = join(import.meta.dirname, 'read-mdx.ts')
  for (const file of [reader, ...articleFiles().sort()].filter(existsSync))
    hash.update(join(basename(dirname(file)), basename(file))).update(readFileSync(file))
  return hash.digest('base64url')
}

/** The articles that the build keeps for a host: the parser takes memory, and a container lacks it. */
export const builtArticles = async () => ({
  hash: hashOfFiles(),
  articles: await readArticles(),
})

type Built = Awaited<ReturnType<typeof builtArticles>>

const builtFile = join(process.env.LAMBDA_TASK_ROOT ?? root, '.build/documents.json')

const kept = (): Built | undefined =>
  existsSync(builtFile) ? JSON.parse(readFileSync(builtFile, 'utf8')) : undefined

const read = async (): Promise<Articles> => {
  const built = kept()
  if (built && built.hash === hashOfFiles()) return built.articles
  return readArticles().catch((error: unknown) => {
    if (!isMissing(error) || !built) throw error
    return built.articles
  })
}

export const articles: Articles = await read()
