import {
  type AnyExtension,
  type Command,
  Extension,
  type JSONContent,
  Mark,
  Node,
} from '@tiptap/core'
import { Blockquote } from '@tiptap/extension-blockquote'
import { Bold } from '@tiptap/extension-bold'
import { Code } from '@tiptap/extension-code'
import { CodeBlock } from '@tiptap/extension-code-block'
import { Document } from '@tiptap/extension-document'
import { Heading } from '@tiptap/extension-heading'
import { Italic } from '@tiptap/extension-italic'
import { Link } from '@tiptap/extension-link'
import { BulletList, ListItem, ListKeymap, OrderedList } from '@tiptap/extension-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table'
import { Text } from '@tiptap/extension-text'
import { Gapcursor, TrailingNode, UndoRedo } from '@tiptap/extensions'
import type { Node as ProseMirrorNode } from '@tiptap/pm/model'
import { Plugin, PluginKey, TextSelection } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/** The closed list of nodes and marks of a long text, for the editor. */

/** Addresses that a link may have, as the server checks them. */
export const isAddress = (href: string): boolean =>
  /^(https?:\/\/[^\s/]|mailto:\S|tel:\S|\/(?!\/)|#)[^\s<>"`\\]*$/i.test(href)

const attribute = (name: string) => ({
  default: null,
  parseHTML: (element: HTMLElement) => element.getAttribute(`data-${name}`),
  renderHTML: (attributes: Record<string, unknown>) =>
    attributes[name] === null ? {} : { [`data-${name}`]: attributes[name] },
})

const Figure = Node.create({
  name: 'figure',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    src: attribute('src'),
    alt: attribute('alt'),
    caption: attribute('caption'),
    ground: attribute('ground'),
    width: attribute('width'),
    height: attribute('height'),
  }),
  parseHTML: () => [{ tag: 'figure[data-src]' }],
  renderHTML({ node, HTMLAttributes }) {
    const { src, alt, caption } = node.attrs
    const shown = String(src).startsWith('/media/')
      ? ['img', { src, alt: alt ?? '' }]
      : ['span', src ? `Drawing ${src}` : 'No picture yet']
    return [
      'figure',
      HTMLAttributes,
      shown,
      ['figcaption', caption || alt || 'No words for it yet'],
    ]
  },
})

const Callout = Node.create({
  name: 'callout',
  group: 'block',
  content: 'paragraph+',
  defining: true,
  addAttributes: () => ({ title: attribute('title') }),
  parseHTML: () => [{ tag: 'aside[data-title]' }],
  renderHTML: ({ HTMLAttributes }) => ['aside', HTMLAttributes, 0],
})

/** Words that the owner has not decided on. */
const Sample = Mark.create({
  name: 'sample',
  parseHTML: () => [{ tag: 'span[data-sample]' }],
  renderHTML: () => ['span', { 'data-sample': '' }, 0],
})

interface Problems {
  /** The id of the editor's field, from which ids of its blocks are made. */
  field: string
  /** The blocks with problems, by their index in the stored text. */
  blocks: ReadonlySet<number>
  stored: unknown
}

const isEmpty = (node: unknown): boolean => {
  const { type, content } = (node ?? {}) as JSONContent
  return type === 'paragraph' && !content?.length
}

/** Each block of the document with its index in the stored text, which has fewer empty paragraphs. */
export const storedBlocks = (
  doc: ProseMirrorNode,
  stored: unknown,
): { index: number; offset: number; node: ProseMirrorNode }[] => {
  const blocks = ((stored as JSONContent | null)?.content ?? []) as unknown[]
  const found: ReturnType<typeof storedBlocks> = []
  doc.forEach((node, offset) => {
    const index = found.length
    if (!isEmpty(node.toJSON()) || isEmpty(blocks[index])) found.push({ index, offset, node })
  })
  return found
}

/** Moves the items of a list, or the blocks, that are selected past the next one; at a list's end, the list. */
const moveBlock =
  (by: -1 | 1): Command =>
  ({ state: { selection }, tr }) => {
    const { $from, $to } = selection
    for (const isParent of [/^(doc|\w+List)$/, /^doc$/]) {
      const range = $from.blockRange($to, ({ type }) => isParent.test(type.name))
      const next = range?.parent.maybeChild(by < 0 ? range.startIndex - 1 : range.endIndex)
      if (!range || !next) continue
      const { start, end } = range
      if (by < 0) tr.delete(start - next.nodeSize, start).insert(end - next.nodeSize, next)
      else tr.delete(end, end + next.nodeSize).insert(start, next)
      tr.scrollIntoView()
      return true
    }
    return false
  }

