import { html } from 'hono/html'
import { closingOf, defaultSubject, signed } from '#contract/mail/message-text.ts'
import { fillPlaceholders } from '#contract/mail/placeholders.ts'
import { type Fields, fieldText, type Kind } from '#server/kinds/kind.ts'
import { LINK } from '#server/mail-out/link.ts'
import { brand } from '#site/content.ts'
import { document, type Rendered } from './render.ts'

/** The text of staff, filled in for one record; `link` stands for the record's link. */
export const textForRecord = (kind: Kind, fields: Fields, text: string, link: string): string => {
  const shown = { ...fields, ...kind.shown?.(fields) }
  return fillPlaceholders(text, {
    name: fieldText(fields.name),
    service: fieldText(shown.service),
    position: fieldText(shown.position),
    link,
  })
}

/** For the sender: what staff wrote, then their page and the reference. */
export const renderMessage = (
  kind: Kind,
  { id, fields }: { id: string; fields: Fields },
  written: {
    text: string
    subject?: string | undefined
    signature?: string | undefined
    /** Between the text and the link of the page. */
    lines?: readonly string[] | undefined
  },
): Rendered => {
  const { subject = defaultSubject(kind.path, id), signature, lines = [] } = written
  const answer = textForRecord(kind, fields, written.text, LINK)
  const more = lines.join('\n')
  const text = signed(answer, signature)
  const [page, reference] = closingOf(id, LINK)
  return {
    subject,
    text: `${text}\n\n${more && `${more}\n\n`}${brand().name}\n\n${page}\n${reference}\n`,
    html: document(
      subject,
      html`<p dir="auto" style="white-space:pre-wrap">${text}</p>
${more && html`<p style="white-space:pre-wrap">${more}</p>`}
<p>${page}</p>
<p>${reference}</p>`,
    ),
  }
}
