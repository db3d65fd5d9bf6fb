import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { serverFolders } from './rewrite/finish-page.ts'

/** The server's list of pages, beside the site: `{ "refused/contacts": { html, csp }, … }`. */
const file = '../.build/server-pages.json'

/**
 * Takes the pages that the server fills in out of the site, so that no URL shows them empty, and
 * leaves them for the server, each with the policy that its inline blocks need.
 */
export const takeServerPages = async (site: string): Promise<void> => {
  const pages = await Promise.all(serverFolders.map((folder) => takeOut(site, folder)))
  const target = join(site, file)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, JSON.stringify(Object.fromEntries(pages.flat())))
}

const takeOut = async (site: string, folder: string) => {
  const path = join(site, folder)
  // Switched off.
  if (!existsSync(path)) return []
  const names = (await readdir(path)).filter((name) => name.endsWith('.html'))
  const pages = await Promise.all(
    names.map(async (name) => {
      const html = await readFile(join(path, name), 'utf8')
      return [`${folder}/${basename(name, '.html')}`, { html, csp: contentSecurityPolicy(html) }]
    }),
  )
  await rm(path, { recursive: true })
  return pages
}
