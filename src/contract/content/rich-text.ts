import * as z from 'zod/mini'

/**
 * A long text as a tree of a closed list of nodes, as Tiptap stores it. It holds no HTML: what is not on the list is
 * a problem, and everything else is drawn as text.
 */

/** Drawings that a figure can show, by their names in `src/drawings/figures`, or as routes (`figure-drawing.astro`). */
export const figureDrawings = [
  'baseline',
  'draft-map',
  'draft-to-release',
  'fluid-type',
  'loading-orders',
  'page-order',
  'way-of-a-change',
  'who-holds',
  'working-hours',
] as const

/** Languages whose words are coloured. */
export const codeLanguages = ['css', 'html', 'js', 'json', 'md', 'sh', 'ts'] as const

export const limitsOfText = {
  /** Blocks that stand for themselves. */
  blocks: 500,
  /** Items of a list, rows of a table, blocks of a quote. */
  items: 100,
  columns: 8,
  paragraph: 5_000,
  code: 20_000,
  /** Lists in lists. */
  depth: 3,
} as const

const SCRIPT = /<script|javascript:/i
const CONTROL = /[\p{Cc}\p{Cs}\p{Co}\u2028\u2029]/u

const isSafe = z.refine<string>((text) => !SCRIPT.test(text), {
  error: 'This text holds a script.',
  abort: true,
})
const isPrintable = z.refine<string>((text) => !CONTROL.test(text), {
  error: 'This text holds a control character.',
})

const line = (name: string, max: number) =>
  z.string({ error: `${name} is missing.` }).check(
    z.minLength(1, { error: `${name} is missing.`, abort: true }),
    z.maxLength(max, `${name} has at most ${max} characters.`),
    isSafe,
    isPrintable,
    z.refine((text) => text.trim() !== '', { error: `${name} is missing.` }),
  )

/** The only links of a text: other sites, mail, a phone number, an own page or place. */
export const linkHref = z.string({ error: 'Say where the link leads.' }).check(
  z.maxLength(2_048, 'A link has at most 2,048 characters.'),
  z.refine(
    (href) =>
      !CONTROL.test(href) &&
      (/^(https?:\/\/[^\s/]+\S*|(mailto|tel):\S+)$/i.test(href) || /^(\/(?!\/)|#)\S*$/.test(href)),
    { error: 'A link begins with https://, http://, mailto:, tel: or, on this site, with /.' },
  ),
  z.refine((href) => !href.includes('\\') && !/[<>"`]/.test(href), {
    error: 'This link holds a character that no address has.',
  }),
)

const markTypes = ['bold', 'code', 'italic', 'link', 'sample'] as const

const mark = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('bold') }),
    z.strictObject({ type: z.literal('italic') }),
    z.strictObject({ type: z.literal('code') }),
    z.strictObject({ type: z.literal('link'), attrs: z.strictObject({ href: linkHref }) }),
    /** Words that the owner has not decided on, as `sample` in other documents. */
    z.strictObject({ type: z.literal('sample') }),
  ],
  { error: 'A text is bold, italic, code or a link; nothing else.' },
)

const text = z.strictObject({
  type: z.literal('text', 'Only text stands here.'),
  text: z.string().check(z.minLength(1, 'This text is empty.'), isSafe, isPrintable),
  marks: z.optional(
    z.array(mark).check(
      z.maxLength(markTypes.length, 'A text has each mark once.'),
      z.refine((marks) => new Set(marks.map(({ type }) => type)).size === marks.length, {
        error: 'A text has each mark once.',
      }),
    ),
  ),
})

const lengthOf = (content: readonly { text: string }[]): number =>
  content.reduce((sum, part) => sum + part.text.length, 0)

const inline = z.array(text).check(
  z.maxLength(limitsOfText.items * 5, 'This paragraph has too many parts.'),
  z.refine((content) => lengthOf(content) <= limitsOfText.paragraph, {
    error: `A paragraph has at most ${limitsOfText.paragraph} characters.`,
  }),
)
const words = inline.check(
  z.refine((content) => content.some(({ text }) => text.trim() !== ''), { error: 'Write a text.' }),
)

const paragraph = z.strictObject({ type: z.literal('paragraph'), content: words })
const paragraphs = z
  .array(paragraph, 'Only paragraphs stand here.')
  .check(z.minLength(1, 'Write a text.'), z.maxLength(limitsOfText.items))

