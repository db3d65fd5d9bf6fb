import type { KindPath } from '#contract/inbox.ts'
import { shortReference } from '#contract/reference.ts'
import { longMoment, zoneText } from '#contract/times/moments.ts'

/** A message of staff as its mail says it: what the composer previews is what the server sends. */

export const mailNouns: Readonly<Record<KindPath, string>> = {
  consultations: 'Consultation request',
  applications: 'Application',
  contacts: 'Message',
}

export const defaultSubject = (kind: KindPath, id: string): string =>
  `Re: ${mailNouns[kind]}, ${shortReference(id)}`

/** Offered times, between the text and the closing; null offers all hours of the host. */
export const timesLines = ({
  slots,
  place,
  link,
  timeZone,
}: {
  slots: readonly string[] | null
  place: string
  link: string
  timeZone: string
}): string[] => [
  ...(slots ?? []).map((start) => {
    const at = new Date(start)
    return `${longMoment(at, timeZone)} (${zoneText(timeZone, at)})`
  }),
  ...(slots ? [''] : []),
  `Choose a time: ${link}/times`,
  `Where: ${place}`,
]

export const closingOf = (id: string, link: string): [page: string, reference: string] => [
  `Your own page, with the whole conversation and a place to answer: ${link}`,
  `Your reference is ${shortReference(id)}.`,
]

export const signed = (answer: string, signature: string | undefined): string =>
  signature ? `${answer}\n\n${signature}` : answer
