import { HTMLElement, type Node, TextNode } from 'node-html-parser'

/** Elements that separate text independent of the style sheet; at a `wbr` a word may break. */
const separate = new Set(
  'address article aside blockquote body br caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr input legend li main nav ol option output p pre section select summary svg table tbody td text textarea tfoot th thead title tr ul wbr'.split(
    ' ',
  ),
)
/** Tokens of code are adjacent on purpose. */
const skipped = new Set(['script', 'style', 'template', 'noscript', 'pre'])

const separator = Symbol('separator')

function* pieces(node: Node): Generator<string | typeof separator> {
  if (node instanceof TextNode) yield node.text
  if (!(node instanceof HTMLElement)) return
  const name = node.rawTagName?.toLowerCase() ?? ''
  const isSeparate = separate.has(name)
  if (isSeparate) yield separator
  if (!skipped.has(name)) for (const child of node.childNodes) yield* pieces(child)
  if (isSeparate) yield separator
}

/** Spaces, and punctuation that directly precedes or follows text. */
const startsApart = /^[\s.,:;!?…)’”%/]/
const endsApart = /[\s(“‘/#$]$/

/**
 * Finds inline elements whose texts follow each other without a space: separate in the layout, but one
 * word for search engines, feeds, the clipboard and screen readers.
 */
export function runTogether(root: HTMLElement): string[] {
  const found: string[] = []
  let before = ' '
  for (const piece of pieces(root)) {
    if (piece === '') continue
    const text = piece === separator ? ' ' : piece
    if (!endsApart.test(before) && !startsApart.test(text))
      found.push(`${before.slice(-20)}|${text.slice(0, 20)}`)
    before = text
  }
  return found
}