const heading = z.strictObject({
  type: z.literal('heading'),
  attrs: z.strictObject({
    level: z.literal([2, 3, 4], 'A heading has the level 2, 3 or 4.'),
  }),
  content: words,
})

type BlockSchema = z.ZodMiniObject<{ type: z.ZodMiniLiteral<string> }>

const oneOf = <Block>(blocks: readonly BlockSchema[], error: string) =>
  z.discriminatedUnion('type', blocks as never, { error }) as unknown as z.ZodMiniType<Block>

const listsOf = (depth: number): BlockSchema[] => {
  const inside = depth > 1 ? listsOf(depth - 1) : []
  const item = z.strictObject({
    type: z.literal('listItem', 'A list holds items.'),
    content: z
      .array(
        oneOf<ItemBlock>(
          [paragraph as never, ...inside],
          `An item holds paragraphs, and lists to a depth of ${limitsOfText.depth}.`,
        ),
      )
      .check(
        z.minLength(1, 'Write a text.'),
        z.maxLength(limitsOfText.items),
        z.refine((content) => content[0]?.type === 'paragraph', {
          error: 'An item begins with a paragraph.',
        }),
      ),
  })
  const content = z
    .array(item)
    .check(z.minLength(1, 'A list has an item.'), z.maxLength(limitsOfText.items))
  const attrs = z.optional(z.strictObject({ start: z.int().check(z.minimum(1), z.maximum(999)) }))
  return [
    z.strictObject({ type: z.literal('bulletList'), content }),
    z.strictObject({ type: z.literal('orderedList'), attrs, content }),
  ] as never
}

/** Attributes that an editor sets and that say nothing here. */
const cellAttrs = z.optional(
  z.strictObject({
    colspan: z.optional(z.literal(1, 'A cell has one column.')),
    rowspan: z.optional(z.literal(1, 'A cell has one row.')),
    colwidth: z.optional(z.null()),
  }),
)
const cellContent = z
  .array(z.strictObject({ type: z.literal('paragraph'), content: z.optional(inline) }))
  .check(z.length(1, 'A cell holds one paragraph.'))

const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('tableHeader'), attrs: cellAttrs, content: cellContent }),
  z.strictObject({ type: z.literal('tableCell'), attrs: cellAttrs, content: cellContent }),
])

const table = z
  .strictObject({
    type: z.literal('table'),
    attrs: z.strictObject({ caption: line('The table’s caption', 200) }),
    content: z
      .array(
        z.strictObject({
          type: z.literal('tableRow', 'A table holds rows.'),
          content: z
            .array(cell)
            .check(z.minLength(2, 'A table has two columns.'), z.maxLength(limitsOfText.columns)),
        }),
      )
      .check(z.minLength(2, 'A table has a row below its heads.'), z.maxLength(limitsOfText.items)),
  })
  .check(
    z.check(({ value, issues }) => {
      const [head] = value.content
      for (const [row, { content }] of value.content.entries()) {
        if (content.length !== head?.content.length)
          issues.push({
            code: 'custom',
            input: content,
            path: ['content', row],
            message: 'Each row has as many cells as the first.',
          })
        const wanted = row === 0 ? 'tableHeader' : 'tableCell'
        const column = content.findIndex(({ type }) => type !== wanted)
        if (column < 0) continue
        issues.push({
          code: 'custom',
          input: content[column],
          path: ['content', row, 'content', column, 'type'],
          message: 'The heads of a table are its first row, and no other.',
        })
      }
    }),
  )

const codeBlock = z.strictObject({
  type: z.literal('codeBlock'),
  attrs: z.optional(
    z.strictObject({
      language: z.optional(z.nullable(z.enum(codeLanguages, 'This language is not known.'))),
    }),
  ),
  // Code is drawn as text, and may therefore hold any.
  content: z
    .array(
      z.strictObject({
        type: z.literal('text', 'Code holds text.'),
        text: z.string().check(
          z.minLength(1, 'Write the code.'),
          z.maxLength(limitsOfText.code, `Code has at most ${limitsOfText.code} characters.`),
          z.refine((code) => !CONTROL.test(code.replace(/[\n\t]/g, '')), {
            error: 'This code holds a control character.',
          }),
        ),
      }),
      'Write the code.',
    )
    .check(z.length(1, 'Write the code.')),
})

