import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ownScript = /<script\b([^>]*?) src="(\/[^"]+)"([^>]*)>/g

/** Gives every script file that a page names the hash of what it must hold (Subresource Integrity). */
export const withIntegrity = (html: string, read: (path: string) => Buffer): string =>
  html.replace(ownScript, (_, before: string, path: string, after: string) => {
    const hash = createHash('sha384').update(read(path)).digest('base64')
    return `<script${before} src="${path}" integrity="sha384-${hash}"${after}>`
  })

/** The same in every page of a built site. */
export const addIntegrity = (dist: string): void => {
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.html')) continue
    const html = readFileSync(join(dist, file), 'utf8')
    const sealed = withIntegrity(html, (path) => readFileSync(join(dist, path)))
    if (sealed !== html) writeFileSync(join(dist, file), sealed)
  }
}
