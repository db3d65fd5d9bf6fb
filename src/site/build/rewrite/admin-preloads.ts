import { linkedScripts, type ScriptFiles } from './integrity.ts'

/** The code of the screens that a visit begins with, by the beginning of its file's name. */
const firstScreens: Readonly<Record<string, string>> = {
  admin: 'dashboard',
  'admin/dashboard': 'dashboard',
  'admin/consultations': 'inbox',
  'admin/applications': 'inbox',
  'admin/contacts': 'inbox',
  'admin/login': 'login',
}

const staticImport = /(?:from|import) ?["']\.\/([\w.~-]+\.js)["']/g
const islandScript = /(?:component|renderer)-url="([^"]+)"/g

/** The paths of the scripts that a page of the admin needs before its first screen can be used. */
export const firstScripts = (page: string, html: string, files: ScriptFiles): string[] => {
  const screen = firstScreens[page]
  if (screen === undefined) return []
  const own = [...files.keys()].find((path) => path.startsWith(`/_astro/${screen}.`))
  if (!own) throw new Error(`No script of the screen ${screen}`)
  const islands = [...html.matchAll(islandScript)].map(([, path = '']) => path)
  return linkedScripts([...islands, own], staticImport, files)
}

/**
 * Has the scripts of an admin page loaded with the page, all at once, rather than one after the other
 * as each names the next. The large ones come first: over HTTP/1.1 a browser makes six connections to
 * a host, and the small ones and the calls for data have time until the large ones are there.
 * The response's header names them too: {@link preloadHeader}.
 */
export const withPreloads = (page: string, html: string, files: ScriptFiles): string => {
  const size = (path: string) => files.get(path)?.length ?? 0
  const links = firstScripts(page, html, files)
    .sort((a, b) => size(b) - size(a))
    .map((path) => `<link rel="modulepreload" href="${path}">`)
  return html.replace('<style', `${links.join('')}<style`)
}

const preload = /<link rel="modulepreload" href="([^"]+)">/g
const importMap = /<script type="importmap">(.*?)<\/script>/s

/**
 * The `Link` header that asks for the same scripts before the document is there. Not as modules: a
 * browser that has asked for one ignores the import map, and with it every hash.
 */
export const preloadHeader = (html: string): string | undefined => {
  const paths = [...html.matchAll(preload)].map(([, path = '']) => path)
  const [, map = '{}'] = importMap.exec(html) ?? []
  const { integrity = {} } = JSON.parse(map) as { integrity?: Record<string, string> }
  return paths.length === 0
    ? undefined
    : paths
        .map(
          (path) =>
            `<${path}>; rel=preload; as=script; crossorigin; integrity="${integrity[path]}"`,
        )
        .join(', ')
}