const side = z.optional(z.int().check(z.minimum(1), z.maximum(10_000)))

export const imagePath = z.string().check(z.regex(/^\/media\/[\w.-]{1,200}$/))

const figure = z.strictObject({
  type: z.literal('figure'),
  attrs: z
    .strictObject({
      /** A drawing of the site, or an uploaded image. */
      src: z.union([z.enum(figureDrawings), imagePath], {
        error: 'Choose a picture.',
      }),
      alt: line('The text that says what the picture shows', 500),
      caption: z.optional(line('The caption', 300)),
      ground: z.optional(z.enum(['sea', 'land', 'accent', 'paper'])),
      width: side,
      height: side,
    })
    .check(
      // The page would jump when the image comes.
      z.refine(({ src, width, height }) => !src.startsWith('/media/') || Boolean(width && height), {
        error: 'Give the width and height of the image.',
        path: ['width'],
      }),
    ),
})

const callout = z.strictObject({
  type: z.literal('callout'),
  attrs: z.strictObject({ title: line('The title of the note', 120) }),
  content: paragraphs,
})

const blockquote = z.strictObject({ type: z.literal('blockquote'), content: paragraphs })

const block = oneOf<Block>(
  [
    paragraph,
    heading,
    ...listsOf(limitsOfText.depth),
    blockquote,
    codeBlock,
    table,
    figure,
    callout,
  ] as never,
  'A text holds paragraphs, headings, lists, quotes, code, tables, figures and notes; nothing else.',
)

export const richText = z
  .strictObject({
    type: z.literal('doc'),
    content: z
      .array(block)
      .check(
        z.minLength(1, 'Write the text.'),
        z.maxLength(limitsOfText.blocks, `A text has at most ${limitsOfText.blocks} blocks.`),
      ),
  })
  .check(
    z.check(({ value, issues }) => {
      let level = 1
      for (const [index, one] of value.content.entries()) {
        if (one.type !== 'heading') continue
        if (one.attrs.level > level + 1)
          issues.push({
            code: 'custom',
            input: one.attrs.level,
            path: ['content', index, 'attrs', 'level'],
            message: `A heading of level ${level + 1} comes before this one.`,
          })
        level = one.attrs.level
      }
    }),
  )

export type Mark = z.output<typeof mark>
export type Text = z.output<typeof text>
export type Paragraph = z.output<typeof paragraph>
export interface ListItem {
  type: 'listItem'
  content: ItemBlock[]
}
export type List =
  | { type: 'bulletList'; content: ListItem[] }
  | { type: 'orderedList'; attrs?: { start: number } | undefined; content: ListItem[] }
type ItemBlock = Paragraph | List
export type Table = z.output<typeof table>
export type Figure = z.output<typeof figure>
export type Block =
  | Paragraph
  | z.output<typeof heading>
  | List
  | z.output<typeof blockquote>
  | z.output<typeof codeBlock>
  | Table
  | Figure
  | z.output<typeof callout>
export interface RichText {
  type: 'doc'
  content: Block[]
}

interface AnyNode {
  type?: unknown
  text?: unknown
  attrs?: { caption?: unknown; title?: unknown } | null
  content?: unknown
}

const anyNode = (node: unknown): AnyNode => (typeof node === 'object' && node ? node : {})

export const plainText = (node: unknown): string => {
  const { text, attrs, content } = anyNode(node)
  const children: unknown[] = Array.isArray(content) ? content : []
  const isLine = children.every((child) => anyNode(child).type === 'text')
  const inside = children.map(plainText).join(isLine ? '' : ' ')
  return [attrs?.caption, attrs?.title, text, inside]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ')
}

const blockNames: Readonly<Record<string, string>> = {
  heading: 'Heading',
  bulletList: 'List',
  orderedList: 'List',
  blockquote: 'Quote',
  codeBlock: 'Code',
  table: 'Table',
  figure: 'Picture',
  callout: 'Note',
}

/** "Table 2" for the block at an index of a draft. */
export const blockName = (document: unknown, index: number): string => {
  const { content } = anyNode(document)
  const names = (Array.isArray(content) ? content : []).map(
    (block) => blockNames[String(anyNode(block).type)] ?? 'Paragraph',
  )
  const name = names[index] ?? 'Block'
  return `${name} ${names.slice(0, index + 1).filter((one) => one === name).length}`
}
