/** Where the site lives, as the configuration names it. Only for what Astro builds. */
export const site = new URL(import.meta.env.SITE)
