import ICAL from 'ical.js'
import { convertIcsCalendar } from 'ts-ics'
import { afterEach, expect, test, vi } from 'vitest'
import type { Invitation } from '#contract/mail/invitation.ts'
import type { Message } from '#server/mail-out/message.ts'
import { testConfig } from '#server/testing.ts'
import { brand } from '#site/content.ts'
import { withInvitation } from './invitation.ts'

const invitation: Invitation = {
  what: 'booked',
  to: 'sender',
  uid: '01a20745-9bc5-7e29-9b24-9aacb3113c04@record',
  sequence: 0,
  stamp: '2026-11-23T08:00:00.000Z',
  start: '2026-11-26T09:30:00.000Z',
  end: '2026-11-26T10:00:00.000Z',
  place:
    'Room 4; ask for “Ökonomie, Küche”, https://meet.example/a,b?c=d and then many more words, enough for a line that is folded twice or even more often',
  zone: 'Europe/London',
  name: 'Zoë "Z", the 1st: baker',
  host: 'Eli',
  record: '01a20745-9bc5-7e29-9b24-9aacb3113c04',
  text: null,
}

const message: Message = {
  kind: 'message',
  id: '01a20745-9bc5-7e29-9b24-9aacb3113c05',
  to: 'wanda@people.test',
  replyTo: null,
  subject: '',
  text: '',
  html: '',
}

const config = { ...testConfig, mail: { ...testConfig.mail, from: 'Agency <hello@fledge.test>' } }

afterEach(() => {
  vi.useRealTimers()
})

/** Course of one appointment: request, update, another update, cancellation. */
const course = [
  { what: 'booked', sequence: 0, method: 'REQUEST', status: 'CONFIRMED' },
  { what: 'moved', sequence: 1, method: 'REQUEST', status: 'CONFIRMED' },
  { what: 'moved', sequence: 2, method: 'REQUEST', status: 'CONFIRMED' },
  { what: 'cancelled', sequence: 3, method: 'CANCEL', status: 'CANCELLED' },
] as const

test('an invitation and its updates read the same in two libraries', async () => {
  for (const { what, sequence, method, status } of course) {
    const calendar = { ...invitation, what, sequence }
    const { invite } = await withInvitation({ ...message, calendar }, config)
    const text = invite?.text ?? ''
    expect(invite?.method).toBe(method)
    // RFC 5545, sections 3.1 and 3.6: line ends, folds at 75 octets, what a calendar must hold.
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*END:VCALENDAR\r\n$/)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    // RFC 5546, sections 3.2.2 and 3.2.5: what a REQUEST and a CANCEL must hold.
    for (const name of [
      'PRODID',
      'VERSION',
      'METHOD',
      'UID',
      'DTSTAMP',
      'DTSTART',
      'SEQUENCE',
      'ORGANIZER',
      'ATTENDEE',
      'SUMMARY',
    ])
      expect(text).toMatch(new RegExp(`^${name}[:;]`, 'm'))

    const root = new ICAL.Component(ICAL.parse(text))
    const event = new ICAL.Event(root.getFirstSubcomponent('vevent') as ICAL.Component)
    const one = {
      method: root.getFirstPropertyValue('method'),
      uid: event.uid,
      sequence: event.sequence,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      place: event.location,
      organizer: event.organizer,
      status: event.component.getFirstPropertyValue('status'),
      attendee: event.attendees[0]?.getFirstValue(),
    }
    const parsed = convertIcsCalendar(undefined, text)
    const [other] = parsed.events ?? []
    expect(one).toEqual({
      method,
      uid: invitation.uid,
      sequence,
      start: invitation.start,
      end: invitation.end,
      place: invitation.place,
      organizer: 'mailto:hello@fledge.test',
      status,
      attendee: 'mailto:wanda@people.test',
    })
    expect({
      method: parsed.method,
      uid: other?.uid,
      // It leaves a zero out.
      sequence: other?.sequence ?? 0,
      start: other?.start.date.toISOString(),
      end: other && 'end' in other ? other.end?.date.toISOString() : undefined,
      place: other?.location,
      organizer: `mailto:${other?.organizer?.email}`,
      status: other?.status,
      attendee: `mailto:${other?.attendees?.[0]?.email}`,
    }).toEqual(one)
  }
})

test('the text names the time in the reader’s zone, and nobody once they are erased', async () => {
  const sender = await withInvitation({ ...message, calendar: invitation }, config)
  expect(sender.subject).toBe(
    `Your talk is booked: Thursday 26 November, 09:30 (London, UTC+0) | ${brand().name}`,
  )
  expect(sender.text).toContain('Thursday 26 November, 09:30 to 10:00 (London, UTC+0).')
  const erased = {
    ...invitation,
    what: 'cancelled' as const,
    to: 'host' as const,
    name: null,
    record: null,
    zone: 'Asia/Kolkata',
  }
  const host = await withInvitation({ ...message, calendar: erased }, config)
  expect(host.text).toContain('15:00 to 15:30 (Kolkata, UTC+5:30)')
  expect(JSON.stringify(host)).not.toContain('Zoë')
})

test('a reminder that goes late says that the talk is today, by the zone of its reader', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const headingAt = async (now: string, zone: string) => {
    vi.setSystemTime(now)
    const calendar = { ...invitation, what: 'reminder' as const, zone }
    return (await withInvitation({ ...message, calendar }, config)).subject.split(':')[0]
  }
  expect(await headingAt('2026-11-25T09:30:00Z', 'Europe/London')).toBe('Your talk is tomorrow')
  expect(await headingAt('2026-11-26T00:10:00Z', 'Europe/London')).toBe('Your talk is today')
  expect(await headingAt('2026-11-25T19:10:00Z', 'Asia/Kolkata')).toBe('Your talk is today')
  expect(await headingAt('2026-11-26T00:10:00Z', 'America/Lima')).toBe('Your talk is tomorrow')
})

test('mail to a host leads to the record', async () => {
  const link = `https://fledge.test/admin/consultations?id=${invitation.record}`
  for (const what of ['booked', 'moved', 'given', 'left', 'cancelled'] as const) {
    const calendar = { ...invitation, what, to: 'host' as const }
    const { text, html } = await withInvitation({ ...message, calendar }, config)
    expect(text).toContain(`Open in the inbox: ${link}\n`)
    expect(html).toContain(`<a href="${link}">${link}</a>`)
  }
})
