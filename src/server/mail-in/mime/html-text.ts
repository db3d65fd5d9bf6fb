/** HTML beyond this is left out: what one mail may cost in time and memory. */
const MAX_LENGTH = 500_000

const EMBEDDED_DATA = /data:[\w/+.-]{1,100};base64,[A-Za-z0-9+/=\s]*/g

const skipped = ['head', 'title', 'style', 'script', 'template', 'img', 'svg', 'object']

const load = async (): Promise<(html: string) => string> => {
  const { compile } = await import('html-to-text')
  const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
    selector,
    options: { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 1 },
  }))
  const quotation = { leadingLineBreaks: 1, trailingLineBreaks: 1, trimEmptyLines: true }
  return compile({
    wordwrap: false,
    limits: { maxDepth: 150, maxInputLength: MAX_LENGTH },
    formatters: {
      // Most tables are layout: a cell is followed by a space, a row by a line break.
      cell: ({ children }, walk, builder) => {
        walk(children, builder)
        builder.addInline(' ')
      },
    },
    selectors: [
      ...headings,
      { selector: 'tr', format: 'block' },
      { selector: 'td', format: 'cell' },
      { selector: 'th', format: 'cell' },
      ...skipped.map((selector) => ({ selector, format: 'skip' })),
      {
        selector: 'a',
        options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true, linkBrackets: ['<', '>'] },
      },
      { selector: 'blockquote', format: 'blockquote', options: quotation },
      // Yahoo marks quotes by their class alone.
      { selector: 'div.yahoo_quoted', format: 'blockquote', options: quotation },
    ],
  })
}

/** Nested tags cost the parser time that grows with their square: where there are more, they are removed. */
const MAX_TAGS = 30_000

const withoutTags = (html: string): string =>
  html
    .split('<')
    .map((piece, index) => (index === 0 ? piece : piece.slice(piece.indexOf('>') + 1)))
    .join('\n')

let convert: ReturnType<typeof load> | undefined

const converted = async (html: string): Promise<string> => {
  if (html.split('<', MAX_TAGS + 1).length > MAX_TAGS) return withoutTags(html)
  convert ??= load()
  return (await convert)(html)
}

/** HTML as plain text, quotations marked by `>`. */
export const htmlText = async (html: string): Promise<{ text: string; isCut: boolean }> => {
  const source = html.replace(EMBEDDED_DATA, '')
  const text = (await converted(source.slice(0, MAX_LENGTH)))
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
  return { text, isCut: source.length > MAX_LENGTH }
}
