import { html } from 'hono/html'
import { limits } from '#contract/limits.ts'
import { shortReference } from '#contract/reference.ts'
import { linkMarker } from '#server/mail-out/link.ts'
import { brand } from '#site/content.ts'
import { type Rendered, renderEach, renderParagraphs } from './render.ts'

/** Mail that a sender asks for on their page: a code, or the links of their pages. */

/** `code` as its digits. */
export const renderCode = (id: string, code: string): Rendered =>
  renderParagraphs(`Your code | ${brand().name}`, [
    `Enter this code on your page within ${limits.senderCode.minutes} minutes: ${code}`,
    'It confirms that you want to download or erase what we hold. Give it to nobody: we never ask for it.',
    `Your reference is ${shortReference(id)}. If you did not ask for a code, you can ignore this mail: nothing happens without it.`,
  ])

/** `records` with a line each: what it is and when it came. */
export const renderLinks = (
  records: readonly { kind: Parameters<typeof linkMarker>[0]; id: string; title: string }[],
): Rendered =>
  renderEach(
    `Your links | ${brand().name}`,
    [
      'Somebody, probably you, asked for the links to what this address has sent us.',
      ...records.map(
        ({ kind, id, title }) =>
          `${title}, reference ${shortReference(id)}:\n${linkMarker(kind, id)}`,
      ),
      'Anyone with a link can read its page, so do not pass it on. If this was not you, you can ignore this mail.',
    ],
    (text) => {
      const [words, link] = text.split('\n')
      return html`<p>${words}${link && html`<br>${link}`}</p>\n`
    },
  )
