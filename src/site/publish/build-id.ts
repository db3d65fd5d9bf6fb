import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names the build by what it drew; undefined where it left nothing to draw with. */
export const buildId = (root: string): string | undefined => {
  const file = join(root, '.build/renderer/id')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** The time at which the build drew its pages; the present for a build that does not say so. */
export const builtAt = (root: string): Date => {
  const file = join(root, '.build/renderer/at')
  return existsSync(file) ? new Date(readFileSync(file, 'utf8')) : new Date()
}
