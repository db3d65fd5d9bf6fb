import { html } from 'hono/html'
import type { KindPath } from '#contract/inbox.ts'
import { firstName } from '#server/kinds/first-name.ts'
import type { DigestFacts, OwedRecord } from '#server/mail-out/store/digest.ts'
import { weekdayAndTime } from '#server/times.ts'
import { brand } from '#site/content.ts'
import { document, type Rendered } from './render.ts'

/** What staff call one of a kind, and several. */
const names: Record<KindPath, readonly [one: string, several: string]> = {
  consultations: ['consultation', 'consultations'],
  applications: ['application', 'applications'],
  contacts: ['contact', 'contacts'],
}

const counted = (count: number, [one, several]: readonly [string, string]): string =>
  `${count} ${count === 1 ? one : several}`

/** "3 late, 1 due today", without what there is none of. */
const listed = (parts: readonly (readonly [count: number, text: string])[]): string =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${count} ${text}`)
    .join(', ')

interface Line {
  text: string
  url: string
}

const owedLine = (
  { kind, id, fields, dueAt, assignee }: OwedRecord,
  { siteUrl, now }: { siteUrl: string; now: Date },
): Line => {
  const name = firstName(fields)
  const due = new Date(dueAt)
  const when = `${due < now ? 'late since' : 'due'} ${weekdayAndTime(due, 'UTC')} UTC`
  const [noun] = names[kind]
  return {
    text: `${name ? `${name}, ` : ''}${noun}: ${when}, ${assignee ? `${assignee} has it` : 'nobody has it'}`,
    url: `${siteUrl}/admin/${kind}?id=${id}`,
  }
}

/**
 * The day's digest: what is owed, what came and what failed. Of people who wrote to us it names the
 * first name alone. Null where there is nothing to say.
 */
export const renderDigest = (
  { owed, next, came, failedMail }: DigestFacts,
  { siteUrl, now = new Date() }: { siteUrl: string; now?: Date },
): Rendered | null => {
  const arrivals = Object.entries(came) as [KindPath, number][]
  if (owed.late + owed.today + arrivals.length + failedMail === 0) return null
  const owedText = listed([
    [owed.late, 'late'],
    [owed.today, 'due today'],
    [owed.later, 'later'],
  ])
  const cameText = arrivals.map(([kind, count]) => counted(count, names[kind])).join(', ')
  const lines = next.map((record) => owedLine(record, { siteUrl, now }))
  const failed: Line[] =
    failedMail > 0
      ? [{ text: counted(failedMail, ['mail', 'mails']), url: `${siteUrl}/admin/mail` }]
      : []
  const parts: [heading: string, text: string, lines: Line[]][] = [
    ['Owed', owedText || 'Nothing.', lines],
    ['Came in the last 24 hours', cameText || 'Nothing.', []],
    ['Failed', failed.length > 0 ? 'Mail that could not be sent:' : 'Nothing.', failed],
  ]
  const subject = `${owedText ? `Owed: ${owedText}` : 'Your daily digest'} | ${brand().name}`
  const settings = `${siteUrl}/admin/account`
  const why =
    'You get this mail once a day because you asked for it. Switch it off on your account page:'
  return {
    subject,
    text: [
      ...parts.flatMap(([heading, text, its]) => [
        heading,
        text,
        ...its.flatMap((line) => [`- ${line.text}`, `  ${line.url}`]),
        '',
      ]),
      why,
      settings,
      '',
      brand().name,
      '',
    ].join('\n'),
    html: document(
      subject,
      html`${parts.map(
        ([heading, text, its]) => html`<h2 style="font-size:18px;margin:24px 0 4px">${heading}</h2>
<p style="margin:4px 0">${text}</p>
${
  its.length > 0
    ? html`<ul style="margin:4px 0;padding-left:20px">
${its.map(
  (line) => html`<li dir="auto"><a href="${line.url}">${line.text}</a></li>
`,
)}</ul>
`
    : ''
}`,
      )}<p>${why} <a href="${settings}">${settings}</a></p>`,
    ),
  }
}
