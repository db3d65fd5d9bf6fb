import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { isOff } from '#site/features.ts'

/** Takes the pages of what is switched off out of the site, before anything reads its pages. */
export const switchedOff = (): AstroIntegration => ({
  name: 'switched-off',
  hooks: {
    'astro:build:done': ({ dir }) => {
      const dist = fileURLToPath(dir)
      for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
        if (isOff(`/${name.replace(/\.html$/, '')}`))
          rmSync(join(dist, name), { recursive: true, force: true })
    },
  },
})
