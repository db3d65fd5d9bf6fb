/** A rule of a style sheet: what stands before its braces, and in them. Statements have no body. */
interface Rule {
  head: string
  body: string | undefined
}

/** The rules of minified CSS, one level deep. */
function* rulesOf(css: string): Generator<Rule> {
  let start = 0
  let open = 0
  let depth = 0
  for (let at = 0; at < css.length; at += 1) {
    const character = css[at]
    if (character === '"' || character === "'") at = css.indexOf(character, at + 1)
    else if (character === ';' && depth === 0) {
      yield { head: css.slice(start, at).trim(), body: undefined }
      start = at + 1
    } else if (character === '{') {
      if (depth === 0) open = at
      depth += 1
    } else if (character === '}') {
      depth -= 1
      if (depth > 0) continue
      yield { head: css.slice(start, open).trim(), body: css.slice(open + 1, at) }
      start = at + 1
    }
  }
}

/** A selector's parts between its outermost commas. */
const alternatives = (selectors: string): string[] => {
  const parts: string[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at < selectors.length; at += 1) {
    if (selectors[at] === '(') depth += 1
    else if (selectors[at] === ')') depth -= 1
    else if (selectors[at] === ',' && depth === 0) {
      parts.push(selectors.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, selectors.slice(start)]
}

/** Page words that a rule needs: classes as `.name`, elements as `name`. */
type Names = ReadonlySet<string>

/** The classes and elements that a selector needs to match anything, outside of parentheses. */
const needed = (selector: string): string[] => {
  let plain = selector.replace(/\[[^\]]*\]/g, '[]')
  while (/\([^()]*\)/.test(plain)) plain = plain.replace(/\([^()]*\)/g, '')
  return [...plain.matchAll(/(?<![\w:#-])(\.?[a-zA-Z][\w-]*)|(\.[a-zA-Z][\w-]*)/g)].map(
    ([name]) => name,
  )
}

/**
 * Leaves out the rules of minified CSS whose classes or elements are none of `names`. What a selector
 * asks in parentheses, and rules inside of rules, stay as they are.
 */
export const withoutUnused = (css: string, names: Names): string => {
  const used = (selector: string) => needed(selector).every((name) => names.has(name))
  return [...rulesOf(css)]
    .map(({ head, body }) => {
      if (body === undefined) return `${head};`
      if (/^@(layer|media|supports)\b/.test(head)) {
        const inside = withoutUnused(body, names)
        return inside && `${head}{${inside}}`
      }
      if (head.startsWith('@')) return `${head}{${body}}`
      const selectors = alternatives(head).filter(used)
      return selectors.length > 0 ? `${selectors.join()}{${body}}` : ''
    })
    .join('')
}

const ofRoot = /:root\{[^}]*\}/g
const declaration = /(--[\w-]+):[^;}]*(?:;|(?=\}))/g

/**
 * A page without the custom properties of `:root` that nothing in it reads. `files` is the text of
 * scripts and drawings that it loads.
 */
export const withoutUnusedProperties = (html: string, files: string): string => {
  const isRead = (property: string) =>
    [html, files].some((text) => new RegExp(`var\\(${property}(?![\\w-])`).test(text))
  const smaller = html.replace(ofRoot, (rule) =>
    rule.replace(declaration, (text, property: string) => (isRead(property) ? text : '')),
  )
  return smaller === html ? html : withoutUnusedProperties(smaller, files)
}

/** The elements and classes that a page has, or that a script may give it. */
export const namesOf = (html: string, scripts: string): Set<string> => {
  const elements = [...html.matchAll(/<([a-z][\w-]*)/g)].map(([, name = '']) => name)
  const classes = [...html.matchAll(/\bclass="([^"]*)"/g)].flatMap(([, names = '']) =>
    names.split(/\s+/).map((name) => `.${name}`),
  )
  const words = [...scriptWords(html, scripts)].flatMap((word) => [word, `.${word}`])
  // The parser adds a table's body by itself.
  return new Set(['tbody', ...elements, ...classes, ...words])
}

/** The words of a page's inline scripts and of `scripts`: classes that may come later are among them. */
export const scriptWords = (html: string, scripts: string): Set<string> => {
  const inline = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, source = '']) => source)
  return new Set(`${inline.join(' ')} ${scripts}`.split(/[^\w-]+/))
}
