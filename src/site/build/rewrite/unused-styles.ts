import { type AtRule, parse } from 'postcss'

const isGroup = /^(layer|media|supports)$/

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
 * Leaves out the rules of minified CSS whose classes or elements are none of `names`, and a prefix that
 * no browser has needed since Safari 12.1. The content of parentheses, and rules inside of rules, stay as
 * they are.
 */
export const withoutUnused = (css: string, names: Names): string => {
  const sheet = parse(css)
  sheet.walkRules((rule) => {
    const { parent } = rule
    if (parent?.type === 'rule' || (parent?.type === 'atrule' && !isGroup.test(parent.name))) return
    const used = rule.selectors.filter((one) => needed(one).every((name) => names.has(name)))
    if (used.length === 0) rule.remove()
    else if (used.length < rule.selectors.length) rule.selectors = used
  })
  sheet.walkDecls('-webkit-text-decoration-color', (declaration) => {
    declaration.remove()
  })
  // A group inside another comes after it.
  const groups: AtRule[] = []
  sheet.walkAtRules(isGroup, (group) => void groups.unshift(group))
  for (const group of groups) if (group.nodes?.length === 0) group.remove()
  sheet.walk((node) => {
    node.raws.before = ''
  })
  return sheet.toString()
}

const ofRoot = /:root\{[^}]*\}/g
const declaration = /(--[\w-]+):[^;}]*(?:;|(?=\}))/g

/**
 * A page without the custom properties of `:root` that nothing in it reads. `files` is the text of
 * scripts and drawings that it loads.
 */
export const withoutUnusedProperties = (html: string, files: string): string => {
  const read = new Set(
    [html, files].flatMap((text) => [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name)),
  )
  const smaller = html.replace(ofRoot, (rule) =>
    rule.replace(declaration, (text, property: string) => (read.has(property) ? text : '')),
  )
  return smaller === html ? html : withoutUnusedProperties(smaller, files)
}

/** The elements and classes that a page has, or that a script may give it by one of `words`. */
export const namesOf = (html: string, words: ReadonlySet<string>): Set<string> => {
  const elements = [...html.matchAll(/<([a-z][\w-]*)/g)].map(([, name = '']) => name)
  const classes = [...html.matchAll(/\bclass="([^"]*)"/g)].flatMap(([, names = '']) =>
    names.split(/\s+/).map((name) => `.${name}`),
  )
  const given = [...words].flatMap((word) => [word, `.${word}`])
  // The parser adds a table's body by itself.
  return new Set(['tbody', ...elements, ...classes, ...given])
}

const split = new Map<string, readonly string[]>()

/** The different words of a script. Pages load the same scripts: each is split once. */
const wordsOf = (script: string): readonly string[] => {
  let words = split.get(script)
  if (!words) {
    words = [...new Set(script.split(/[^\w-]+/))]
    split.set(script, words)
  }
  return words
}

/** The words of a page's inline scripts and of `scripts`: classes that may come later are among them. */
export const scriptWords = (html: string, scripts: readonly string[]): Set<string> => {
  const inline = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, source = '']) => source)
  return new Set([...inline, ...scripts].flatMap(wordsOf))
}
