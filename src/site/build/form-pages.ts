import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { contentSecurityPolicy } from './content-security-policy.ts'

/** Where the server finds the templates, beside the site: `{ "refused/contacts": { html, csp }, … }`. */
const file = '../.build/form-pages.json'

/**
 * Takes the templates of the refusal pages out of the site, where nobody is to open them, and leaves
 * them for the server, each with the policy that its inline blocks need.
 */
export const formPages = (): AstroIntegration => ({
  name: 'form-pages',
  hooks: {
    'astro:build:done': async ({ dir }) => {
      const folder = join(fileURLToPath(dir), 'refused')
      const names = (await readdir(folder)).filter((name) => name.endsWith('.html'))
      const pages = await Promise.all(
        names.map(async (name) => {
          const html = await readFile(join(folder, name), 'utf8')
          return [`refused/${basename(name, '.html')}`, { html, csp: contentSecurityPolicy(html) }]
        }),
      )
      const target = join(fileURLToPath(dir), file)
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, JSON.stringify(Object.fromEntries(pages)))
      await rm(folder, { recursive: true })
    },
  },
})
