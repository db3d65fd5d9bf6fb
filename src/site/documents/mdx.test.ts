import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Block,
  codeLanguages,
  figureDrawings,
  type Mark,
  type RichText,
  richText,
  type Text,
} from '#contract/content/rich-text.ts'
import { factNames, markOrder, parts } from './parts.ts'
import { readBody, readMdx } from './read-mdx.ts'
import { writeBody, writeMdx } from './write-mdx.ts'

const files = globSync('src/content/{blog,legal}/*.mdx')

test.each(files)('%s is read as a document and written back byte by byte', (file) => {
  const source = readFileSync(file, 'utf8')
  const document = readMdx(source)
  if (document.body.type === 'doc')
    expect(richText.safeParse(document.body).error?.issues).toBeUndefined()
  expect(writeMdx(document, source)).toBe(source)
})

test('a file that holds more than the list is left as it is, but for the fields at its head', () => {
  const source = '---\ntitle: One\n---\n\nimport Chart from "./chart.astro"\n\n<Chart  wide />\n'
  const document = readMdx(source)
  expect(document).toMatchObject({ title: 'One', body: { type: 'mdx' } })
  expect(writeMdx({ ...document, title: 'Two: three' }, source)).toBe(
    source.replace('title: One', "title: 'Two: three'"),
  )
  for (const more of [
    '# One',
    '##### Five',
    '![alt](/media/a)',
    'a\\\nb',
    '***',
    '- [ ] open',
    '~~gone~~',
    '| a | b |\n| - | - |\n| c | d |',
    '{1 + 1}',
    'A {props.unknown} fact',
    'A <b>tag</b>',
    'export const one = 1',
    '```brainfuck\n+\n```',
    '[a](/b "title")',
    '<Callout title={1 + 1}>\n\nText\n\n</Callout>',
    '<Callout title="a" {...props}>\n\nText\n\n</Callout>',
    '<Figure caption="a"><Unknown /></Figure>',
    '<DataTable caption="a" columns={heads} rows={[]} />',
    "<DataTable caption='a' columns={['a', alert()]} rows={[['b']]} />",
  ])
    expect(readBody(more).type, more).toBe('mdx')
})

// Characters that Markdown, MDX and YAML give a meaning to.
const word = fc.stringMatching(/^[a-z0-9<>{}[\]()*_`~#+.!|&;:=\\/"'@$%^-]{1,8}$/)
const phrase = fc
  .array(
    fc.oneof(
      word,
      fc.constantFrom('import', 'export', 'www.a.de or', 'https://a.de or', 'ü', '字'),
    ),
  )
  .map((all) => all.join(' '))
  .filter((text) => text !== '' && !/<script|javascript:/i.test(text))

const mark: fc.Arbitrary<Mark> = fc.oneof(
  fc.constantFrom<Mark>({ type: 'bold' }, { type: 'italic' }, { type: 'sample' }),
  fc
    .constantFrom('https://a.de/b_c?d=(e)&f', '/own#a', 'mailto:a@b.de', 'tel:+49-1')
    .map((href): Mark => ({ type: 'link', attrs: { href } })),
)

const text: fc.Arbitrary<Text> = fc
  .tuple(phrase, fc.uniqueArray(mark, { selector: ({ type }) => type, maxLength: 3 }), fc.boolean())
  .map(([value, marks, isCode]) => {
    // The parser can take a brace in code for an expression where a bracket follows it.
    const all: Mark[] = isCode && !value.includes('{') ? [...marks, { type: 'code' }] : marks
    const sorted = all.toSorted((a, b) => markOrder.indexOf(a.type) - markOrder.indexOf(b.type))
    return { type: 'text', text: value, ...(sorted.length > 0 ? { marks: sorted } : {}) }
  })

const isSame = (a: Text | undefined, b: Text): boolean =>
  JSON.stringify(a?.marks ?? []) === JSON.stringify(b.marks ?? [])

const words = fc
  .array(text, { minLength: 1, maxLength: 4 })
  .map((all) =>
    all
      .filter((one, index) => index === 0 || !isSame(all[index - 1], one))
      .map((one, index) => (index === 0 ? one : { ...one, text: ` ${one.text}` })),
  )
const paragraph = words.map((content) => ({ type: 'paragraph' as const, content }))
const attribute = phrase.filter((value) => value.trim() !== '')

const item = fc
  .array(paragraph, { minLength: 1, maxLength: 2 })
  .map((content) => ({ type: 'listItem' as const, content }))
const items = fc.array(item, { minLength: 1, maxLength: 3 })

const block: fc.Arbitrary<Block> = fc.oneof(
  paragraph,
  fc
    .constantFrom(...factNames, ...parts.map(({ name }) => name))
    .map((name): Block => ({ type: 'paragraph', content: [{ type: 'text', text: `{${name}}` }] })),
  words.map((content): Block => ({ type: 'heading', attrs: { level: 2 }, content })),
  items.map((content): Block => ({ type: 'bulletList', content })),
  fc
    .tuple(items, fc.integer({ min: 2, max: 99 }))
    .map(([content, start]): Block => ({ type: 'orderedList', attrs: { start }, content })),
  fc
    .array(paragraph, { minLength: 1, maxLength: 2 })
    .map((content): Block => ({ type: 'blockquote', content })),
  fc.tuple(phrase, fc.constantFrom(...codeLanguages)).map(
    ([value, language]): Block => ({
      type: 'codeBlock',
      attrs: { language },
      content: [{ type: 'text', text: `${value}\n\n  ${value}` }],
    }),
  ),
  fc.tuple(attribute, words, words).map(([caption, head, cell]): Block => {
    const of = (type: 'tableHeader' | 'tableCell', content: Text[]) => ({
      type,
      content: [{ type: 'paragraph' as const, content }],
    })
    return {
      type: 'table',
      attrs: { caption },
      content: [
        { type: 'tableRow', content: [of('tableHeader', head), of('tableHeader', head)] },
        { type: 'tableRow', content: [of('tableCell', cell), of('tableCell', cell)] },
      ],
    }
  }),
  fc
    .tuple(fc.constantFrom(...figureDrawings, '/media/ab12'), attribute, attribute)
    .map(([src, alt, caption]): Block => ({ type: 'figure', attrs: { src, alt, caption } })),
  fc
    .tuple(attribute, fc.array(paragraph, { minLength: 1, maxLength: 2 }))
    .map(([title, content]): Block => ({ type: 'callout', attrs: { title }, content })),
)

test('braces in code are code', () => {
  const source = 'Write `{` first, `}` last.\n'
  expect(writeBody(readBody(source) as RichText)).toBe(source)
})

test('every document is the same after it was written and read', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), (content) => {
      const document: RichText = { type: 'doc', content }
      const written = writeBody(document)
      expect(readBody(written), written).toEqual(document)
    }),
    { numRuns: 300, seed: 20261123 },
  )
})
