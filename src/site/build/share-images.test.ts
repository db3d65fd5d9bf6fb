import { expect, test } from 'vitest'
import { drawShareImages } from './share-images.ts'

test('letters of European languages and signs of currencies are drawn in share images', async () => {
  const titles = [
    'Zurich',
    'Z\u00fcrich',
    'G\u00f6teborg',
    'Gteborg',
    'Stra\u00dfe',
    'Strae',
    '\u0141\u00f3d\u017a',
    '\u00f3d',
    '\u20b9 5',
    ' 5',
  ]
  const images = await drawShareImages(
    titles.map((title, n) => ({ file: `${n}.png`, key: `${n}`, title, section: 'Work' })),
  )
  const distinct = new Set([...images.values()].map((image) => image.toString('base64')))
  expect(distinct.size).toBe(titles.length)
})
