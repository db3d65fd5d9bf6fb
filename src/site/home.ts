/** The full address of a path, at the site's URL from the configuration. Only for code that Astro builds. */
export const absolute = (path: string): string => new URL(path, import.meta.env.SITE).href
