import { expect, test } from 'vitest'
import type { Content } from '#contract/content/collections.ts'
import { checkFiles, seed } from './seed.ts'

test('the files of this site have no mistake', () => {
  expect(() => checkFiles()).not.toThrow()
})

test('a mistake in a file is named by its file, entry and field', () => {
  const [first, ...others] = seed.faq
  const files = {
    ...seed,
    faq: [{ id: 'broken', data: { ...first?.data, category: 'weather' } }, ...others],
  } as Content
  expect(() => checkFiles(files)).toThrow('src/content/faq.json, broken.category: ')
})

test('a mistake in an article is named by the file of the article', () => {
  const files = { ...seed, blog: [{ id: 'broken', data: {} }] } as unknown as Content
  expect(() => checkFiles(files)).toThrow('src/content/blog/broken.mdx, broken.title: ')
})
