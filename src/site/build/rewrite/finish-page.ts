import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverFolders } from '#site/build/server-pages.ts'
import { withPreloads } from './admin-preloads.ts'
import { reachable, type ScriptFiles, withIntegrity } from './integrity.ts'
import { withSmallIslands } from './islands.ts'
import { withSmallScopes } from './scoped-styles.ts'
import { withShortNames } from './short-names.ts'
import { namesOf, scriptWords, withoutUnused, withoutUnusedProperties } from './unused-styles.ts'

const scriptBlocks = /<script>(.*?)<\/script>/gs

/** Astro does not minify inline scripts and styles. */
const withSmallBlocks = (html: string, minify: (source: string) => string): string =>
  html
    .replace(scriptBlocks, (_, source: string) => `<script>${minify(source)}</script>`)
    .replace(/(<style\b[^>]*>)\s+|\s+(?=<\/style>)/g, '$1')

/**
 * Without the styles that a page has no use for. Its scripts may draw what its markup does not have yet,
 * and drawings in files of their own read the page's custom properties.
 */
const withUsedStyles = (html: string, loaded: string, drawings: string): string => {
  const names = namesOf(html, loaded)
  const used = html.replace(
    /(<style\b[^>]*>)(.*?)(?=<\/style>)/gs,
    (_, tag: string, css: string) => tag + withoutUnused(css, names),
  )
  const small = withSmallScopes(used, scriptWords(html, loaded))
  return withoutUnusedProperties(small, html.includes('.svg#') ? loaded + drawings : loaded)
}

/** The files of a folder with this extension, relative to it. */
export const filesIn = (folder: string, extension: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith(extension),
  )

/** The sender's pages are drawn on the server, in frames whose styles are those that it may use. */
const isFrame = (file: string): boolean => /^status\/(record|step)\.html$/.test(file)

/** What finishing a page needs of the build. */
export interface BuiltParts {
  /** The script files. */
  files: ScriptFiles
  /** The text of all drawings. */
  drawings: string
  /** The text of the templates that the server fills the frames with. */
  templates: string
  /** The files of all pages. */
  pages: ReadonlySet<string>
  /** @throws Error for a script that cannot be read, or that the build does not know */
  minify: (source: string) => string
}

/** The script files and drawings of a built site. */
export const builtParts = (dist: string): Pick<BuiltParts, 'files' | 'drawings'> => ({
  files: new Map(
    filesIn(join(dist, '_astro'), '.js').map((file) => [
      `/_astro/${file}`,
      readFileSync(join(dist, '_astro', file)),
    ]),
  ),
  drawings: filesIn(join(dist, '_astro'), '.svg')
    .map((file) => readFileSync(join(dist, '_astro', file), 'utf8'))
    .join('\n'),
})

/**
 * Finishes pages: minifies their inline blocks, leaves out styles that they do not use, and sets the hashes of the
 * script files that they load.
 *
 * @returns a function of a page's file name and its HTML as Astro draws it
 */
export const pageFinisher =
  ({ files, drawings, templates, pages, minify }: BuiltParts) =>
  (file: string, source: string): string => {
    // The admin is one island that nothing precedes: it has Astro's own element.
    const built = file.startsWith('admin') ? source : withSmallIslands(source)
    const scripts = [
      ...reachable(built, files).map((path) => files.get(path)),
      ...(isFrame(file) ? [templates] : []),
    ].join('\n')
    const used = withUsedStyles(withSmallBlocks(built, minify), scripts, drawings)
    // The server fills its pages by class, and a page shows parts of the one that the server fills in its place.
    const isFilled = serverFolders.some((folder) => file.startsWith(`${folder}/`))
    const html =
      isFilled || pages.has(`plan/${file}`)
        ? used
        : withShortNames(used, scriptWords(used, scripts))
    return withIntegrity(withPreloads(file.replace(/\.html$/, ''), html, files), files)
  }

/** What the build tells the renderer about itself, beside the bundle. */
export interface BuildTable {
  /** The hash of each page as Astro drew it, by its file. */
  drawn: Record<string, string>
  /** Inline scripts, minified, by the hash of their source: there is no minifier at run time. */
  scripts: Record<string, string>
  /** As in {@link BuiltParts}. */
  templates: string
}

export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22)
