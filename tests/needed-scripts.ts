import { readdirSync, readFileSync, statSync } from 'node:fs'
import { firstScripts } from '#site/build/rewrite/admin-preloads.ts'

/** The most that all of them may weigh, in brotli. */
export const LIMIT_KB = 110

/** The scripts without which the list cannot be used, each with its size as the build compressed it. */
export function neededScripts(): { path: string; brotli: number }[] {
  const names = readdirSync('dist/_astro').filter((name) => name.endsWith('.js'))
  const files = new Map(
    names.map((name) => [`/_astro/${name}`, readFileSync(`dist/_astro/${name}`, 'utf8')]),
  )
  const html = readFileSync('dist/admin/contacts.html', 'utf8')
  return firstScripts('admin/contacts', html, files).map((path) => ({
    path,
    brotli: statSync(`dist${path}.br`).size,
  }))
}