/** Leaves the table, list or note at the cursor for an empty paragraph after it: what is inserted next splits nothing. */
export const leaveBlock: Command = ({ state, tr }) => {
  const { $from } = state.selection
  const paragraph = state.schema.nodes.paragraph?.create()
  if ($from.depth < 2 || !paragraph) return true
  const after = $from.after(1)
  tr.insert(after, paragraph).setSelection(TextSelection.create(tr.doc, after + 1))
  return true
}

export const moveUp = moveBlock(-1)
export const moveDown = moveBlock(1)

/** Gives each block an id that links to problems name, marks those with problems, and moves them by key. */
const Blocks = Extension.create<{ problems: () => Problems }>({
  name: 'blocks',
  addKeyboardShortcuts() {
    const move = (command: Command) => () => this.editor.commands.command(command) || true
    return { 'Alt-ArrowUp': move(moveUp), 'Alt-ArrowDown': move(moveDown) }
  },
  addProseMirrorPlugins() {
    const { problems } = this.options
    return [
      new Plugin({
        key: new PluginKey('blocks'),
        props: {
          decorations: ({ doc }) => {
            const { field, blocks, stored } = problems()
            const all = storedBlocks(doc, stored).map(({ index, offset, node }) =>
              Decoration.node(offset, offset + node.nodeSize, {
                id: `${field}.content.${index}`,
                ...(blocks.has(index) ? { 'data-problem': '' } : {}),
              }),
            )
            return DecorationSet.create(doc, all)
          },
        },
      }),
    ]
  },
})

export const extensionsOf = (problems: () => Problems): AnyExtension[] => [
  Document,
  Text,
  Paragraph,
  Heading.extend({
    parseHTML: () =>
      ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag, index) => ({
        tag,
        attrs: { level: Math.min(4, Math.max(2, index + 1)) },
      })),
  }).configure({ levels: [2, 3, 4] }),
  BulletList,
  OrderedList,
  ListItem.extend({ content: 'paragraph (paragraph | bulletList | orderedList)*' }),
  ListKeymap,
  Blockquote.extend({ content: 'paragraph+' }),
  CodeBlock,
  Table.extend({
    ...{ addAttributes: () => ({ caption: attribute('caption') }) },
    renderHTML: ({ HTMLAttributes }) => ['table', HTMLAttributes, ['tbody', 0]],
  }).configure({ resizable: false }),
  TableRow,
  // A width is a style, which the policy of the page forbids.
  TableHeader.extend({ content: 'paragraph', renderHTML: () => ['th', 0] }),
  TableCell.extend({ content: 'paragraph', renderHTML: () => ['td', 0] }),
  Figure,
  Callout,
  Link.extend({
    addAttributes: () => ({
      href: { default: null, parseHTML: (element: HTMLElement) => element.getAttribute('href') },
    }),
    inclusive: false,
  }).configure({
    openOnClick: false,
    autolink: false,
    isAllowedUri: (url) => isAddress(url ?? ''),
  }),
  Sample,
  Bold,
  Italic,
  Code.extend({ excludes: '' }),
  UndoRedo,
  // The places before, between and after blocks that hold no cursor of their own.
  Gapcursor,
  TrailingNode,
  Blocks.configure({ problems }),
]

const CONTROL = /[\p{Cc}\p{Cs}\p{Co}\u2028\u2029]/gu

/** Attributes that say something; a list that begins at 1 says so by itself. */
const ownAttributes = ({ type, attrs = {} }: JSONContent): Record<string, unknown> | undefined => {
  if (type === 'tableCell' || type === 'tableHeader') return undefined
  const set = Object.entries(attrs).filter(
    ([name, value]) =>
      value !== null &&
      value !== undefined &&
      (value !== '' || name === 'alt') &&
      !(type === 'orderedList' && (name !== 'start' || value === 1)),
  )
  const sides = set.map(([name, value]) =>
    name === 'width' || name === 'height' ? [name, Number(value)] : [name, value],
  )
  return sides.length > 0 || type === 'table' || type === 'figure' || type === 'callout'
    ? Object.fromEntries(sides)
    : undefined
}

/** The document as it is stored: without attributes that say nothing and without empty paragraphs. */
export const storedForm = (node: JSONContent, inCell = false): JSONContent => {
  const { type, text, marks, content } = node
  const attrs = ownAttributes(node)
  const isCell = type === 'tableCell' || type === 'tableHeader'
  const inside = content
    ?.filter((child) => isCell || child.type !== 'paragraph' || child.content)
    .map((child) => storedForm(child, isCell))
  const isCode = type === 'codeBlock'
  const clean = (one: JSONContent) =>
    isCode ? one : { ...one, ...(one.text ? { text: one.text.replace(CONTROL, ' ') } : {}) }
  return {
    ...(type ? { type } : {}),
    ...(attrs ? { attrs } : {}),
    ...(inside && (inside.length > 0 || !inCell) ? { content: inside.map(clean) } : {}),
    ...(marks ? { marks } : {}),
    ...(text === undefined ? {} : { text }),
  }
}
