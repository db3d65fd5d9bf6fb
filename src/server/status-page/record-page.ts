import { randomUUID } from 'node:crypto'
import { shortReference } from '#contract/reference.ts'
import { fieldText } from '#server/kinds/kind.ts'
import type { Changes } from '#server/pages/fill.ts'
import { calendarDayText, longMoment, shortMoment, zoneText } from '#server/times.ts'
import { brand } from '#site/content.ts'
import { dialChanges } from './dial.ts'
import { keptText, type Standing, type Step, standing } from './standing.ts'
import type { Found } from './store/find.ts'
import { zoneChoices } from './zones.ts'

/** Fills the sender's page of a record (`src/pages/status/record-[kind].astro`). */

export interface Look {
  token: string
  now: Date
  timeZone: string
  /** The day by which an application is answered. */
  answerBy: string | null
}

/** A form that was refused: what is wrong, and what was typed. */
export interface Refused {
  message: string
  /** Of its own field. */
  field?: string | undefined
  typed: string
}

const optional = (selector: string, text: string | undefined): Changes => ({
  [selector]: text === undefined ? null : text,
})

const headChanges = ({ heading, by, explain, isLate }: Standing): Changes => ({
  h1: heading,
  ...(by.lead || by.time || by.rest
    ? {
        ...optional('#by-lead', by.lead),
        ...optional('#by-time', by.time),
        ...optional('#by-rest', by.rest),
      }
    : { '.by': null }),
  '#late': isLate ? {} : null,
  ...optional('#explain', explain),
})

const zoneChanges = ({ token, timeZone, now }: Look): Changes => ({
  '#zone-text': zoneText(timeZone, now),
  '.zone form': { attributes: { action: `/status/${token}` } },
  '#zone option': zoneChoices(timeZone, now).map(({ value, text }) => ({
    option: { text, attributes: { value, selected: value === timeZone ? '' : null } },
  })),
})

const stepChanges = ({ label, state, here, time, text }: Step): Changes => ({
  li: { attributes: { class: state || null, 'aria-current': here ? 'step' : null } },
  '.label': label,
  '.here': here ?? null,
  '.m': time ?? null,
  '.soft': text,
})

const messageChanges = (
  { messages }: Found,
  { token, timeZone }: Look,
  siteUrl: string,
): Changes => ({
  '.none': messages.length > 0 ? null : {},
  '.talkrow': messages.map(({ at, from, text }) => ({
    article: { attributes: { class: from === 'you' ? 'talkrow me' : 'talkrow' } },
    b: from === 'you' ? 'You' : brand().name,
    time: { text: shortMoment(new Date(at), timeZone), attributes: { datetime: at } },
    // Staff see the link as a sign.
    '.typed': from === 'us' ? text.replaceAll('{link}', () => `${siteUrl}/status/${token}`) : text,
  })),
})

const replyChanges = (token: string, label: string, refused: Refused | undefined): Changes => ({
  '.reply': { attributes: { action: `/api/status/${token}/messages` } },
  // Sent twice, as by a double click, it is stored once.
  '[name=idempotencyKey]': { value: randomUUID() },
  '.reply label': label,
  '#text': {
    value: refused?.typed ?? '',
    attributes: refused?.field ? {} : { 'aria-invalid': null, 'aria-describedby': null },
  },
  ...(refused?.field ? { '#text-error span': refused.field } : { '#text-error': null }),
})

/** What was sent: a label and a value each, the long text last. */
const sentRows = (
  found: Found,
  timeZone: string,
): { label: string; value: string; isLong: boolean }[] => {
  const { kind, fields, consentAt } = found
  const shown = kind.shown?.(fields)
  const value = (name: string): string => {
    const text = shown?.[name] ?? fieldText(fields[name])
    return name === 'preferredDate' && text ? calendarDayText(text) : text
  }
  const names = kind.fields.filter(
    (name) => name !== kind.longText && (name !== 'plan' || value(name)),
  )
  const row = (name: string, isLong = false) => ({
    label: kind.labels[name] ?? name,
    value: value(name) || 'Not given',
    isLong,
  })
  return [
    ...names.map((name) => row(name, name === 'plan')),
    ...(consentAt
      ? [
          {
            label: 'Terms and privacy',
            value: `Agreed ${longMoment(new Date(consentAt), timeZone)}`,
            isLong: false,
          },
        ]
      : []),
    row(kind.longText, true),
  ]
}

/** The classes of the boxes: halves come in pairs, so that no box is left out of the grid. */
const boxClasses = (rows: readonly { isLong: boolean }[]): string[] => {
  let halves = 0
  return rows.map(({ isLong }, n) => {
    if (isLong) {
      halves = 0
      return 'f long'
    }
    halves += 1
    const isAlone = halves % 2 === 1 && (rows[n + 1]?.isLong ?? true)
    return isAlone ? 'f' : 'f h'
  })
}

const sentBoxes = (rows: ReturnType<typeof sentRows>): Changes[] => {
  const classes = boxClasses(rows)
  return rows.map(({ label, value }, n) => ({
    '.f': { attributes: { class: classes[n] ?? 'f' } },
    dt: label,
    dd: value,
  }))
}

const sentChanges = (found: Found, { token, timeZone }: Look): Changes => ({
  '.to-correct': { attributes: { href: `/status/${token}/correct` } },
  '.sent > .f': sentBoxes(sentRows(found, timeZone)),
})

const rights = ['correct', 'withdraw', 'export', 'erase'] as const

const rightChanges = (found: Found, { token, timeZone }: Look): Changes => ({
  '#kept': keptText(found, timeZone),
  ...Object.fromEntries(
    rights.map((name) =>
      name === 'withdraw' && found.withdrawnAt
        ? [`#right-${name}`, null]
        : [`#to-${name}`, { attributes: { href: `/status/${token}/${name}` } }],
    ),
  ),
})

const calendarChanges = ({ kind, fields }: Found, token: string): Changes =>
  kind.path === 'consultations'
    ? {
        '#calendar': { attributes: { href: `/api/status/${token}/preferred-date.ics` } },
        '#calendar-day': calendarDayText(fieldText(fields.preferredDate)),
      }
    : {}

export const recordChanges = (
  found: Found,
  look: Look,
  { siteUrl, refused }: { siteUrl: string; refused?: Refused | undefined },
): Changes => {
  const view = standing(found, look)
  return {
    ...(refused && !refused.field ? { '#problem .what': refused.message } : { '#problem': null }),
    '#reference': shortReference(found.id),
    ...headChanges(view),
    ...zoneChanges(look),
    ...dialChanges(view.clock, look.timeZone),
    '#sheet': view.drawing === 'sheet' ? {} : null,
    '#turn': view.drawing === 'turn' ? {} : null,
    'i.late': null,
    '.trk li': view.steps.map(stepChanges),
    ...messageChanges(found, look, siteUrl),
    ...replyChanges(look.token, view.replyLabel, refused),
    ...sentChanges(found, look),
    ...rightChanges(found, look),
    ...calendarChanges(found, look.token),
  }
}
