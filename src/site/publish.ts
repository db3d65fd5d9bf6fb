import { createHash } from 'node:crypto'
import { checkPages, type Problem } from './build/check.ts'
import { brotli } from './build/compress.ts'
import { contentSecurityPolicy } from './build/content-security-policy.ts'
import { headersFile } from './build/headers.ts'
import { type BuiltPage, builtPage } from './build/pages.ts'
import { type Finishing, finishPage, isServerPage } from './build/rewrite/finish-page.ts'
import { pagePath } from './page-path.ts'
import type { Rendered } from './render/site.ts'

/** A file of a release: what the site's address answers with, or a page that the server fills. */
export interface ReleasedFile {
  /** `about.html`, `rss.xml`, `status/record.html`. */
  file: string
  /** Hash of what was rendered. Equal hashes of one build are finished alike. */
  rendered: string
  text: string
}

interface Published {
  /** Every file, with those that did not change. */
  files: ReleasedFile[]
  changed: string[]
  removed: string[]
  /** The changed files that visitors get, in brotli. */
  compressed: Map<string, Buffer>
  /** The rules of `_headers`, with the policy that allows the inline blocks of all pages. */
  headers: string
  /** The pages that the server fills, each with its policy, as in `.build/server-pages.json`. */
  serverPages: Record<string, { html: string; csp: string }>
  /** Problems leave the live release alone. */
  problems: []
  notices: Problem[]
}

export type Outcome = Published | { problems: Problem[]; notices: Problem[] }

export const isPublished = (outcome: Outcome): outcome is Published => 'files' in outcome

interface Publication {
  rendered: AsyncIterable<Rendered>
  finishing: Finishing
  /** The live release of this build; its finished pages are kept where the rendering is the same. */
  before: readonly ReleasedFile[]
  /** The pages that no content changes: the admin's. */
  fixed: readonly BuiltPage[]
  /** Whether the build has a file that is no page. */
  isFile: (path: string) => boolean
  noindex?: boolean
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

const pathOf = (file: string): string => pagePath(`/${file}`)

/** The build reads pages by the names of their files. */
const orderOf = ({ path }: BuiltPage): string => `${path === '/' ? '/index' : path}.html`

const expected = (file: string): number => (file === '404.html' ? 404 : 200)

/** Renders everything and finishes what differs from the live release. */
const draw = async ({ rendered, finishing, before }: Publication) => {
  const live = new Map(before.map((released) => [released.file, released]))
  const files: ReleasedFile[] = []
  const changed: string[] = []
  const problems: Problem[] = []
  for await (const { file, status, text } of rendered) {
    const hash = hashOf(text)
    const known = live.get(file)
    if (status !== expected(file)) {
      problems.push({ path: pathOf(file), problem: `cannot be drawn (status ${status})` })
    } else if (known?.rendered === hash) files.push(known)
    else {
      const finished = file.endsWith('.html') ? finishPage(file, text, finishing) : text
      files.push({ file, rendered: hash, text: finished })
      changed.push(file)
    }
  }
  const drawn = new Set(files.map(({ file }) => file))
  const removed = [...live.keys()].filter((file) => !drawn.has(file))
  return { files, changed, removed, problems }
}

/**
 * Draws the site and returns the release, or the problems that keep it from being one. It stores
 * nothing: the caller makes the release live.
 */
export const publish = async (publication: Publication): Promise<Outcome> => {
  const { fixed, isFile, noindex = false } = publication
  const { files, changed, removed, problems } = await draw(publication)
  if (problems.length > 0) return { problems, notices: [] }

  const isPage = (file: string) => file.endsWith('.html') && !isServerPage(file)
  const pages = new Map(
    files
      .filter(({ file }) => isPage(file))
      .map(({ file, text }) => [file, builtPage(pathOf(file), text)]),
  )
  const texts = new Set(files.map(({ file }) => `/${file}`))
  const all = [...pages.values(), ...fixed].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  const found = await checkPages(all, (path) => texts.has(path) || isFile(path), {
    weighed: new Set(changed.map(pathOf)),
  })
  if (found.problems.length > 0) return found

  const served = changed.filter((file) => !isServerPage(file))
  const textOf = new Map(files.map(({ file, text }) => [file, text]))
  const compressed = await Promise.all(
    served.map(async (file) => {
      const page = pages.get(file)
      return [file, await (page ? page.compressed() : brotli(textOf.get(file) ?? ''))] as const
    }),
  )
  const serverPages = files
    .filter(({ file }) => isServerPage(file))
    .map(({ file, text }) => [
      file.replace(/\.html$/, ''),
      { html: text, csp: contentSecurityPolicy(text) },
    ])
  return {
    files,
    changed,
    removed,
    compressed: new Map(compressed),
    headers: headersFile(all, { noindex }),
    serverPages: Object.fromEntries(serverPages),
    problems: [],
    notices: found.notices,
  }
}
