/** Everything that a drawing may hold around its paths. */
const AROUND = /^(?:svg|\/svg|g|\/g|title|\/title|path|\/path)$/

const MOST = 20_000

/**
 * The outline of a mark in an SVG file: its paths as one, and nothing else of the file.
 *
 * @throws Error in words, where the file holds more than paths in a square of 32 units
 */
export const markOf = (svg: string): string => {
  if (svg.length > MOST) throw new Error('A mark has at most 20 kB.')
  // No class holds `<`: a file of nothing else would take minutes.
  const plain = svg
    .replace(/<\?[^<>]*\?>|<!DOCTYPE[^<>[]*>/gi, '')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<title\b[^<>]*>[^<]*/gi, '<title>')
  const tags = [...plain.matchAll(/<([^<>]*)>/g)].map(([, rest = '']) => ({
    name: (/^\/?[^\s/]*/.exec(rest)?.[0] ?? '').toLowerCase(),
    rest,
  }))
  const [first] = tags
  if (first?.name !== 'svg') throw new Error('This file is no SVG.')
  const other = tags.find(({ name }) => !AROUND.test(name))
  if (other) throw new Error(`A mark is made of paths; this file holds <${other.name}>.`)
  if (!/\sviewBox=["']0 0 32 32["']/.test(first.rest))
    throw new Error('A mark is drawn in a square of 32 units: viewBox="0 0 32 32".')
  if (tags.some(({ rest }) => /\stransform\s*=/i.test(rest)))
    throw new Error('A part of this file is moved or scaled. Join it into the path first.')
  const paths = tags.flatMap(({ name, rest }) =>
    name === 'path'
      ? (/\sd=["']([^"']*)["']/.exec(rest)?.[1]?.replace(/\s+/g, ' ').trim() ?? '')
      : [],
  )
  if (paths.length === 0) throw new Error('This file holds no path.')
  // A small letter counts from the end of the path before.
  const all = paths.map((path) => path.replace(/^m/, 'M0 0m')).join('')
  if (!/^M[MmZzLlHhVvCcSsQqTtAa0-9 ,.+-]+$/.test(all)) throw new Error('This path cannot be read.')
  return all
}
