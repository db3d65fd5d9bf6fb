import { withPreloads } from './admin-preloads.ts'
import { reachable, type ScriptFiles, withIntegrity } from './integrity.ts'
import { withSmallScopes } from './scoped-styles.ts'
import { namesOf, scriptWords, withoutUnused, withoutUnusedProperties } from './unused-styles.ts'

/** `a` … `z`, then `aa`, `ab` … */
const letters = (index: number): string =>
  (index < 26 ? '' : letters(Math.floor(index / 26) - 1)) + String.fromCharCode(97 + (index % 26))

const classAttribute = /(?<= class=")[^"]*(?=")/g

/**
 * A page whose compound class names (`section-head`) are one or two letters. Names of one word stay
 * readable, and `words`, those of the page's scripts, stay because a script may look for them.
 */
export const withShortNames = (html: string, words: ReadonlySet<string>): string => {
  const uses = new Map<string, number>()
  for (const [names] of html.matchAll(classAttribute)) {
    for (const name of names.split(/\s+/)) uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  const long = [...uses.keys()]
    .filter((name) => name.includes('-') && !words.has(name))
    .sort((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0))
  const free = Array.from({ length: long.length + 702 }, (_, index) => letters(index)).filter(
    (name) => !uses.has(name) && !words.has(name),
  )
  const short = new Map(long.map((name, index) => [name, free[index] ?? name]))
  return html
    .replace(classAttribute, (names) =>
      names
        .split(/\s+/)
        .map((name) => short.get(name) ?? name)
        .join(' '),
    )
    .replace(/(?<=<style\b[^>]*>).*?(?=<\/style>)/gs, (css) =>
      css.replace(/(?<=\.)[a-zA-Z][\w-]*/g, (name) => short.get(name) ?? name),
    )
}

const astrosElement =
  /(?<=<script>)(?:(?!<\/script>).)*customElements\.define\("astro-island"(?:(?!<\/script>).)*/s

/** JSON in single quotes needs no entity for each of its own. */
const inSingleQuotes = (_: string, name: string, json: string): string =>
  ` ${name}='${json.replaceAll('&quot;', '"').replaceAll("'", '&#39;')}'`

/**
 * A page with our own element around its islands, and without what that has no use for. The `uid` also
 * differs from one folder to another, and with it the weight of the compressed page.
 *
 * @throws Error where a page has islands without Astro's script for them
 */
export const withSmallIslands = (html: string, element: string): string => {
  if (!html.includes('<astro-island')) return html
  if (!astrosElement.test(html)) throw new Error('A page has islands and not the script for them')
  return html
    .replace(astrosElement, () => element)
    .replace(/<astro-island(?: [\w-]+(?:="[^"]*")?)*>/g, (tag) =>
      tag
        .replace(/ (?:uid="[^"]*"|await-children)/g, '')
        .replace(/(?<= opts="\{)&quot;name&quot;:&quot;\w+&quot;,/, '')
        .replace(/ (props|opts)="([^"]*)"/g, inSingleQuotes),
    )
    .replaceAll('<!--astro:end-->', '')
}

/** The folders of `src/pages` whose pages the server fills or draws in before it answers with them. */
export const serverFolders = ['refused', 'status', 'plan']

/** All that finishing a page reads beside the page itself. */
export interface Finishing {
  scripts: ScriptFiles
  /** The text of the drawings that pages refer to. */
  drawings: string
  /** The sources of the sender's pages, which the server draws into frames. */
  templates: string
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

/** Parts of drawings close themselves: 25 bytes less on the heaviest page, and its weight varies less. */
const withSelfClosedParts = (html: string): string =>
  html.replace(/><\/(?:path|circle|ellipse|line|rect|use)>/g, '/>')

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
    ...reachable(built, files).map((path) => files.get(path) ?? ''),
    isFrame(file) ? templates : '',
  ]
  const small = withSelfClosedParts(withSmallBlocks(built, minify))
  const words = scriptWords(small, scripts)
  const used = withUsedStyles(small, words, scripts.join('\n'), drawings)
  const html = keepsNames(file) ? used : withShortNames(used, words)
  return withIntegrity(withPreloads(file.replace(/\.html$/, ''), html, files), files)
}
