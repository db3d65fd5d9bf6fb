/**
 * The public path of a page, as links and canonical URLs contain it: no `.html`, no `index`, no trailing
 * slash (`/`, `/about`, `/blog/slug`). Astro's own URL differs between the dev server and the build.
 */
export const pagePath = (pathname: string) =>
  pathname
    .replace(/\.html$/, '')
    .replace(/\/index$/, '')
    .replace(/\/+$/, '') || '/'

/** The path of a page's Open Graph image; the build draws it there from the page's title. */
export const ogImagePath = (path: string) => `/og${path === '/' ? '/home' : path}.png`
