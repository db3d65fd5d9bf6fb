import { parse } from 'node-html-parser'
import { expect, test } from 'vitest'
import type { Content } from '#contract/content/collections.ts'
import { ownArticle } from '#server/content/testing.ts'
import { content } from '#site/content.ts'
import { openBuild } from '#site/publish/draw.ts'
import { drawPreview } from '#site/publish/release.ts'

const SITE = 'https://site.test'

/** Two open positions that offer the same, and an article. */
const all = (): Content => {
  const own = content()
  const [position] = own.positions
  if (!position) throw new Error('The content has no position')
  const positions = ['one', 'two'].map((id) => ({
    id,
    data: { ...position.data, title: `The ${id}` },
  }))
  return {
    ...own,
    positions,
    openings: positions.map(({ id }) => ({ id, data: { open: true } })),
    hiring: own.hiring.filter(({ id }) => id === 'other'),
    blog: [...own.blog, ownArticle('first')],
  }
}

test('a preview of a page reads as the page does', async () => {
  const build = await openBuild(process.cwd())
  const documents = all()
  const wordsOf = (html: string) =>
    parse(html)
      .querySelector('body')
      ?.structuredText.split('\n')
      .map((line) => line.trim())
  const pages = (await build.drawPages(SITE, documents)).filter(({ file }) =>
    file.endsWith('.html'),
  )
  const read: unknown[][] = []
  for (const { file, body } of pages) {
    const path = file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`
    const preview = await drawPreview(build, SITE, documents, path)
    if (preview.status !== 200) continue
    read.push([path, wordsOf(preview.html), wordsOf(build.finish(file, body))])
  }
  expect(read.length).toBeGreaterThan(20)
  expect(read.map(([path, preview]) => [path, preview])).toEqual(
    read.map(([path, , page]) => [path, page]),
  )
})
