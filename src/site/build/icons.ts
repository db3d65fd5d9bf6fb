import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accentOf } from '#contract/content/accent.ts'
import { brand } from '#site/content.ts'
import { pngOf } from './share-images.ts'

const STROKE = 'fill="none" stroke-width="4.3" stroke-miterlimit="9"'

const svg = (size: number, paths: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32">${paths}</svg>`

/** The mark in the accent on the night's ground, at this share of the square. */
const onGround = (mark: string, accent: string, share: number) =>
  `<path fill="#0e1420" d="M0 0h32v32H0z"/><path transform="translate(16 16) scale(${share}) translate(-16 -16)" d="${mark}" stroke="${accentOf(accent).dark}" ${STROKE}/>`

/** `icon.svg` anew where mark or accent are not those that the built one names. */
export const newIcon = (dist: string): string | undefined => {
  const { mark, accent } = brand()
  const drawn = readFileSync(join(dist, 'icon.svg'), 'utf8')
  const own = drawn
    .replace(/ data-accent="[^"]*"/, ` data-accent="${accent}"`)
    .replace(/ d="[^"]*"/, ` d="${mark}"`)
  return own === drawn ? undefined : own
}

export const drawIcons = async (): Promise<Map<string, Uint8Array>> => {
  const { mark, accent } = brand()
  const icons = new Map<string, Uint8Array>()
  const images: [name: string, size: number, paths: string][] = [
    ['icon-32.png', 32, `<path d="${mark}" stroke="#151e30" ${STROKE}/>`],
    ['icon-180.png', 180, onGround(mark, accent, 0.8)],
    ['icon-512.png', 512, onGround(mark, accent, 0.8)],
    ['icon-maskable.png', 512, onGround(mark, accent, 0.62)],
  ]
  for (const [name, size, paths] of images) icons.set(name, await pngOf(svg(size, paths)))
  return icons
}
