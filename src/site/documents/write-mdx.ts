import yaml from 'js-yaml'
import type { Paragraph as MdastParagraph, Nodes, PhrasingContent } from 'mdast'
import { type Handle, type Options, toMarkdown, type Unsafe } from 'mdast-util-to-markdown'
import {
  type Block,
  type Figure,
  figureDrawings,
  type List,
  type RichText,
  type Table,
  type Text,
} from '#contract/content/rich-text.ts'
import type { Body } from '#contract/content/writing.ts'
import { factNames, markOrder, parts, runsOf } from './parts.ts'

/** Writes a rich text as MDX that `read-mdx.ts` reads as the same text. */

/** A node whose text is MDX already. */
interface Raw {
  type: 'raw'
  value: string
}

const raw: Handle = (node: Raw) => node.value
const sample: Handle = (node, _parent, state, info) =>
  `<Sample>${state.containerPhrasing(node, { ...info, before: '>', after: '<' })}</Sample>`

/** A link to an address that names a fact. */
const factLink: Handle = (node: { href: string }, _parent, state, info) =>
  `<a href={\`${node.href}\`}>${state.containerPhrasing(node as never, { ...info, before: '>', after: '<' })}</a>`

const inText: Omit<Unsafe, 'character'> = {
  inConstruct: 'phrasing',
  notInConstruct: ['destinationLiteral', 'destinationRaw'],
}

const options: Options = {
  bullet: '-',
  bulletOther: '*',
  emphasis: '_',
  fences: true,
  listItemIndent: 'one',
  resourceLink: true,
  rule: '-',
  handlers: { raw, sample, factLink } as never,
  unsafe: [
    // MDX.
    { character: '{', ...inText },
    { character: '<', ...inText },
    { atBreak: true, character: '<' },
    { atBreak: true, character: 'i', after: 'mport\\b' },
    { atBreak: true, character: 'e', after: 'xport\\b' },
    // GitHub's Markdown: struck text, footnotes, tables.
    { character: '~', ...inText },
    { character: '[', after: '\\^', ...inText },
    { atBreak: true, character: '|' },
  ],
}

const markdown = (node: Nodes): string => toMarkdown(node, options).replace(/\n$/, '')

const APART = new RegExp(`(\\{(?:${factNames.join('|')})\\}|\\})`)

/** A text with the facts that it names. */
const withFacts = (text: string): PhrasingContent[] =>
  text
    .split(APART)
    .filter((part) => part !== '')
    .map((part): Raw | { type: 'text'; value: string } => {
      // The parser takes a bare one for the end of an expression that code before it seems to begin.
      if (part === '}') return { type: 'raw', value: '&#125;' }
      if (APART.test(part)) return { type: 'raw', value: `{props.${part.slice(1)}` }
      return { type: 'text', value: part }
    }) as PhrasingContent[]

const phrasing = (texts: readonly Text[], depth = 0): PhrasingContent[] => {
  if (!markOrder[depth]) return texts.flatMap(({ text }) => withFacts(text))
  return runsOf(texts, depth).flatMap(({ mark, texts: run }): PhrasingContent[] => {
    if (!mark) return phrasing(run, depth + 1)
    if (mark.type === 'code')
      return [{ type: 'inlineCode', value: run.map(({ text }) => text).join('') }]
    const children = phrasing(run, depth + 1)
    if (mark.type === 'link') {
      const href = mark.attrs.href.replace(APART, (fact) =>
        fact === '}' ? fact : `\${props.${fact.slice(1)}`,
      )
      if (href === mark.attrs.href || mark.attrs.href.includes('${'))
        return [{ type: 'link', url: mark.attrs.href, children } as never]
      return [{ type: 'factLink', href, children } as never]
    }
    if (mark.type === 'sample') return [{ type: 'sample', children } as never]
    return [{ type: mark.type === 'bold' ? 'strong' : 'emphasis', children } as never]
  })
}

const paragraph = (texts: readonly Text[] = []): MdastParagraph => ({
  type: 'paragraph',
  children: phrasing(texts),
})

const attribute = (name: string, value: string | number): string =>
  `${name}="${String(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`

const WIDTH = 100

/** An opening tag, with its attributes in lines of their own where they are too long for one. */
const tag = (
  name: string,
  attributes: Record<string, string | number | undefined>,
  { indent = '', end = '>' } = {},
): string => {
  const all = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [attribute(key, value)],
  )
  const line = `${indent}<${[name, ...all].join(' ')}${end}`
  if (line.length <= WIDTH || all.length < 2) return line
  const lines = all.map((one) => `${indent}  ${one}`)
  return [`${indent}<${name}`, ...lines, `${indent}${end.trim()}`].join('\n')
}

const quoted = (text: string): string => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote
}

