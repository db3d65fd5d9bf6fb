import { html } from 'hono/html'

/**
 * Stands in a stored mail where the link of the sender's page goes, which is filled in as the mail is
 * sent. Neither forms nor staff can write control characters, so nobody else's text holds it.
 */
export const LINK = '\u0002link\u0002'

/** The bodies with the link in its place. */
export const fillLink = (
  bodies: { text: string; html: string },
  url: string,
): { text: string; html: string } => ({
  text: bodies.text.replaceAll(LINK, () => url),
  html: bodies.html.replaceAll(LINK, () => String(html`<a href="${url}">${url}</a>`)),
})
