import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'

/** Keeps the bundle that draws the pages, with an entry of its own, so that a release is drawn without a build. */
export const renderer = (): AstroIntegration => {
  let root: URL
  return {
    name: 'renderer',
    hooks: {
      'astro:config:setup': ({ config, updateConfig }) => {
        root = config.root
        updateConfig({
          vite: {
            // The folder is all there is at run time.
            environments: { prerender: { resolve: { noExternal: true } } },
            plugins: [
              {
                name: 'renderer-entry',
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
        const target = fileURLToPath(new URL('.build/renderer', root))
        rmSync(target, { recursive: true, force: true })
        cpSync(fileURLToPath(new URL('.prerender', dir)), target, { recursive: true })
      },
    },
  }
}
