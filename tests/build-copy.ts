import { execFile } from 'node:child_process'
import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { newFolder } from '#tests/launch.ts'

const run = promisify(execFile)

/** Files that Node must find in the copy: what they import is the copy’s, too. */
const OWN = ['src', 'astro.config.mjs', 'package.json']

/** Builds a copy of the site that `change` has changed, and returns its `dist`. */
export const buildCopy = async (change: (root: string) => void): Promise<string> => {
  const root = newFolder()
  for (const name of OWN) cpSync(name, join(root, name), { recursive: true })
  change(root)
  for (const name of readdirSync('.'))
    if (!OWN.includes(name) && !/^(dist|\..*|test-results)$/.test(name))
      symlinkSync(resolve(name), join(root, name))
  // Astro keeps the content that it has read in `node_modules`, which other commands read meanwhile.
  writeFileSync(
    join(root, 'own.config.mjs'),
    `import config from './astro.config.mjs'
    export default { ...config, cacheDir: './cache' }`,
  )
  const astro = join(root, 'node_modules/astro/bin/astro.mjs')
  await run(process.execPath, [astro, 'build', '--config', 'own.config.mjs'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PAGE_CHECK: 'warn',
      NETLIFY: '1',
      URL: 'https://site.test',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  })
  return join(root, 'dist')
}
