import { execFile } from 'node:child_process'
import { cpSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { newFolder } from '#tests/launch.ts'

const run = promisify(execFile)

/** Files that Node must find in the copy: what they import is the copy’s, too. */
const OWN = ['src', 'astro.config.mjs', 'package.json']

/** The entries of `src/pages` without which no build ends. */
const NEEDED = ['apply', 'plan', 'refused', 'status']

/** Leaves a copy the pages that its test reads: the others would take most of the time. */
export const keepPages = (root: string, ...names: string[]): void => {
  const pages = join(root, 'src/pages')
  for (const name of readdirSync(pages))
    if (![...NEEDED, ...names].includes(name.replace(/\.astro$/, '')))
      rmSync(join(pages, name), { recursive: true })
}

/** Builds a copy of the site that `change` has changed; its `dist`, and what the build printed. */
export const buildCopy = async (
  change: (root: string) => void,
  more: Record<string, string> = {},
): Promise<{ dist: string; output: string }> => {
  const root = newFolder()
  for (const name of OWN) cpSync(name, join(root, name), { recursive: true })
  change(root)
  for (const name of readdirSync('.'))
    if (!OWN.includes(name) && !/^(dist|\..*|test-results)$/.test(name))
      symlinkSync(resolve(name), join(root, name))
  // Astro keeps the content that it has read in `node_modules`, which other commands read meanwhile.
  renameSync(join(root, 'astro.config.mjs'), join(root, 'site.config.mjs'))
  writeFileSync(
    join(root, 'astro.config.mjs'),
    `import config from './site.config.mjs'
    export default { ...config, cacheDir: './cache' }`,
  )
  const { stdout } = await run(process.execPath, ['src/cli/build.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PAGE_CHECK: 'warn',
      NETLIFY: '1',
      URL: 'https://site.test',
      ASTRO_TELEMETRY_DISABLED: '1',
      ...more,
    },
  })
  return { dist: join(root, 'dist'), output: stdout }
}
