import { expect, test } from 'vitest'
import { limitsOfText, richText } from './rich-text.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents that are none
type Json = any

const text = (value: string, ...marks: Json[]) => ({
  type: 'text',
  text: value,
  ...(marks.length > 0 ? { marks } : {}),
})
const paragraph = (...content: Json[]) => ({ type: 'paragraph', content })
const link = (href: unknown) => paragraph(text('here', { type: 'link', attrs: { href } }))
const item = (...content: Json[]) => ({ type: 'listItem', content })
const list = (...content: Json[]) => ({ type: 'bulletList', content })
const cell = (type: string, value = 'a') => ({ type, content: [paragraph(text(value))] })
const row = (...content: Json[]) => ({ type: 'tableRow', content })
const table = (...content: Json[]) => ({ type: 'table', attrs: { caption: 'A table' }, content })
const heads = row(cell('tableHeader'), cell('tableHeader'))
const cells = row(cell('tableCell'), cell('tableCell'))
const figure = (attrs: Json) => ({ type: 'figure', attrs })
const picture = { src: '/media/ab12', alt: 'A bird', width: 800, height: 600 }
const heading = (level: number) => ({ type: 'heading', attrs: { level }, content: [text('Head')] })
const deep = (depth: number): Json =>
  depth === 0 ? paragraph(text('deep')) : list(item(paragraph(text('a')), deep(depth - 1)))

/** The paths of the problems of a document. */
const paths = (document: unknown): string[] =>
  (richText.safeParse(document).error?.issues ?? []).map(({ path }) => path.join('.'))
const ofBlock = (block: Json) => paths({ type: 'doc', content: [paragraph(text('first')), block] })

test('each node and mark of the list is a text', () => {
  const marks = [{ type: 'link', attrs: { href: '/faq' } }, { type: 'bold' }, { type: 'italic' }]
  const content = [
    paragraph(text('a < b, {c} & d', ...marks), text('e', { type: 'code' })),
    ...[2, 3, 4].map(heading),
    list(item(paragraph(text('a')), list(item(paragraph(text('b')))))),
    { type: 'orderedList', attrs: { start: 3 }, content: [item(paragraph(text('a')))] },
    { type: 'blockquote', content: [paragraph(text('a'))] },
    {
      type: 'codeBlock',
      attrs: { language: 'html' },
      content: [text('<script>\n\talert(1)\n</script>')],
    },
    table(heads, cells),
    figure({ ...picture, caption: 'A caption', ground: 'sea' }),
    figure({ src: 'draft-map', alt: 'A map' }),
    { type: 'callout', attrs: { title: 'Note' }, content: [paragraph(text('a'))] },
  ]
  expect(paths({ type: 'doc', content })).toEqual([])
})

test.each([
  ['https://a.de/b?c=d#e'],
  ['http://a.de'],
  ['mailto:a@b.de?subject=c'],
  ['mailto:{email}'],
  ['tel:+49-30-1'],
  ['/faq'],
  ['/#contact'],
  ['#part'],
])('a link may lead to %s', (href) => expect(ofBlock(link(href))).toEqual([]))

const HREF = 'content.1.content.0.marks.0.attrs.href'

test.each([
  ['javascript:alert(1)'],
  ['JavaScript:alert(1)'],
  [' javascript:alert(1)'],
  ['java\nscript:alert(1)'],
  ['java\tscript:alert(1)'],
  ['\u0001javascript:alert(1)'],
  ['data:text/html,<script>'],
  ['vbscript:a'],
  ['file:///etc/passwd'],
  ['blob:https://a.de/b'],
  ['//evil.example'],
  ['/\\evil.example'],
  ['https:evil'],
  ['https://'],
  ['https://a.de/"onclick="b'],
  ['https://a.de/<b>'],
  ['faq'],
  [''],
  [null],
  [{ toString: 'https://a.de' }],
  [`https://a.de/${'x'.repeat(2_048)}`],
])('a link never leads to %j', (href) => expect(ofBlock(link(href))).toContain(HREF))

const AT = 'content.1'
const huge = 'x'.repeat(limitsOfText.paragraph + 1)
const many = (count: number, one: Json) => Array.from({ length: count }, () => one)