const table = ({ attrs, content }: Table): string => {
  const [heads = [], ...rows] = content.map((row) =>
    row.content.map((cell) => quoted(markdown(paragraph(cell.content[0]?.content)))),
  )
  const line = (cells: string[]): string => {
    const one = `    [${cells.join(', ')}],`
    if (one.length <= WIDTH) return one
    return ['    [', ...cells.map((cell) => `      ${cell},`), '    ],'].join('\n')
  }
  return [
    '<DataTable',
    `  ${attribute('caption', attrs.caption)}`,
    `  columns={[${heads.join(', ')}]}`,
    '  rows={[',
    ...rows.map(line),
    '  ]}',
    '/>',
  ].join('\n')
}

const figure = ({ attrs: { src, alt, caption, ground, width, height } }: Figure): string => {
  const inside = { indent: '  ', end: ' />' }
  const shown = figureDrawings.some((name) => name === src)
    ? tag('Drawing', { name: src, label: alt }, inside)
    : tag('img', { src, alt, width, height }, inside)
  return [tag('Figure', { caption, ground }), shown, '</Figure>'].join('\n')
}

const list = (node: List): Nodes => {
  const spread = node.content.some(
    ({ content }) => content.filter(({ type }) => type === 'paragraph').length > 1,
  )
  return {
    type: 'list',
    ordered: node.type === 'orderedList',
    start: node.type === 'orderedList' ? (node.attrs?.start ?? 1) : null,
    spread,
    children: node.content.map(({ content }) => ({
      type: 'listItem',
      spread,
      children: content.map((child) =>
        child.type === 'paragraph' ? paragraph(child.content) : list(child),
      ) as never,
    })),
  }
}

const paragraphs = (content: readonly { content: readonly Text[] }[]) =>
  content.map((one) => paragraph(one.content))

const block = (node: Block): Nodes => {
  const made = (value: string) => ({ type: 'raw', value }) as unknown as Nodes
  switch (node.type) {
    case 'paragraph': {
      const [only, ...more] = node.content
      const part = parts.find(({ name }) => only?.text === `{${name}}`)
      return part && more.length === 0 && !only?.marks ? made(part.tag) : paragraph(node.content)
    }
    case 'heading':
      return { type: 'heading', depth: node.attrs.level, children: phrasing(node.content) }
    case 'bulletList':
    case 'orderedList':
      return list(node)
    case 'blockquote':
      return { type: 'blockquote', children: paragraphs(node.content) }
    case 'codeBlock':
      return {
        type: 'code',
        lang: node.attrs?.language ?? null,
        value: node.content[0]?.text ?? '',
      }
    case 'table':
      return made(table(node))
    case 'figure':
      return made(figure(node))
    case 'callout': {
      const text = markdown({ type: 'root', children: paragraphs(node.content) })
      return made([tag('Callout', node.attrs), '', text, '', '</Callout>'].join('\n'))
    }
  }
}

const importsOf = ({ content }: RichText): string[] => {
  const json = JSON.stringify(content)
  const uses = (type: string) => json.includes(`"type":"${type}"`)
  const needed: [boolean, string, string][] = [
    [uses('callout'), 'Callout', 'article/callout'],
    [uses('table'), 'DataTable', 'article/data-table'],
    [uses('figure'), 'Figure', 'article/figure'],
    [uses('sample'), 'Sample', 'shared/sample'],
    [
      figureDrawings.some((name) => json.includes(`"src":"${name}"`)),
      'Drawing',
      'article/figure-drawing',
    ],
    ...parts.map(({ name, tag, file }): [boolean, string, string] => [
      json.includes(`"text":"{${name}}"`),
      tag.replace(/\W*(\w+).*/, '$1'),
      `legal/${file}`,
    ]),
  ]
  const lines = needed
    .filter(([isNeeded]) => isNeeded)
    .map(([, name, file]) => `import ${name} from '#components/${file}.astro'`)
  return [...new Set(lines)].sort()
}

/** The body of an MDX file, after the fields at its head. */
export const writeBody = (body: RichText): string => {
  const imports = importsOf(body)
  const text = markdown({ type: 'root', children: body.content.map(block) as never })
  return `${[...(imports.length > 0 ? [imports.join('\n')] : []), text].join('\n\n')}\n`
}

/** The fields at the head of a file, in their order. */
const heads = [
  ...['title', 'excerpt', 'description', 'intro', 'category', 'date', 'updated', 'featured'],
  ...['tags', 'hero', 'heroAlt', 'related'],
]

/**
 * A document as an MDX file.
 *
 * @param former the file as it is now, whose body stays where the document's is MDX
 */
export const writeMdx = (
  { body, ...fields }: Record<string, unknown> & { body: Body },
  former = '',
): string => {
  const known = heads.filter((name) => fields[name] !== undefined)
  const ordered = Object.fromEntries(known.map((name) => [name, fields[name]]))
  const head = yaml.dump(ordered, { schema: yaml.CORE_SCHEMA, flowLevel: 1, lineWidth: -1 })
  const kept = former.replace(/^---\n[\s\S]*?\n---\n\n?/, '')
  return `---\n${head}---\n\n${body.type === 'doc' ? writeBody(body) : kept}`
}
