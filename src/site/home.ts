/** The site's URL from the configuration. Only for code that Astro builds. */
export const site = new URL(import.meta.env.SITE)
