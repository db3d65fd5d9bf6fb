import yaml from 'js-yaml'
import { type MdastNode, type MdxJsxFlowElement, mdxToMdast } from 'satteri'
import {
  type Block,
  codeLanguages,
  type Figure,
  figureDrawings,
  type List,
  type Mark,
  type Table,
  type Text,
} from '#contract/content/rich-text.ts'
import type { Body } from '#contract/content/writing.ts'
import { factNames, markOrder, parts } from './parts.ts'
import { wordsIn } from './text.ts'

/** Reads MDX that holds nothing but the nodes of a rich text. */

class Unlisted extends Error {}

type Parent = { children: readonly MdastNode[] }
type Attributes = Record<string, string>

const MORE = /"type":"(delete|footnoteReference|table)"|"checked":(true|false)/

/** The tree of a source. A bare address is text; what else GitHub's Markdown adds is not on the list. */
const parse = (source: string): Parent => {
  if (MORE.test(JSON.stringify(mdxToMdast(source)))) throw new Unlisted()
  return mdxToMdast(source, { features: { gfm: false } }) as Parent
}

const attributesOf = (
  { attributes }: Pick<MdxJsxFlowElement, 'attributes'>,
  known: readonly string[],
): Attributes =>
  Object.fromEntries(
    attributes.map((attribute) => {
      if (attribute.type !== 'mdxJsxAttribute' || !known.includes(attribute.name))
        throw new Unlisted()
      const { name, value } = attribute
      const source = typeof value === 'object' && value ? value.value : undefined
      const isList = name === 'columns' || name === 'rows'
      const isAddress = name === 'href' && /^`[^`]*`$/.test(source ?? '')
      if ((source !== undefined) !== (isList || isAddress)) throw new Unlisted()
      return [name, source ?? String(value ?? '')]
    }),
  )

const withMark = (marks: readonly Mark[], mark: Mark): Mark[] =>
  [...marks.filter(({ type }) => type !== mark.type), mark].sort(
    (a, b) => markOrder.indexOf(a.type) - markOrder.indexOf(b.type),
  )

const sameMarks = (a: Text, b: Text): boolean =>
  JSON.stringify(a.marks ?? []) === JSON.stringify(b.marks ?? [])

const joined = (texts: readonly Text[]): Text[] => {
  const all: Text[] = []
  for (const one of texts) {
    const last = all.at(-1)
    if (last && sameMarks(last, one)) last.text += one.text
    else all.push({ ...one })
  }
  return all
}

const tagMark = (node: Pick<MdxJsxFlowElement, 'name' | 'attributes'>): Mark => {
  const { href = '' } = attributesOf(node, node.name === 'a' ? ['href'] : [])
  if (node.name === 'Sample') return { type: 'sample' }
  if (node.name !== 'a') throw new Unlisted()
  const address = href.replace(/^`|`$/g, '').replace(/\$\{props\.(\w+)\}/g, '{$1}')
  return { type: 'link', attrs: { href: address } }
}

const textsOf = ({ children }: Parent, marks: readonly Mark[] = []): Text[] =>
  children.flatMap((node): Text[] => {
    const inside = (mark: Mark) => textsOf(node as Parent, withMark(marks, mark))
    const text = (value: string, own: readonly Mark[] = marks): Text[] => [
      { type: 'text', text: value, ...(own.length > 0 ? { marks: [...own] } : {}) },
    ]
    switch (node.type) {
      case 'text':
        return text(node.value.replace(/\s*\n\s*/g, ' '))
      case 'strong':
        return inside({ type: 'bold' })
      case 'emphasis':
        return inside({ type: 'italic' })
      case 'inlineCode':
        return text(node.value, withMark(marks, { type: 'code' }))
      case 'link':
        if (node.title) throw new Unlisted()
        return inside({ type: 'link', attrs: { href: node.url } })
      case 'mdxFlowExpression':
      case 'mdxTextExpression': {
        const fact = factNames.find((name) => node.value === `props.${name}`)
        if (!fact) throw new Unlisted()
        return text(`{${fact}}`)
      }
      case 'mdxJsxTextElement':
      case 'mdxJsxFlowElement':
        return textsOf(
          // Alone in its lines, its text is a paragraph of its own.
          {
            children: node.children.flatMap((one) =>
              one.type === 'paragraph' ? one.children : one,
            ),
          },
          withMark(marks, tagMark(node)),
        )
      default:
        throw new Unlisted()
    }
  })

const words = (node: Parent): Text[] => {
  const texts = joined(textsOf(node))
  if (texts.length === 0) throw new Unlisted()
  return texts
}

const paragraphWords = (node: MdastNode): Text[] => {
  if (node.type === 'paragraph') return words(node)
  // Alone in their lines, a fact and a sample are no paragraph to MDX.
  if (node.type === 'mdxFlowExpression' || node.type === 'mdxJsxFlowElement')
    return words({ children: [node] })
  throw new Unlisted()
}

const paragraphsOf = ({ children }: Parent) =>
  children.map((node) => ({ type: 'paragraph' as const, content: paragraphWords(node) }))

const listOf = (node: Extract<MdastNode, { type: 'list' }>): List => {
  const content = node.children.map((item) => ({
    type: 'listItem' as const,
    content: item.children.map((child) =>
      child.type === 'list'
        ? listOf(child)
        : { type: 'paragraph' as const, content: paragraphWords(child) },
    ),
  }))
  if (!node.ordered) return { type: 'bulletList', content }
  const start = node.start ?? 1
  return { type: 'orderedList', ...(start === 1 ? {} : { attrs: { start } }), content }
}

/** The texts of a list literal, or of a list of them. */
const literal = (source: string): unknown => {
  const token = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|,(?=\s*\])|\s+|([[\],])|(.)/gs
  const json = source.replace(token, (_, single, double, mark: string = '', other?: string) => {
    if (other !== undefined) throw new Unlisted()
    const text: string | undefined = single ?? double
    if (text === undefined) return mark
    return JSON.stringify(text.replace(/\\(['"\\])/g, '$1'))
  })
  try {
    return JSON.parse(json)
  } catch {
    throw new Unlisted()
  }
}

const isLine = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const tableOf = (node: MdxJsxFlowElement): Table => {
  const {
    caption = '',
    columns = '',
    rows = '',
  } = attributesOf(node, ['caption', 'columns', 'rows'])
  const heads = literal(columns)
  const lines = literal(rows)
  if (!isLine(heads) || !Array.isArray(lines) || !lines.every(isLine)) throw new Unlisted()
  const cell = <Type extends 'tableHeader' | 'tableCell'>(type: Type, source: string) => {
    const [content, ...more] = parse(source).children
    if (more.length > 0) throw new Unlisted()
    return {
      type,
      content: [
        content
          ? { type: 'paragraph' as const, content: paragraphWords(content) }
          : { type: 'paragraph' as const },
      ],
    }
  }
  const row = (type: 'tableHeader' | 'tableCell', cells: readonly string[]) => ({
    type: 'tableRow' as const,
    content: cells.map((source) => cell(type, source)),
  })
  return {
    type: 'table',
    attrs: { caption },
    content: [row('tableHeader', heads), ...lines.map((line) => row('tableCell', line))],
  }
}

const figureOf = (node: MdxJsxFlowElement): Figure => {
  const { caption, ground } = attributesOf(node, ['caption', 'ground'])
  const [shown, ...more] = node.children
  if (more.length > 0 || shown?.type !== 'mdxJsxFlowElement') throw new Unlisted()
  const picture = shown.name === 'Drawing' ? drawingOf(shown) : imageOf(shown)
  return {
    type: 'figure',
    attrs: {
      ...picture,
      ...(caption === undefined ? {} : { caption }),
      ...(ground === undefined ? {} : { ground: ground as 'sea' }),
    },
  }
}

const drawingOf = (node: MdxJsxFlowElement) => {
  const { name, label = '' } = attributesOf(node, ['name', 'label'])
  const src = figureDrawings.find((one) => one === name)
  if (!src) throw new Unlisted()
  return { src, alt: label }
}

const imageOf = (node: MdxJsxFlowElement) => {
  if (node.name !== 'img') throw new Unlisted()
  const {
    src = '',
    alt = '',
    width,
    height,
  } = attributesOf(node, ['src', 'alt', 'width', 'height'])
  const side = (name: string, value: string | undefined) =>
    value === undefined ? {} : { [name]: Number(value) }
  return { src, alt, ...side('width', width), ...side('height', height) }
}

const OWN_IMPORT = /^import \w+ from '#components\/(article|legal|shared)\/[\w-]+\.astro'$/

const blockOf = (node: MdastNode): Block[] => {
  switch (node.type) {
    case 'yaml':
      return []
    case 'mdxjsEsm':
      if (!node.value.split('\n').every((line) => OWN_IMPORT.test(line))) throw new Unlisted()
      return []
    case 'paragraph':
    case 'mdxFlowExpression':
      return [{ type: 'paragraph', content: paragraphWords(node) }]
    case 'heading': {
      const level = ([2, 3, 4] as const).find((one) => one === node.depth)
      if (!level) throw new Unlisted()
      return [{ type: 'heading', attrs: { level }, content: words(node) }]
    }
    case 'list':
      return [listOf(node)]
    case 'blockquote':
      return [{ type: 'blockquote', content: paragraphsOf(node) }]
    case 'code': {
      const language = codeLanguages.find((one) => one === node.lang)
      if (node.meta || node.value === '' || (node.lang && !language)) throw new Unlisted()
      return [
        {
          type: 'codeBlock',
          ...(language ? { attrs: { language } } : {}),
          content: [{ type: 'text', text: node.value }],
        },
      ]
    }
    case 'mdxJsxFlowElement': {
      if (node.name === 'DataTable') return [tableOf(node)]
      if (node.name === 'Figure') return [figureOf(node)]
      if (node.name === 'Sample' || node.name === 'a')
        return [{ type: 'paragraph', content: paragraphWords(node) }]
      if (node.name === 'Callout') {
        const { title = '' } = attributesOf(node, ['title'])
        return [{ type: 'callout', attrs: { title }, content: paragraphsOf(node) }]
      }
      const part = parts.find(
        ({ tag }) =>
          tag.startsWith(`<${node.name} `) &&
          tag.includes(attributesOf(node, ['holder']).holder ?? ''),
      )
      if (!part || node.children.length > 0) throw new Unlisted()
      return [{ type: 'paragraph', content: [{ type: 'text', text: `{${part.name}}` }] }]
    }
    default:
      throw new Unlisted()
  }
}

/** The body of an MDX file; `mdx` where it holds more than a rich text can. */
export const readBody = (source: string): Body => {
  try {
    const { children } = parse(source)
    return { type: 'doc', content: children.flatMap((node) => blockOf(node)) }
  } catch (error) {
    if (error instanceof Unlisted) return { type: 'mdx', words: wordsIn(source) }
    throw error
  }
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/

/** An MDX file as a document: the fields at its head, and its body. */
export const readMdx = (source: string): Record<string, unknown> & { body: Body } => {
  const head = FRONT_MATTER.exec(source)?.[1] ?? ''
  // Days stay texts; with a line for the mark above, a mistake is at its line of the file.
  const fields = yaml.load(`\n${head}`, { schema: yaml.CORE_SCHEMA }) as Record<string, unknown>
  return { ...fields, body: readBody(source) }
}
