/** `a` … `z`, then `aa`, `ab` … */
const letters = (index: number): string =>
  (index < 26 ? '' : letters(Math.floor(index / 26) - 1)) + String.fromCharCode(97 + (index % 26))

const classAttribute = /(?<= class=")[^"]*(?=")/g

/**
 * A page whose compound class names (`section-head`) are one or two letters. Names of one word stay
 * readable, and `words`, those of the page's scripts, stay because a script may look for them.
 */
export const withShortNames = (html: string, words: ReadonlySet<string>): string => {
  const uses = new Map<string, number>()
  for (const [names] of html.matchAll(classAttribute)) {
    for (const name of names.split(/\s+/)) uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  const long = [...uses.keys()]
    .filter((name) => name.includes('-') && !words.has(name))
    .sort((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0))
  const free = Array.from({ length: long.length + 702 }, (_, index) => letters(index)).filter(
    (name) => !uses.has(name) && !words.has(name),
  )
  const short = new Map(long.map((name, index) => [name, free[index] ?? name]))
  return html
    .replace(classAttribute, (names) =>
      names
        .split(/\s+/)
        .map((name) => short.get(name) ?? name)
        .join(' '),
    )
    .replace(/(?<=<style\b[^>]*>).*?(?=<\/style>)/gs, (css) =>
      css.replace(/(?<=\.)[a-zA-Z][\w-]*/g, (name) => short.get(name) ?? name),
    )
}
