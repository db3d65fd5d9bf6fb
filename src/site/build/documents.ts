import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { articleFiles, builtArticles, readArticles } from '#site/documents/articles.ts'
import { checkFiles } from '#site/seed.ts'

const module = fileURLToPath(new URL('../documents/articles.ts', import.meta.url))

/**
 * Checks the texts of the files. Reads articles and legal pages once, for bundles that run where there is no parser, and
 * for places without the files: `.build/documents.json`.
 */
export const documents = (): AstroIntegration => ({
  name: 'documents',
  hooks: {
    'astro:config:setup': ({ updateConfig }) => {
      checkFiles()
      updateConfig({
        vite: {
          plugins: [
            {
              name: 'documents',
              enforce: 'pre',
              async load(id) {
                if (id !== module) return
                for (const file of articleFiles()) this.addWatchFile(file)
                return `export const articles = ${JSON.stringify(await readArticles())}`
              },
            },
          ],
        },
      })
    },
    'astro:build:generated': async ({ dir }) => {
      writeFileSync(new URL('../.build/documents.json', dir), JSON.stringify(await builtArticles()))
    },
  },
})
