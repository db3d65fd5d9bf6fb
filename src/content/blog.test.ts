import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { figureDrawings } from '#contract/content/rich-text.ts'
import { articleDrawings } from '#contract/content/writing.ts'

const drawings = (folder: string) =>
  readdirSync(`src/drawings/${folder}`).map((file) => file.replace('.svg', ''))

test('the desk offers every drawing of the heads of articles', () => {
  expect([...articleDrawings].sort()).toEqual(drawings('articles').sort())
})

test('the desk offers every drawing of figures', () => {
  expect(figureDrawings).toEqual(expect.arrayContaining(drawings('figures')))
})
