import { expect, test } from 'vitest'
import { brand } from '#contract/content/brand.ts'
import { markOf } from './mark.ts'

const svg = (inside: string, more = 'viewBox="0 0 32 32"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${more}>${inside}</svg>`

test('the paths of an SVG file become one mark that the content takes', () => {
  const file = `<?xml version="1.0"?><!DOCTYPE svg><!-- <script> -->\n${svg(
    '<title>Our mark</title><g fill="none"><path class="a" d="M4 4\n 28 4"/><path d=\'m4 28h8\' onclick="a()"></path></g>',
  )}`
  expect(markOf(file)).toBe('M4 4 28 4M0 0m4 28h8')
  expect(brand.shape.mark.safeParse(markOf(file)).success).toBe(true)
})

test.each([
  ['no SVG', 'GIF89a', /no SVG/],
  ['a page', '<html><svg></svg></html>', /no SVG/],
  ['a script', svg('<script>a()</script><path d="M0 0h9"/>'), /<script>/],
  ['a picture', svg('<image href="https://a.example/b.png"/>'), /<image>/],
  ['markup of another kind', svg('<foreignObject><p>a</p></foreignObject>'), /<foreignobject>/],
  ['a style', svg('<style>path{}</style><path d="M0 0h9"/>'), /<style>/],
  ['entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('<path d="M0 0h9"/>')}`, /no SVG/],
  ['another size', svg('<path d="M0 0h9"/>', 'viewBox="0 0 64 64"'), /32 units/],
  ['a transformation', svg('<path transform="scale(2)" d="M0 0h9"/>'), /moved or scaled/],
  ['no path', svg(''), /no path/],
  ['a path of other signs', svg('<path d="M0 0h9&quot;"/>'), /cannot be read/],
  ['a huge file', svg(`<path d="M0 0${'h1'.repeat(20_000)}"/>`), /20 kB/],
  ['tags without an end', `<svg${'<'.repeat(9_000)}`, /no SVG/],
])('%s is refused in words', (_, file, message) => {
  expect(() => markOf(file)).toThrow(message)
})
