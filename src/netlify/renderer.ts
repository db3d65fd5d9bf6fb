import type { Config } from '#server/config.ts'
import type { SiteRenderer } from '#server/content/site.ts'
import { redirectsOf } from '#site/build/redirects.ts'
import { buildId } from '#site/publish/build-id.ts'
import { type Build, openBuild } from '#site/publish/draw.ts'
import { unpackSite } from '#site/publish/packed-site.ts'
import { drawPreview, drawRelease } from '#site/publish/release.ts'
import { packed } from './packed.ts'

/** Draws the site in the function itself; `functions/images.ts` draws its images. */
const rendererHere = (site: string): SiteRenderer | undefined => {
  const build = buildId(packed)
  if (!build) return undefined
  let opened: Promise<Build> | undefined
  const open = (): Promise<Build> => {
    opened ??= openBuild(unpackSite(packed))
    return opened
  }
  return {
    build,
    async draw(
      documents,
      { at = new Date().toISOString(), moved = {}, images = {}, onDrawn } = {},
    ) {
      let begun = Promise.resolve()
      const drawn = await drawRelease(await open(), site, documents, {
        at,
        moved,
        images,
        drawsImages: false,
        onDrawn: () => {
          begun = onDrawn?.() ?? begun
        },
      })
      await begun
      return drawn
    },
    redirects: redirectsOf,
    preview: async (documents, path, search) =>
      drawPreview(await open(), site, documents, path, search),
  }
}

/** Leaves a release to a build that Netlify starts once it is live: the build draws what the database says. */
const buildHookRenderer = (hook: string, here: SiteRenderer): SiteRenderer => ({
  ...here,
  draw: async () => ({
    files: new Map(),
    problems: [],
    notices: ['Netlify builds the pages now; they are live when its deploy is.'],
  }),
  async onLive() {
    const { ok, status } = await fetch(hook, { method: 'POST' })
    if (!ok) throw new Error(`The build hook answers ${status}`)
  },
})

export const contentRenderer = ({
  siteUrl,
  publish,
  buildHook,
}: Pick<Config, 'siteUrl' | 'publish' | 'buildHook'>): SiteRenderer | undefined => {
  const here = rendererHere(siteUrl)
  if (publish === 'draw') return here
  return here && buildHook ? buildHookRenderer(buildHook, here) : undefined
}
