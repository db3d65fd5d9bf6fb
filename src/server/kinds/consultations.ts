import { consultations as contract, requestConsultation } from '#contract/consultations.ts'
import { serviceLabel } from '#contract/services.ts'
import { consultations as table } from '#server/db/schema/consultations.ts'
import { fieldText, type Kind } from './kind.ts'

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
    subject: (fields) => `consultation request, ${serviceLabel(fieldText(fields.service))}`,
    facts: (fields) => [
      ['Name', fieldText(fields.name)],
      ['Email', fieldText(fields.email)],
      ['Phone', fieldText(fields.phone)],
      ['Company', fieldText(fields.company) || 'N/A'],
      ['Service', serviceLabel(fieldText(fields.service))],
      ['Preferred date', fieldText(fields.preferredDate)],
    ],
    acknowledgement: {
      subject: 'We have your consultation request',
      paragraphs: (fields) => [
        `Thank you for your request: ${serviceLabel(fieldText(fields.service))}, preferably on ${fieldText(fields.preferredDate)}.`,
        'We will contact you within 24 hours to schedule your consultation.',
      ],
      promises: true,
    },
  },
}
