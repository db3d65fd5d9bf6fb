import { consultations as contract, requestConsultation } from '#contract/consultations.ts'
import { limits } from '#contract/limits.ts'
import { planLines } from '#contract/plan.ts'
import { serviceLabel } from '#contract/services.ts'
import { consultations as table } from '#server/db/schema/consultations.ts'
import { calendarDayText } from '#server/times.ts'
import { describeKind } from './kind.ts'

export const consultations = describeKind(contract, {
  table,
  submit: requestConsultation,
  noun: 'Consultation request',
  searched: ['name', 'email', 'company', 'message'],
  longText: 'message',
  shown: ({ service, plan }) => ({
    service: serviceLabel(service),
    plan: planLines(plan)
      .map(([label, value]) => `${label}: ${value}`)
      .join('; '),
  }),
  mail: {
    subject: ({ service }) => `consultation request, ${serviceLabel(service)}`,
    facts: ['name', 'email', 'phone', 'company', 'service', 'preferredDate', 'plan'],
    acknowledgement: {
      subject: 'We have your consultation request',
      paragraphs: ({ service, preferredDate }) => [
        `Thank you for your request: ${serviceLabel(service)}, preferably on ${calendarDayText(preferredDate)}.`,
        `We will contact you within ${limits.promiseHours} hours to schedule your consultation.`,
      ],
      prepare:
        'Three things to prepare: what your customers ask you for most often; the address of your present site, or of one you like, and why; who else has to agree, and by when.',
    },
  },
})
