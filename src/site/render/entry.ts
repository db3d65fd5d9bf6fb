import { StaticPaths } from 'astro:static-paths'
import { App } from 'astro/app'
import { createApp } from 'astro/app/entrypoint'
import type { Content } from '#contract/content/collections.ts'
import { withContent } from '#site/content.ts'

/**
 * Draws the site's pages where there is no Astro: the build adds this entry to the bundle that it draws its own pages
 * with (`site/build/renderer.ts`).
 */

const { manifest } = createApp()

/** All routes but the admin's, whose screens are read from sources. */
const routes = manifest.routes.filter(({ routeData }) => !/^\/admin(\/|$)/.test(routeData.route))

/** Static paths and their props are cached by manifest: each drawing has its own. */
const newApp = () => new App({ ...manifest, routes }, false)

type Route = Awaited<ReturnType<InstanceType<typeof StaticPaths>['getAll']>>[number]

/** The path in the site's folder, such as `blog/a-title.html`. */
const fileOf = ({ pathname, route }: Route): string => {
  const path = pathname.replace(/^\/|\/$/g, '')
  return route.type === 'endpoint' ? path : `${path || 'index'}.html`
}

/** A page or feed as the build leaves it before its finishing steps. */
const drawn = async (app: App, site: string, one: Route) => {
  const file = fileOf(one)
  const url = new URL(
    one.route.type === 'page' && file !== 'index.html' ? `/${file}` : one.pathname,
    site,
  )
  const response = await app.render(new Request(url), { routeData: one.route })
  return { file, status: response.status, body: await response.text() }
}

/** All pages but the admin's, which says nothing of the site. */
export const drawPages = (site: string, content: Content) =>
  withContent(content, async () => {
    const app = newApp()
    const pages = []
    for (const path of await new StaticPaths(app).getAll()) {
      pages.push(await drawn(app, site, path))
    }
    return pages
  })

/** The page at a path; undefined where the site has none. */
export const drawPage = (site: string, content: Content, path: string) =>
  withContent(content, async () => {
    const app = newApp()
    const paths = await new StaticPaths(app).getAll()
    const own = paths.find((one) => one.pathname === path)
    return own && drawn(app, site, own)
  })
