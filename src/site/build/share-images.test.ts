import sharp from 'sharp'
import { expect, test } from 'vitest'
import { brand, content, withContent } from '#site/content.ts'
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

test.each(['Kestrel', 'Quayside Joinery', 'Northern Quayside Joinery & Co'])(
  'the flight path leaves the name %s free',
  async (name) => {
    const image = { file: 'home.png', key: name, title: 'Doors and windows', section: 'Work' }
    const images = await withContent(
      { ...content(), brand: { ...brand(), name, accent: '#f55a00' } },
      () => drawShareImages([image]),
    )
    // The picture is cut to the line that holds the name, up to the mark.
    const line = { left: 130, top: 56, width: 880, height: 64 }
    const { data, info } = await sharp(images.get(image.file))
      .extract(line)
      .raw()
      .toBuffer({ resolveWithObject: true })
    const columns = { ink: [0], path: [line.width] }
    for (let at = 0; at < data.length; at += info.channels) {
      const [red = 0, , blue = 0] = data.subarray(at)
      const column = (at / info.channels) % info.width
      if (red < 90) columns.ink.push(column)
      else if (red - blue > 110) columns.path.push(column)
    }
    expect(Math.max(...columns.ink)).toBeGreaterThan(80)
    expect(Math.min(...columns.path)).toBeGreaterThan(Math.max(...columns.ink))
  },
)
