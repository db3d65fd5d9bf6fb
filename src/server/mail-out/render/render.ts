import { html } from 'hono/html'
import { limits } from '#contract/limits.ts'
import { candidateNumber, shortReference } from '#contract/reference.ts'
import { fullDay, timeOfDay, zoneText } from '#contract/times/moments.ts'
import { type Fields, fieldText, type Kind, labelledFacts } from '#server/kinds/kind.ts'
import { LINK, PROMISED } from '#server/mail-out/link.ts'
import { brand } from '#site/content.ts'
import { isOff } from '#site/features.ts'

/** A message ready to be stored: rendered once, even if sending takes several attempts. */
export interface Rendered {
  subject: string
  text: string
  html: string
}

export interface Submission {
  id: string
  fields: Fields
  receivedAt: Date
  /** The sender's, where the form named it. */
  timeZone?: string | undefined
}

type Markup = ReturnType<typeof html>

// No background is set, so that a mail client in dark mode stays dark.
export const document = (subject: string, body: Markup): string =>
  String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
</head>
<body style="font:16px/1.5 system-ui,sans-serif;margin:0;padding:24px;max-width:40em">
${body}
<p style="margin-top:32px;font-size:14px">${brand().name}<br>${brand().contact.email}</p>
</body>
</html>
`)

/** A mail of paragraphs, each with its markup. */
export const renderEach = (
  subject: string,
  paragraphs: readonly string[],
  markup: (text: string) => Markup,
): Rendered => ({
  subject,
  text: [...paragraphs.flatMap((paragraph) => [paragraph, '']), brand().name, ''].join('\n'),
  html: document(subject, html`${paragraphs.map(markup)}`),
})

/** A mail of paragraphs alone; one that is `link` links to itself. */
export const renderParagraphs = (
  subject: string,
  paragraphs: readonly string[],
  link?: string,
): Rendered =>
  renderEach(subject, paragraphs, (text) =>
    text === link ? html`<p><a href="${text}">${text}</a></p>\n` : html`<p>${text}</p>\n`,
  )

/** A mail of paragraphs that people wrote, with their line breaks. */
export const renderWritten = (subject: string, paragraphs: readonly string[]): Rendered =>
  renderEach(
    subject,
    paragraphs,
    (text) => html`<p dir="auto" style="white-space:pre-wrap">${text}</p>\n`,
  )

/**
 * Header values are one line without control characters, whatever was typed. An encoded word (RFC 2047) would be
 * decoded into some: the space breaks it.
 */
export const subjectLine = (text: string): string =>
  [
    ...text
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .replaceAll('=?', '= ?')
      .trim(),
  ]
    .slice(0, 180)
    .join('')

export const utc = (): string =>
  `${new Date().toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`

/** The sender's name in mail to staff, unless it is hidden from the reader. */
const senderName = ({ id, fields }: Pick<Submission, 'id' | 'fields'>, isBlind: boolean): string =>
  isBlind ? `Candidate ${candidateNumber(id)}` : fieldText(fields.name)

/**
 * For staff: the sender, everything needed to answer, and a link to the inbox.
 *
 * @param isBlind leaves out who it is
 */
export const renderStaffMail = (
  kind: Kind,
  submission: Submission,
  siteUrl: string,
  isBlind = false,
): Rendered => {
  const { id, fields } = submission
  const facts = labelledFacts(kind, fields, isBlind ? kind.hidden : [])
  const words = fieldText(fields[kind.longText])
  const link = inboxLink(kind, id, siteUrl)
  const subject = subjectLine(`${senderName(submission, isBlind)}: ${kind.mail.subject(fields)}`)
  const how = isBlind ? [] : ['Reply to this mail to answer the sender.']
  return {
    subject,
    text: [
      ...facts.map(([label, value]) => `${label}: ${value}`),
      '',
      words,
      '',
      `Open in the inbox: ${link}`,
      `Reference: ${shortReference(id)}`,
      ...how,
      '',
    ].join('\n'),
    html: document(
      subject,
      html`<table style="border-collapse:collapse">
${facts.map(
  ([
    label,
    value,
  ]) => html`<tr><th scope="row" style="text-align:left;vertical-align:top;padding:2px 16px 2px 0;font-weight:600">${label}</th><td dir="auto" style="padding:2px 0;text-align:left">${value}</td></tr>
`,
)}</table>
<p dir="auto" style="white-space:pre-wrap;border-left:3px solid ${brand().accent};padding-left:16px">${words}</p>
<p><a href="${link}">Open in the inbox</a>. ${how} Reference: ${shortReference(id)}.</p>`,
    ),
  }
}

/** For staff: what a sender replied, from `from` where that is not the record's own address. */
export const renderReplyMail = (
  kind: Kind,
  { id, fields }: Pick<Submission, 'id' | 'fields'>,
  { text: written, from }: { text: string; from?: string | undefined },
  siteUrl: string,
  isBlind = false,
): Rendered => {
  const link = inboxLink(kind, id, siteUrl)
  const name = senderName({ id, fields }, isBlind)
  const subject = subjectLine(`${name}: reply, ${kind.mail.subject(fields)}`)
  const other = isBlind ? '' : (from ?? '')
  const notes = [
    ...(other ? [`This came from another address: ${other}.`] : []),
    ...(link ? [`Open in the inbox: ${link}`] : []),
    `Reference: ${shortReference(id)}`,
  ]
  return {
    subject,
    text: [written, '', ...notes, ''].join('\n'),
    html: document(
      subject,
      html`<p dir="auto" style="white-space:pre-wrap;border-left:3px solid ${brand().accent};padding-left:16px">${written}</p>
${other ? html`<p>This came from another address: <span dir="auto">${other}</span>.</p>` : ''}
<p>${link && html`<a href="${link}">Open in the inbox</a>. `}Reference: ${shortReference(id)}.</p>`,
    ),
  }
}

/** Undefined for a part that is switched off, which has no screen. */
export const inboxLink = (
  { path }: Pick<Kind, 'path'>,
  id: string,
  siteUrl: string,
): string | undefined => (isOff(`/admin/${path}`) ? undefined : `${siteUrl}/admin/${path}?id=${id}`)

/** For a chat channel: the kind of submission and its link, and nothing about the person. */
export const renderNotice = (
  kind: Kind,
  { id, fields }: Pick<Submission, 'id' | 'fields'>,
  {
    siteUrl,
    url,
    event = 'submission',
  }: { siteUrl: string; url: string; event?: 'submission' | 'reply' },
): string => {
  const link = inboxLink(kind, id, siteUrl)
  const what = event === 'reply' ? 'Reply to a ' : 'New '
  const text = `${what}${kind.mail.subject(fields)}.${link ? ` ${link}` : ''}`
  const { hostname } = new URL(url)
  if (hostname === 'hooks.slack.com') return JSON.stringify({ text })
  if (/^(.+\.)?discord(app)?\.com$/.test(hostname)) return JSON.stringify({ content: text })
  return JSON.stringify({
    type: `${event}.created`,
    text,
    data: { kind: kind.path, _id: id, url: link },
  })
}

const promisedTime = (receivedAt: Date, timeZone: string): string => {
  const due = new Date(receivedAt.getTime() + limits.promiseHours * 3_600_000)
  return `${fullDay(due, timeZone)}, ${timeOfDay(due, timeZone)} (${zoneText(timeZone, due)})`
}

/** For the sender: what happens next and until when. Never repeats the sender's free text. */
export const renderAcknowledgement = (
  kind: Kind,
  { id, fields, receivedAt, timeZone = 'UTC' }: Submission,
): Rendered => {
  const { acknowledgement } = kind.mail
  return renderParagraphs(`${acknowledgement.subject} | ${brand().name}`, [
    ...acknowledgement.paragraphs(fields),
    ...(kind.promisedIn ? [`${PROMISED} ${promisedTime(receivedAt, timeZone)}.`] : []),
    `Your own page: ${LINK}\nSee where it stands, write to us, or correct, withdraw, download or erase it. No account. Anyone with the link can read the page, so do not pass it on.`,
    ...(acknowledgement.prepare ? [acknowledgement.prepare] : []),
    `Your reference is ${shortReference(id)}.`,
    'If this was not you, somebody typed your address by mistake: you can ignore this mail.',
  ])
}
