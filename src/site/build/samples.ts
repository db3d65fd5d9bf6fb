import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brand } from '#site/brand.ts'

/** Content that still stands in for the real thing: where, and how many entries. */
export const sampleContent = (root: string) => {
  const folder = join(root, 'src/content')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(yaml|mdx)$/.test(file))
    .map((file) => ({
      where: `src/content/${file}`,
      count: readFileSync(join(folder, file), 'utf8').match(/^\s*sample: true\s*$/gm)?.length ?? 0,
    }))
  const inBrand = Object.values(brand).filter(
    (part) => typeof part === 'object' && 'sample' in part && part.sample,
  ).length
  return [{ where: 'src/site/brand.ts', count: inBrand }, ...files].filter(({ count }) => count > 0)
}
