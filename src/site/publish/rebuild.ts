import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Content } from '#contract/content/collections.ts'
import { buildSite } from '#site/build/build-site.ts'
import { checkPages, filesOf } from '#site/build/check.ts'
import { readPages } from '#site/build/pages.ts'
import type { Moved } from '#site/build/redirects.ts'
import { withContent } from '#site/content.ts'
import { type DrawnRelease, findings } from './release.ts'

const filesIn = (root: string): string[] =>
  ['dist/**/*', '.build/{server-pages,renderer/images}.json'].flatMap((pattern) =>
    globSync(pattern, { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(br|gz|map)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  )

/** A release as a whole build makes it, in a folder of its own: the plain way, with Astro and the sources. */
export const rebuildRelease = async (
  root: string,
  folder: string,
  documents: Content,
  { moved, onDrawn }: { moved: Moved; onDrawn: () => void },
): Promise<DrawnRelease> => {
  // Problems are answered by page; the build itself would only stop.
  process.env.PAGE_CHECK = 'warn'
  const dist = join(folder, 'dist')
  await buildSite(documents, { moved, outDir: dist })
  onDrawn()
  return withContent(documents, async () => {
    const pages = readPages(dist)
    const files = new Map<string, Uint8Array | null>()
    const name = (file: string) => file.replace(/^dist\//, '')
    const [before, now] = [filesIn(root), filesIn(folder)]
    for (const file of now) {
      const content = readFileSync(join(folder, file))
      if (!before.includes(file) || !readFileSync(join(root, file)).equals(content))
        files.set(name(file), content)
    }
    for (const file of before) if (!now.includes(file)) files.set(name(file), null)
    return { files, ...findings(await checkPages(pages, filesOf(dist))) }
  })
}
