import { cpSync, existsSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { AstroIntegration } from 'astro'

/**
 * Adds a second entry to the bundle that Astro renders the pages with, and keeps the bundle, which
 * Astro deletes after the build: `.build/renderer` renders every page again, with other content.
 */
export const renderer = (): AstroIntegration => ({
  name: 'renderer',
  hooks: {
    'astro:config:setup': ({ command, updateConfig }) => {
      if (command !== 'build') return
      updateConfig({
        vite: {
          // The renderer runs in a folder without packages.
          environments: { prerender: { resolve: { noExternal: true } } },
          // Astro marks its modules of an article with a directive that the bundler does not know.
          build: { rolldownOptions: { checks: { moduleLevelDirective: false } } },
          plugins: [
            {
              name: 'renderer',
              applyToEnvironment: ({ name }) => name === 'prerender',
              buildStart() {
                this.emitFile({
                  type: 'chunk',
                  id: fileURLToPath(new URL('../render/entry.ts', import.meta.url)),
                  fileName: 'renderer.mjs',
                  preserveSignature: 'strict',
                })
              },
            },
          ],
        },
      })
    },
    'astro:build:generated': ({ dir }) => {
      // Astro bundles within the project, also for a site that it puts elsewhere.
      const bundle = [dir, pathToFileURL(`${process.cwd()}/.astro/`)]
        .map((folder) => new URL('.prerender/', folder))
        .find((folder) => existsSync(folder))
      const kept = new URL('../.build/renderer/', dir)
      if (!bundle) throw new Error('Astro leaves no bundle to render pages with')
      rmSync(kept, { recursive: true, force: true })
      cpSync(bundle, kept, { recursive: true })
    },
  },
})
