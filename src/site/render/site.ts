import { StaticPaths } from 'astro:static-paths'
import { App } from 'astro/app'
import { createApp } from 'astro/app/entrypoint'

/** Renders the site's pages as the build does; runs in `.build/renderer` alone. */

const base = createApp()

export interface Rendered {
  /** Where it lies in `dist`: `about.html`, `rss.xml`. */
  file: string
  status: number
  text: string
}

const fileOf = (pathname: string, type: string): string => {
  const path = pathname.replace(/^\/|\/$/g, '')
  return type === 'endpoint' ? path : `${path || 'index'}.html`
}

const isAdmin = (path: string): boolean => path.startsWith('/admin')

/**
 * Every page and text file of the public site. Results of `getStaticPaths` are cached per manifest, so
 * each call has its own. The admin's shells show no content and stay as the build made them.
 */
export async function* renderSite(): AsyncGenerator<Rendered> {
  const routes = base.manifest.routes.filter(({ routeData }) => !isAdmin(routeData.route))
  const app = new App({ ...base.manifest, routes }, false)
  for (const { pathname, route } of await new StaticPaths(app).getAll()) {
    const file = fileOf(pathname, route.type)
    const request = new Request(new URL(`/${file}`, 'http://localhost'))
    const response = await app.render(request, { routeData: route })
    yield { file, status: response.status, text: await response.text() }
  }
}