test.each<[string, Json, string]>([
  ['a heading of blanks', { ...heading(2), content: [text(' '), text(' ')] }, 'content.1.content'],
  ['an unknown node', { type: 'iframe', attrs: { src: 'https://a.de' } }, `${AT}.type`],
  ['HTML', { type: 'html', text: '<b>a</b>' }, `${AT}.type`],
  ['no node', null, AT],
  ['a text', 'a', AT],
  ['a node in place of text', paragraph({ type: 'image' }), `${AT}.content.0.type`],
  ['an unknown mark', paragraph(text('a', { type: 'underline' })), `${AT}.content.0.marks.0.type`],
  [
    'a style of a mark',
    paragraph(text('a', { type: 'bold', attrs: { style: 'color:red' } })),
    `${AT}.content.0.marks.0`,
  ],
  [
    'an attribute of a link',
    paragraph(text('a', { type: 'link', attrs: { href: '/a', onclick: 'b' } })),
    `${AT}.content.0.marks.0.attrs`,
  ],
  ['an attribute of a paragraph', { ...paragraph(text('a')), attrs: { class: 'a' } }, AT],
  [
    'a mark twice',
    paragraph(text('a', { type: 'bold' }, { type: 'bold' })),
    `${AT}.content.0.marks`,
  ],
  ['a script', paragraph(text('a <ScRiPt>b')), `${AT}.content.0.text`],
  ['the address of a script', paragraph(text('JAVAscript:a')), `${AT}.content.0.text`],
  ['a control character', paragraph(text('a\u0007')), `${AT}.content.0.text`],
  ['a line break', paragraph(text('a\nb')), `${AT}.content.0.text`],
  ['a line separator', paragraph(text('a\u2028b')), `${AT}.content.0.text`],
  ['a mark of the preview', paragraph(text('a\uE000b')), `${AT}.content.0.text`],
  ['half a character', paragraph(text('\ud800')), `${AT}.content.0.text`],
  ['an empty text', paragraph(text('')), `${AT}.content.0.text`],
  ['an empty paragraph', paragraph(), `${AT}.content`],
  ['a huge paragraph', paragraph(text(huge)), `${AT}.content`],
  ['a paragraph of many parts', paragraph(...many(501, text('a'))), `${AT}.content`],
  ['a heading of the first level', heading(1), `${AT}.attrs.level`],
  ['a heading of a text’s level', { ...heading(2), attrs: { level: '2' } }, `${AT}.attrs.level`],
  ['a level that is left out', heading(3), `${AT}.attrs.level`],
  ['a list without items', list(), `${AT}.content`],
  ['a list of many items', list(...many(101, item(paragraph(text('a'))))), `${AT}.content`],
  [
    'an item without a paragraph',
    list(item(list(item(paragraph(text('a')))))),
    `${AT}.content.0.content`,
  ],
  ['lists to a depth of four', deep(4), `${AT}${'.content.0.content.1'.repeat(3)}.type`],
  ['a quote of a heading', { type: 'blockquote', content: [heading(2)] }, `${AT}.content.0.type`],
  [
    'an unknown language',
    { type: 'codeBlock', attrs: { language: 'brainfuck' }, content: [text('a')] },
    `${AT}.attrs.language`,
  ],
  [
    'a control character in code',
    { type: 'codeBlock', content: [text('a\u0000')] },
    `${AT}.content.0.text`,
  ],
  [
    'marks in code',
    { type: 'codeBlock', content: [text('a', { type: 'bold' })] },
    `${AT}.content.0`,
  ],
  ['a table without a caption', { ...table(heads, cells), attrs: {} }, `${AT}.attrs.caption`],
  ['a table without heads', table(cells, cells), `${AT}.content.0.content.0.type`],
  ['a table of uneven rows', table(heads, row(...many(3, cell('tableCell')))), `${AT}.content.1`],
  [
    'a cell of two columns',
    table(heads, row({ ...cell('tableCell'), attrs: { colspan: 2 } }, cell('tableCell'))),
    `${AT}.content.1.content.0.attrs.colspan`,
  ],
  [
    'a script in a cell',
    table(heads, row(cell('tableCell', '<script'), cell('tableCell'))),
    `${AT}.content.1.content.0.content.0.content.0.text`,
  ],
  ['a figure without alt', figure({ src: picture.src }), `${AT}.attrs.alt`],
  ['a figure with an empty alt', figure({ ...picture, alt: ' ' }), `${AT}.attrs.alt`],
  [
    'an image without its size',
    figure({ src: picture.src, alt: picture.alt }),
    `${AT}.attrs.width`,
  ],
  ['a figure from elsewhere', figure({ ...picture, src: 'https://a.de/b.png' }), `${AT}.attrs.src`],
  ['a figure of data', figure({ ...picture, src: 'data:image/svg+xml,a' }), `${AT}.attrs.src`],
  ['a figure outside its folder', figure({ ...picture, src: '/media/../a' }), `${AT}.attrs.src`],
  ['a script in an alt', figure({ ...picture, alt: '<script' }), `${AT}.attrs.alt`],
  ['a style of a figure', figure({ ...picture, style: 'width:1px' }), `${AT}.attrs`],
  [
    'a note without a title',
    { type: 'callout', attrs: {}, content: [paragraph(text('a'))] },
    `${AT}.attrs.title`,
  ],
  [
    'a note in a note',
    { type: 'callout', attrs: { title: 'a' }, content: [{ type: 'callout' }] },
    `${AT}.content.0.type`,
  ],
])('%s is a problem at its place', (_, block, path) => expect(ofBlock(block)).toContain(path))

test.each([
  ['no document', null, ''],
  ['HTML', '<p>a</p>', ''],
  ['another root', { type: 'paragraph', content: [] }, 'type'],
  ['a document without blocks', { type: 'doc' }, 'content'],
  ['an empty document', { type: 'doc', content: [] }, 'content'],
  ['attributes of the document', { type: 'doc', content: [heading(2)], attrs: {} }, ''],
  ['many blocks', { type: 'doc', content: many(501, paragraph(text('a'))) }, 'content'],
])('%s is no text', (_, document, path) => expect(paths(document)).toContain(path))
