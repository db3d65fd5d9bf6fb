/** The Message-ID of a mail of ours, without brackets. A provider may send it under another one. */
export const messageIdOf = (mailId: string): string => `${mailId}@record`

const OURS = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@(?:record|fledge)$/i

/** The mail that a Message-ID of ours, or an event's UID of the same form, names; undefined where it is none. */
export const mailIdOf = (messageId: string): string | undefined =>
  OURS.exec(messageId)?.[1]?.toLowerCase()
