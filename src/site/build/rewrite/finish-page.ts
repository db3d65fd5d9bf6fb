import { withPreloads } from './admin-preloads.ts'
import { reachable, type ScriptFiles, withIntegrity } from './integrity.ts'
import { withSmallIslands } from './islands.ts'
import { withSmallScopes } from './scoped-styles.ts'
import { withShortNames } from './short-names.ts'
import { namesOf, scriptWords, withoutUnused, withoutUnusedProperties } from './unused-styles.ts'

/** The folders of `src/pages` whose pages the server fills or draws in before it answers with them. */
export const serverFolders = ['refused', 'status', 'plan']

/** All that finishing a page reads beside the page itself. */
export interface Finishing {
  scripts: ScriptFiles
  /** The text of the drawings that pages refer to. */
  drawings: string
  /** The sources of the sender's pages, which the server draws into frames. */
  templates: string
  /** Our own element around islands. */
  islandElement: string
  minify: (script: string) => string
}

const withSmallBlocks = (html: string, minify: Finishing['minify']): string =>
  html
    .replace(
      /<script>(.*?)<\/script>/gs,
      (_, source: string) => `<script>${minify(source)}</script>`,
    )
    .replace(/(<style\b[^>]*>)\s+|\s+(?=<\/style>)/g, '$1')

/**
 * Without the styles that a page has no use for. Its scripts may draw what its markup does not have yet,
 * and drawings in files of their own read the page's custom properties.
 */
const withUsedStyles = (
  html: string,
  words: ReadonlySet<string>,
  loaded: string,
  drawings: string,
): string => {
  const names = namesOf(html, words)
  const used = html.replace(
    /(<style\b[^>]*>)(.*?)(?=<\/style>)/gs,
    (_, tag: string, css: string) => tag + withoutUnused(css, names),
  )
  const small = withSmallScopes(used, words)
  return withoutUnusedProperties(small, html.includes('.svg#') ? loaded + drawings : loaded)
}

/** The sender's pages are drawn on the server, in frames whose styles are those that it may use. */
const isFrame = (file: string): boolean => /^status\/(record|step|talk)\.html$/.test(file)

export const isServerPage = (file: string): boolean =>
  serverFolders.some((folder) => file.startsWith(`${folder}/`))

/** The server fills its pages by class, and the page in whose place it fills one shows parts of that one. */
const keepsNames = (file: string): boolean =>
  isServerPage(file) || file === 'consultation.html' || file === 'consultation-form.html'

/**
 * A rendered page (`about.html`) as it is published: with minified inline blocks, without styles that it
 * does not use, and with the hashes of the script files that it loads.
 */
export const finishPage = (file: string, rendered: string, finishing: Finishing): string => {
  const { scripts: files, drawings, templates, islandElement, minify } = finishing
  // The admin is one island that nothing precedes: it has Astro's own element.
  const built = file.startsWith('admin') ? rendered : withSmallIslands(rendered, islandElement)
  const scripts = [
    ...reachable(built, files).map((path) => files.get(path)),
    isFrame(file) ? templates : '',
  ].join('\n')
  const small = withSmallBlocks(built, minify)
  const words = scriptWords(small, scripts)
  const used = withUsedStyles(small, words, scripts, drawings)
  const html = keepsNames(file) ? used : withShortNames(used, words)
  return withIntegrity(withPreloads(file.replace(/\.html$/, ''), html, files), files)
}
