import { consultations as contract, requestConsultation } from '#contract/consultations.ts'
import { serviceLabel } from '#contract/services.ts'
import { consultations as table } from '#server/db/schema/consultations.ts'
import { type Kind, textOf } from './kind.ts'

export const consultations: Kind = {
  path: 'consultations',
  table,
  submit: requestConsultation,
  statuses: contract.statuses,
  who: contract.who,
  at: contract.at,
  fields: ['name', 'email', 'phone', 'company', 'service', 'message', 'preferredDate'],
  searched: ['name', 'email', 'company', 'message'],
  longText: 'message',
  asksConsent: true,
  mail: {
    subject: (fields) => `consultation request, ${serviceLabel(textOf(fields.service))}`,
    facts: (fields) => [
      ['Name', textOf(fields.name)],
      ['Email', textOf(fields.email)],
      ['Phone', textOf(fields.phone)],
      ['Company', textOf(fields.company) || 'N/A'],
      ['Service', serviceLabel(textOf(fields.service))],
      ['Preferred date', textOf(fields.preferredDate)],
    ],
    acknowledgement: {
      subject: 'We have your consultation request',
      paragraphs: (fields) => [
        `Thank you for your request: ${serviceLabel(textOf(fields.service))}, preferably on ${textOf(fields.preferredDate)}.`,
        'We will contact you within 24 hours to schedule your consultation.',
      ],
      promises: true,
    },
  },
}
