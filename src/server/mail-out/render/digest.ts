import { html } from 'hono/html'
import { type KindPath, owedGroups } from '#contract/inbox.ts'
import { weekdayAndTime } from '#contract/times/moments.ts'
import { firstName } from '#server/kinds/first-name.ts'
import type { DigestFacts, OwedRecord } from '#server/mail-out/store/digest.ts'
import { brand } from '#site/content.ts'
import { document, type Rendered } from './render.ts'

const names: Record<KindPath, readonly [one: string, several: string]> = {
  consultations: ['consultation', 'consultations'],
  applications: ['application', 'applications'],
  contacts: ['contact', 'contacts'],
}

const counted = (count: number, [one, several]: readonly [string, string]): string =>
  `${count} ${count === 1 ? one : several}`

/** Joins the counts, leaving out zeros: "3 late, 1 due". */
const listed = (parts: readonly (readonly [count: number, text: string])[]): string =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${count} ${text}`)
    .join(', ')

type OwedGroup = (typeof owedGroups)[number]

const words: Record<OwedGroup, string> = {
  late: 'late',
  due: 'due',
  open: 'to answer',
  snoozed: 'snoozed',
}

type Line = Record<'text' | 'url', string>

const owedLine = (
  { kind, id, fields, dueAt, assignee }: OwedRecord,
  { siteUrl, now }: { siteUrl: string; now: Date },
) => {
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
  { owed, next, came, until, failedMail }: DigestFacts,
  siteUrl: string,
): Rendered | null => {
  const arrivals = Object.entries(came) as [KindPath, number][]
  const inGroup = (group: OwedGroup) => Object.entries(owed[group] ?? {}) as [KindPath, number][]
  const sumOf = (group: OwedGroup) => inGroup(group).reduce((sum, [, count]) => sum + count, 0)
  if (sumOf('late') + sumOf('due') + arrivals.length + failedMail === 0) return null
  const owedText = listed(owedGroups.map((group) => [sumOf(group), words[group]] as const))
  // Each number leads to a list of exactly that many rows.
  const counts = owedGroups.flatMap((group) =>
    inGroup(group).map(([kind, count]) => ({
      text: `${counted(count, names[kind])} ${words[group]}`,
      url: `${siteUrl}/admin/${kind}?group=${group}`,
    })),
  )
  const cameText = arrivals.length > 0 ? 'By kind:' : 'Nothing.'
  const end = Date.parse(until)
  const [from, to] = [end - 86_400_000, end - 1].map((time) => new Date(time).toISOString())
  const cameLines = arrivals.map(([kind, count]) => ({
    text: counted(count, names[kind]),
    url: `${siteUrl}/admin/${kind}?from=${from}&to=${to}`,
  }))
  const look = { siteUrl, now: new Date() }
  const lines = next.map((record) => owedLine(record, look))
  const failed: Line[] =
    failedMail > 0
      ? [{ text: counted(failedMail, ['mail', 'mails']), url: `${siteUrl}/admin/mail` }]
      : []
  const parts: (readonly [heading: string, text: string, lines: Line[]])[] = [
    ['Owed', owedText || 'Nothing.', counts],
    ...(lines.length > 0 ? [['First', 'What is due first:', lines] as const] : []),
    ['Came in the last 24 hours', cameText, cameLines],
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
