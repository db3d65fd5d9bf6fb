import { moneyText, totalsText } from '#contract/offers/money.ts'
import type { OfferLine, SenderOffer } from '#contract/offers/offers.ts'
import { shortReference } from '#contract/reference.ts'
import { calendarDayText } from '#contract/times/moments.ts'
import { LINK } from '#server/mail-out/link.ts'
import { type Rendered, renderWritten, subjectLine } from '#server/mail-out/render/render.ts'
import { brand } from '#site/content.ts'

const lineText = ({ label, amount, per }: OfferLine, currency: string): string =>
  `${label}: ${moneyText(amount, currency)} ${per === 'once' ? 'once' : 'a month'}`

const offerText = (offer: SenderOffer): string =>
  [
    offer.title,
    '',
    offer.text,
    '',
    ...offer.lines.map((line) => lineText(line, offer.currency)),
    `Together: ${totalsText(offer.totals, offer.currency)}`,
    ...(offer.startsOn ? [`Start: ${calendarDayText(offer.startsOn)}`] : []),
    `Valid until: ${calendarDayText(offer.validUntil)}`,
    ...(offer.terms ? ['', 'Terms', '', offer.terms] : []),
    ...(offer.hash ? ['', `SHA-256 of the text: ${offer.hash}`] : []),
  ].join('\n')

export interface Answer {
  record: string
  answer: 'accept' | 'decline'
  name: string | null
  text: string | null
  at: Date
}

const acceptance = (offer: SenderOffer, { name, at }: Answer): string =>
  `Accepted by ${name ?? ''} on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC: ${totalsText(offer.totals, offer.currency)}.`

const subjectOf = (what: string, { title }: SenderOffer): string =>
  subjectLine(`${what}: ${[...title].slice(0, 100).join('')}`)

export const renderAccepted = (offer: SenderOffer, answer: Answer): Rendered =>
  renderWritten(`${subjectOf('You accepted our offer', offer)} | ${brand().name}`, [
    acceptance(offer, answer),
    offerText(offer),
    `Your own page: ${LINK}`,
    `Your reference is ${shortReference(answer.record)}.`,
  ])

export const renderAnswer = (offer: SenderOffer, answer: Answer, siteUrl: string): Rendered => {
  const isYes = answer.answer === 'accept'
  return renderWritten(subjectOf(`Offer ${isYes ? 'accepted' : 'declined'}`, offer), [
    isYes ? acceptance(offer, answer) : 'The sender declined the offer.',
    ...(answer.text ? [answer.text] : []),
    offerText(offer),
    `Open in the inbox: ${siteUrl}/admin/consultations?id=${answer.record}`,
    `Reference: ${shortReference(answer.record)}`,
  ])
}
