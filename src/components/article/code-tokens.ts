/** The four colours of a code block, each a short element: `i` text, `b` words of the language, `u` remarks, `s` numbers. */
const elements = {
  i: ['string', 'attr-value', 'template-string', 'regex', 'url', 'inserted'],
  b: ['keyword', 'tag', 'atrule', 'selector', 'important', 'rule', 'builtin', 'title'],
  u: ['comment', 'prolog', 'doctype', 'cdata', 'deleted'],
  s: ['number', 'boolean', 'constant', 'unit'],
}
const byToken = new Map(
  Object.entries(elements).flatMap(([element, tokens]) => tokens.map((token) => [token, element])),
)

/**
 * Highlighted code in a third of its bytes: spans that carry a colour become short elements, the others
 * (punctuation, operators, names) leave their text. A token inside another keeps its own colour.
 */
export const shortTokens = (html: string): string => {
  const open: string[] = []
  return html.replace(/<span class="token ([^"]*)"[^>]*>|<\/span>/g, (tag, classes?: string) => {
    if (tag === '</span>') {
      const element = open.pop()
      return element ? `</${element}>` : ''
    }
    const token = classes?.split(' ').find((name) => byToken.has(name))
    const element = byToken.get(token ?? '') ?? ''
    open.push(element)
    return element && `<${element}>`
  })
}
