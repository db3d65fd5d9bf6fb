const scope = /data-astro-cid-(\w+)/g
const ownBlocks = /(<(?:script|style)\b[^>]*>.*?<\/(?:script|style)>)/s
const startTag = /<([a-z][\w-]*)((?:\s(?:"[^"]*"|'[^']*'|[^>"'])*)?)>/g

interface Target {
  tag: string
  classes: string[]
}

/** The elements that the rules of a scope name, for each scope. */
const targets = (css: string): Map<string, Target[]> => {
  const found = new Map<string, Target[]>()
  const named = /([\w.#-]*)((?:\[data-astro-cid-\w+\])+)/g
  for (const [, compound = '', scopes = ''] of css.matchAll(named)) {
    const target = {
      tag: /^[a-z][\w-]*/i.exec(compound)?.[0] ?? '',
      classes: [...compound.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name),
    }
    for (const [, id = ''] of scopes.matchAll(scope)) {
      found.set(id, [...(found.get(id) ?? []), target])
    }
  }
  return found
}

/** Attribute names: `data-a` … `data-z`, then `data-a1` … */
const shortName = (index: number): string =>
  `data-${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : Math.floor(index / 26)}`

/**
 * A page whose scope attributes (`data-astro-cid-…`) have short names, and stand only on elements that a
 * rule of the scope may mean. `words` are those of the page's scripts: a class among them may come later.
 */
export const withSmallScopes = (html: string, words: ReadonlySet<string>): string => {
  const css = [...html.matchAll(/<style\b[^>]*>(.*?)<\/style>/gs)].map(([, text]) => text).join('')
  const targetsOf = targets(css)
  const names = new Map([...targetsOf.keys()].map((id, index) => [id, shortName(index)]))
  const attribute = (id: string, tag: string, classes: readonly string[]): string => {
    const isMeant = targetsOf
      .get(id)
      ?.some(
        (target) =>
          (target.tag === '' || target.tag === tag) &&
          target.classes.every((name) => classes.includes(name) || words.has(name)),
      )
    return isMeant ? ` ${names.get(id)}` : ''
  }
  const inMarkup = (markup: string) =>
    markup.replace(startTag, (whole, tag: string, attributes: string) => {
      if (!attributes.includes('data-astro-cid-')) return whole
      const classes = (/\sclass="([^"]*)"/.exec(attributes)?.[1] ?? '').split(/\s+/)
      const short = attributes.replace(/\sdata-astro-cid-(\w+)(?:="[^"]*")?/g, (_, id: string) =>
        attribute(id, tag, classes),
      )
      return `<${tag}${short}>`
    })
  return html
    .split(ownBlocks)
    .map((part) => {
      if (part.startsWith('<script')) return part
      if (!part.startsWith('<style')) return inMarkup(part)
      return part.replace(scope, (_, id: string) => names.get(id) ?? '')
    })
    .join('')
}
