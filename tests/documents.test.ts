import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'node-html-parser'
import { expect, onTestFinished, test } from 'vitest'
import { articles } from '#site/documents/articles.ts'
import { buildCopy, keepPages } from '#tests/build-copy.ts'

const pages = [
  ...articles.blog.map(({ id }) => `blog/${id}`),
  ...articles.legal.map(({ id }) => id),
]

/** The text of a page without white space, names of styles, and the spelling of entities. */
const drawn = (dist: string, page: string): string => {
  const prose = parse(readFileSync(join(dist, `${page}.html`), 'utf8')).querySelector('.prose')
  return parse(
    (prose?.innerHTML ?? '')
      .replace(/&(amp;)?gt;/g, '>')
      .replace(/&#39;/g, "'")
      .replaceAll('&quot;', '"'),
  )
    .toString()
    .replace(/ (?:class="[^"]*"|data-[a-z](?=[ >]))/g, '')
    .replace(/\s+/g, '')
}

test('articles and legal pages are drawn as documents as they are drawn as MDX', async () => {
  const { dist } = await buildCopy((root) => {
    keepPages(root, 'blog', '[legal]')
    const reader = join(root, 'src/site/documents/read-mdx.ts')
    const source = readFileSync(reader, 'utf8')
    writeFileSync(
      reader,
      source.replace('const { children } = parse(source)', 'throw new Unlisted()'),
    )
    appendFileSync(join(root, 'src/content/legal/accessibility.mdx'), '\n<button>More</button>\n')
  })
  const differing = pages.filter((page) => drawn('dist', page) !== drawn(dist, page))
  expect(differing).toEqual(['accessibility'])
  expect(drawn(dist, 'accessibility')).toContain('<button>More</button>')
  expect(globSync('**/*.html', { cwd: dist })).toEqual(
    expect.arrayContaining(pages.map((page) => `${page}.html`)),
  )
})

test('a host with a build reads articles without their parser, until a file has changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-documents-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync('src/content', join(folder, 'src/content'), { recursive: true })
  cpSync('.build/documents.json', join(folder, '.build/documents.json'))
  const script = `
    let parsed = false
    require('node:module').registerHooks({
      load: (url, context, next) => { parsed ||= url.includes('read-mdx'); return next(url, context) },
    })
    import('#site/documents/articles.ts').then(({ articles }) => console.log(JSON.stringify({ parsed, articles })))`
  const read = () =>
    JSON.parse(
      execFileSync(process.execPath, ['-e', script], {
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '', LAMBDA_TASK_ROOT: folder },
      }),
    )
  expect(read()).toEqual({ parsed: false, articles })
  appendFileSync(join(folder, 'src/content/legal/privacy-policy.mdx'), '\nOne sentence more.\n')
  const changed = read()
  expect(changed.parsed).toBe(true)
  expect(JSON.stringify(changed.articles).includes('One sentence more.')).toBe(true)
})
