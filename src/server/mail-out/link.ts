import { html } from 'hono/html'
import { type KindPath, kindPaths } from '#contract/inbox.ts'

/**
 * Stands in a stored mail where the link of the sender's page goes, which is filled in as the mail is
 * sent. Neither forms nor staff can write control characters, so nobody else's text holds it.
 */
export const LINK = '\u0002link\u0002'

/** The same for the link of a named record, in a mail about several. */
export const linkMarker = (kind: KindPath, id: string): string => `\u0002link:${kind}/${id}\u0002`

/** Matches both markers; a regular expression of PostgreSQL. */
export const ANY_LINK = '\u0002link(:[^\u0002]+)?\u0002'

const named = new RegExp(`\u0002link:(${kindPaths.join('|')})/([0-9a-f-]{36})\u0002`, 'g')

export const namedRecords = (text: string): { kind: KindPath; id: string }[] =>
  [...text.matchAll(named)].map(([, kind, id = '']) => ({ kind: kind as KindPath, id }))

export const fillLink = (
  bodies: { text: string; html: string },
  url: string,
  marker: string = LINK,
): { text: string; html: string } => ({
  text: bodies.text.replaceAll(marker, () => url),
  // A page under the link's own may follow it.
  html: bodies.html.replaceAll(new RegExp(`${marker}((?:/[\\w-]+)*)`, 'g'), (_, path: string) =>
    String(html`<a href="${url}${path}">${url}${path}</a>`),
  ),
})

/** Begins the paragraph of an acknowledgement that names the hour of an answer. */
export const PROMISED = 'That is by'
