import { attendance } from '#contract/inbox.ts'
import { mailIdOf } from '#server/mail-out/message-id.ts'

/** An attendee's line, with quoted parameters emptied: they may hold what looks like a parameter. */
const attendeeOf = (line: string) => {
  const plain = line.replace(/"[^"]*"/g, '""')
  const address = /:mailto:(.*)$/i.exec(plain)?.[1]?.trim().toLowerCase()
  const state = /;PARTSTAT=([a-z-]+)/i.exec(plain)?.[1]?.toLowerCase()
  return { address, answer: attendance.find((known) => known === state) }
}

/**
 * The answer of a calendar program to one of our invitations (RFC 5546, section 3.2.3).
 *
 * @param from the address that the mail came from: of several attendees it is the one who answers
 * @returns `sequence`: the invitation's number; null if the program leaves it out
 */
export const attendanceOf = (file: string | null, from: string | undefined) => {
  const lines = (file ?? '')
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')
  const valueFor = (name: RegExp): string => {
    const line = lines.find((one) => name.test(one)) ?? ''
    return line.slice(line.indexOf(':') + 1).trim()
  }
  if (!/^reply$/i.test(valueFor(/^METHOD[;:]/i))) return null
  const appointmentId = mailIdOf(valueFor(/^UID[;:]/i))
  const attendees = lines.filter((line) => /^ATTENDEE[;:]/i.test(line)).map(attendeeOf)
  const own = attendees.find(({ address }) => address === from?.toLowerCase())
  const { answer } = own ?? (attendees.length === 1 ? attendees[0] : undefined) ?? {}
  if (!appointmentId || !answer) return null
  const sequence = valueFor(/^SEQUENCE[;:]/i)
  return { appointmentId, answer, sequence: /^\d{1,9}$/.test(sequence) ? Number(sequence) : null }
}
