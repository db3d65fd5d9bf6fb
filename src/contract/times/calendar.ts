import { shortReference } from '#contract/reference.ts'

const escaped = (text: string): string => text.replace(/[\\;,]/g, (sign) => `\\${sign}`)

/** Lines of at most 75 octets; the text is ASCII (RFC 5545, section 3.1). */
const folded = (line: string): string => line.match(/.{1,73}/g)?.join('\r\n ') ?? ''

const compact = (day: string): string => day.replaceAll('-', '')

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

/**
 * The preferred day of a consultation as a file for calendars: a whole day, without a zone.
 *
 * @param day `YYYY-MM-DD`
 * @param createdAt ISO 8601 in UTC
 */
export const calendarFile = (id: string, day: string, createdAt: string): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Consultation//EN',
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${createdAt.replace(/[-:]|\.\d+/g, '')}`,
    `DTSTART;VALUE=DATE:${compact(day)}`,
    `DTEND;VALUE=DATE:${compact(dayAfter(day))}`,
    'SUMMARY:Consultation (preferred day)',
    `DESCRIPTION:${escaped(`All day until an hour is agreed. Reference ${shortReference(id)}.`)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n')
