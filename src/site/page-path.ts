/**
 * The public path of a page, as links and canonical URLs contain it: no `.html`, no `index`, no trailing
 * slash (`/`, `/about`, `/blog/slug`). Astro's own URL differs between the dev server and the build.
 */
export const pagePath = (path: string): string => {
  // A regular expression such as `/\/+$/` takes quadratic time on a run of slashes.
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  const name = path.slice(0, end).replace(/\.html$/, '')
  return name.replace(/\/index$/, '') || '/'
}

/** The path of a page's Open Graph image; the build draws it there from the page's title. */
export const ogImagePath = (path: string) => `/og${path === '/' ? '/home' : path}.png`
