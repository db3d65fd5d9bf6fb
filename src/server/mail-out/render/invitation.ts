import type ICAL from 'ical.js'
import type { Invitation } from '#contract/mail/invitation.ts'
import { shortReference } from '#contract/reference.ts'
import { dayIn, longMoment, timeOfDay, zoneText } from '#contract/times/moments.ts'
import type { Config } from '#server/config.ts'
import { fillLink, LINK } from '#server/mail-out/link.ts'
import { bareAddress, type Message } from '#server/mail-out/message.ts'
import { brand } from '#site/content.ts'
import { inboxLink, type Rendered, renderWritten } from './render.ts'

/** Mail about an appointment: a text for people, and the calendar part by which calendars follow it (RFC 5546). */

export interface CalendarEvent {
  uid: string
  sequence: number
  /** ISO 8601 in UTC, as `start` and `end`. */
  stamp: string
  start: string
  end: string
  summary: string
  place: string
  description: string
  isCancelled?: boolean
  organizer?: string
  attendee?: { email: string; name: string | null; isAsked: boolean }
}

const eventOf = (ical: typeof ICAL, event: CalendarEvent): ICAL.Component => {
  const made = new ical.Component('vevent')
  const utc = (value: string) => ical.Time.fromJSDate(new Date(value), true)
  made.addPropertyWithValue('uid', event.uid)
  made.addPropertyWithValue('dtstamp', utc(event.stamp))
  made.addPropertyWithValue('dtstart', utc(event.start))
  made.addPropertyWithValue('dtend', utc(event.end))
  made.addPropertyWithValue('sequence', event.sequence)
  made.addPropertyWithValue('status', event.isCancelled ? 'CANCELLED' : 'CONFIRMED')
  made.addPropertyWithValue('transp', 'OPAQUE')
  made.addPropertyWithValue('summary', event.summary)
  made.addPropertyWithValue('location', event.place)
  made.addPropertyWithValue('description', event.description)
  if (event.organizer) {
    const organizer = made.addPropertyWithValue('organizer', `mailto:${event.organizer}`)
    organizer.setParameter('cn', brand().name)
  }
  if (event.attendee) {
    const { email, name, isAsked } = event.attendee
    const attendee = made.addPropertyWithValue('attendee', `mailto:${email}`)
    // A parameter holds no quotation mark (RFC 5545, section 3.2).
    attendee.setParameter('cn', (name ?? email).replaceAll('"', "'"))
    attendee.setParameter('role', 'REQ-PARTICIPANT')
    attendee.setParameter('partstat', isAsked ? 'NEEDS-ACTION' : 'ACCEPTED')
    attendee.setParameter('rsvp', isAsked ? 'TRUE' : 'FALSE')
  }
  return made
}

/** A calendar file; lines end and fold as RFC 5545 asks. */
export const calendarText = async (
  events: readonly CalendarEvent[],
  { method, name }: { method?: 'REQUEST' | 'CANCEL'; name?: string } = {},
): Promise<string> => {
  const { default: ical } = await import('ical.js')
  // ical.js does not count the space that begins a folded line; with it a line has 75 octets.
  ical.foldLength = 74
  const calendar = new ical.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', `-//${brand().name}//Appointments//EN`)
  if (method) calendar.addPropertyWithValue('method', method)
  // ical.js escapes no text of a property that it does not know.
  if (name) calendar.addPropertyWithValue('x-wr-calname', name.replace(/[\\;,]/g, '\\$&'))
  for (const event of events) calendar.addSubcomponent(eventOf(ical, event))
  return `${calendar.toString()}\r\n`
}

const headings = {
  booked: 'Your talk is booked',
  moved: 'Your talk has moved',
  given: 'A talk is yours now',
  left: 'Your talk has gone to a colleague',
  cancelled: 'Your talk is cancelled',
  reminder: 'Your talk is tomorrow',
} as const

/** A reminder may go late, or within an hour that a change of clocks adds to the day. */
const headingOf = ({ what, to, start, zone }: Invitation): string => {
  if (what === 'given' && to === 'sender') return 'Your talk has another host'
  return what === 'reminder' && dayIn(new Date(start), zone) === dayIn(new Date(), zone)
    ? 'Your talk is today'
    : headings[what]
}

const endings: Partial<Record<Invitation['what'], string>> = {
  left: 'This talk is no longer yours',
  cancelled: 'This talk does not take place',
}

/** `hasPage` is false where the link of the sender’s page opens nothing. */
interface Looks {
  hasPage?: boolean
}

const linesOf = (invitation: Invitation, { hasPage = true }: Looks): string[] => {
  const { what, to, start, end, place, zone, name, host, record, text } = invitation
  const at = new Date(start)
  const when = `${longMoment(at, zone)} to ${timeOfDay(new Date(end), zone)} (${zoneText(zone, at)})`
  const ending = endings[what]
  const who =
    to === 'host'
      ? name
        ? `With ${name}.`
        : 'The person has erased their data.'
      : `With ${host ?? brand().name}.`
  return [
    ending ? `${ending}: ${when}.` : `${when}.`,
    who,
    ...(ending ? [] : [`Where: ${place}`]),
    ...(text ? [text] : []),
    ...(to === 'sender' && hasPage
      ? [
          ending
            ? `Your own page, where you can write to us: ${LINK}`
            : `Move or cancel it on your own page: ${LINK}`,
        ]
      : []),
    ...(to === 'host' && record ? [`Open in the inbox: ${LINK}`] : []),
    ...(record ? [`The reference is ${shortReference(record)}.`] : []),
  ]
}

const rendered = (invitation: Invitation, looks: Looks = {}): Rendered => {
  const { start, zone } = invitation
  const at = new Date(start)
  const when = `${longMoment(at, zone)} (${zoneText(zone, at)})`
  const subject = `${headingOf(invitation)}: ${when} | ${brand().name}`
  return renderWritten(subject, linesOf(invitation, looks))
}

/** A stored mail with the words that it is sent with, for an export; a link is named alone. */
export const asRead = <Stored extends { subject: string; text: string }>({
  calendar,
  ...mail
}: Stored & { calendar: Invitation | null }) => {
  if (!calendar) return mail
  const { subject, text } = rendered(calendar)
  return { ...mail, subject, text: text.replaceAll(LINK, '{link}') }
}

/** A mail about an appointment as it goes out; any other stays as it is. */
export const withInvitation = async (
  message: Message,
  { siteUrl, mail }: Pick<Config, 'siteUrl' | 'mail'>,
  looks: Looks = {},
): Promise<Message> => {
  const { calendar: invitation } = message
  if (!invitation) return message
  const { what, to, name, host, record } = invitation
  const bodies = rendered(invitation, looks)
  const link = to === 'host' && record && inboxLink({ path: 'consultations' }, record, siteUrl)
  const filled = { ...message, ...bodies, ...(link && fillLink(bodies, link)) }
  if (what === 'reminder') return filled
  const method = endings[what] ? 'CANCEL' : 'REQUEST'
  const event: CalendarEvent = {
    ...invitation,
    summary: `Talk with ${to === 'host' ? (name ?? 'an erased person') : (host ?? brand().name)}`,
    description: record ? `Reference ${shortReference(record)}` : '',
    isCancelled: method === 'CANCEL',
    organizer: bareAddress(mail.from),
    attendee: { email: message.to, name: to === 'host' ? host : name, isAsked: to === 'sender' },
  }
  return { ...filled, invite: { method, text: await calendarText([event], { method }) } }
}
