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
      yield { head: css.slice(start, at), body: undefined }
      start = at + 1
    } else if (character === '{') {
      if (depth === 0) open = at
      depth += 1
    } else if (character === '}') {
      depth -= 1
      if (depth > 0) continue
      yield { head: css.slice(start, open), body: css.slice(open + 1, at) }
      start = at + 1
    }
  }
}

/** A selector's parts between its outermost commas. */
const alternatives = (selectors: string): string[] => selectors.split(/,(?![^(]*\))/)

/** The classes without which a selector matches nothing: those outside of parentheses. */
const needed = (selector: string): string[] => {
  let plain = selector
  while (/\([^()]*\)/.test(plain)) plain = plain.replace(/\([^()]*\)/g, '')
  return [...plain.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name)
}

/**
 * Leaves out the rules of minified CSS whose classes are none of `classes`. What a selector asks in
 * parentheses, and rules inside of rules, stay as they are.
 */
export const withoutUnused = (css: string, classes: ReadonlySet<string>): string => {
  const used = (selector: string) => needed(selector).every((name) => classes.has(name))
  return [...rulesOf(css)]
    .map(({ head, body }) => {
      if (body === undefined) return `${head};`
      if (/^@(layer|media|supports)\b/.test(head)) {
        const inside = withoutUnused(body, classes)
        return inside && `${head}{${inside}}`
      }
      if (head.startsWith('@')) return `${head}{${body}}`
      const selectors = alternatives(head).filter(used)
      return selectors.length > 0 ? `${selectors.join()}{${body}}` : ''
    })
    .join('')
}

/** The classes that a page has, or that a script may give to something in it. */
export const classesOf = (html: string, scripts: string): Set<string> => {
  const inMarkup = [...html.matchAll(/\bclass="([^"]*)"/g)].flatMap(([, names = '']) =>
    names.split(/\s+/),
  )
  const inline = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, source = '']) => source)
  return new Set([...inMarkup, ...`${inline.join(' ')} ${scripts}`.split(/[^\w-]+/)])
}
