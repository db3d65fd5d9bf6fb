import { html, raw } from 'hono/html'
import { isTimeZone } from '#contract/submission.ts'
import { zoneText } from '#contract/times/moments.ts'

/** One for each hour of the clock and some more, from west to east. */
const offered = [
  'Pacific/Honolulu',
  'America/Anchorage',
  'America/Los_Angeles',
  'America/Denver',
  'America/Chicago',
  'America/New_York',
  'America/Halifax',
  'America/Sao_Paulo',
  'Atlantic/Azores',
  'UTC',
  'Europe/London',
  'Africa/Lagos',
  'Europe/Berlin',
  'Africa/Cairo',
  'Europe/Helsinki',
  'Africa/Nairobi',
  'Asia/Riyadh',
  'Asia/Dubai',
  'Asia/Karachi',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Dhaka',
  'Asia/Jakarta',
  'Asia/Singapore',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
]

/** The zone that the reader chose, else the form's, else UTC; an unknown one counts as absent. */
export const chooseZone = (asked: unknown, fromForm: string | null): string =>
  [asked, fromForm].find((zone): zone is string => typeof zone === 'string' && isTimeZone(zone)) ??
  'UTC'

/** The part of a query that keeps the zone that the reader chose; nothing for the form's own. */
export const zoneQuery = (present: string, fromForm: string | null): { zone?: string } =>
  present === chooseZone(undefined, fromForm) ? {} : { zone: present }

/** The query of a page in this zone; empty for none. */
export const zoneSearch = (zone: unknown): string =>
  typeof zone === 'string' && isTimeZone(zone) ? `?${new URLSearchParams({ zone })}` : ''

/** The choices for the page, the present one first where it is not among them under any name. */
export const zoneOptions = (present: string, now: Date) => {
  const chosen = zoneText(present, now)
  const isOffered = offered.some((zone) => zoneText(zone, now) === chosen)
  return (isOffered ? offered : [present, ...offered]).map((zone) => {
    const text = zoneText(zone, now)
    return html`<option value="${zone}"${text === chosen ? raw(' selected') : ''}>${text}</option>`
  })
}
