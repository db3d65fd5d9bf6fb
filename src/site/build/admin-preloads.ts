import type { ScriptFiles } from './integrity.ts'

/** The code of the screens that a visit begins with, by the beginning of its file's name. */
const firstScreens: Readonly<Record<string, string>> = {
  admin: 'dashboard',
  'admin/dashboard': 'dashboard',
  'admin/consultations': 'screens',
  'admin/applications': 'screens',
  'admin/contacts': 'screens',
  'admin/login': 'login',
}

/** A browser makes six connections to a host; two of them ask for data. */
const MOST = 4

const staticImport = /(?:from|import) ?["']\.\/([\w.~-]+\.js)["']/g

/**
 * Has the large scripts of an admin page loaded with the page, all at once, rather than one after the
 * other as each names the next.
 */
export const withPreloads = (page: string, html: string, files: ScriptFiles): string => {
  const found = new Map<string, number>()
  const visit = (path: string) => {
    const content = files.get(path)
    if (!content || found.has(path)) return
    found.set(path, content.length)
    for (const [, name] of content.toString().matchAll(staticImport)) visit(`/_astro/${name}`)
  }
  const screen = firstScreens[page]
  if (screen === undefined) return html
  for (const [, path = ''] of html.matchAll(/component-url="([^"]+)"/g)) visit(path)
  const own = [...files.keys()].find((path) => path.startsWith(`/_astro/${screen}.`))
  if (!own) throw new Error(`No script of the screen ${screen}`)
  visit(own)
  const links = [...found]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([path]) => `<link rel="modulepreload" href="${path}">`)
  return html.replace('<style', `${links.join('')}<style`)
}
