import { createHash } from 'node:crypto'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const FILES =
  '{astro.config.mjs,package-lock.json,tsconfig.json,.git/logs/HEAD,{bench,drizzle,public,src}/**}'
const SETTINGS =
  'SITE_URL HOST PORT URL NETLIFY CONTEXT ALLOW_SAMPLE_CONTENT DATABASE_URL DATABASE_OWNER_URL DATA_DIR'

/**
 * A hash of what `npm run build` reads: its files by name, size and time of change, its settings, and
 * the day in UTC, which opens and closes positions. Two builds with the same hash make the same site.
 */
export function buildInputs(root: string, env: NodeJS.ProcessEnv, today: Date): string {
  const hash = createHash('sha256')
  for (const name of globSync(FILES, { cwd: root }).sort()) {
    const stat = statSync(join(root, name))
    if (stat.isFile()) hash.update(`${name} ${stat.size} ${stat.mtimeMs}\n`)
  }
  for (const name of SETTINGS.split(' ')) hash.update(`${name}=${env[name] ?? ''}\n`)
  return hash.update(`${process.version} ${today.toISOString().slice(0, 10)}`).digest('hex')
}
