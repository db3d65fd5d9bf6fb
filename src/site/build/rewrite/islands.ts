const astrosElement =
  /(?<=<script>)(?:(?!<\/script>).)*customElements\.define\("astro-island"(?:(?!<\/script>).)*/s

/** JSON in single quotes needs no entity for each of its own. */
const inSingleQuotes = (_: string, name: string, json: string): string =>
  ` ${name}='${json.replaceAll('&quot;', '"').replaceAll("'", '&#39;')}'`

/**
 * A page with our own element around its islands, and without what that has no use for. The `uid` also
 * differs from one folder to another, and with it the weight of the compressed page.
 *
 * @throws Error where a page has islands without Astro's script for them
 */
export const withSmallIslands = (html: string, element: string): string => {
  if (!html.includes('<astro-island')) return html
  if (!astrosElement.test(html)) throw new Error('A page has islands and not the script for them')
  return html
    .replace(astrosElement, () => element)
    .replace(/<astro-island(?: [\w-]+(?:="[^"]*")?)*>/g, (tag) =>
      tag
        .replace(/ (?:uid="[^"]*"|await-children)/g, '')
        .replace(/(?<= opts="\{)&quot;name&quot;:&quot;\w+&quot;,/, '')
        .replace(/ (props|opts)="([^"]*)"/g, inSingleQuotes),
    )
    .replaceAll('<!--astro:end-->', '')
}
