import { consultations as contract, requestConsultation } from '#contract/consultations.ts'
import { limits } from '#contract/limits.ts'
import { planLines } from '#contract/plan.ts'
import { calendarDayText } from '#contract/times/moments.ts'
import { consultations as table } from '#server/db/schema/consultations.ts'
import { content, serviceIds, serviceLabel } from '#site/content.ts'
import { choiceLabel, describeKind } from './kind.ts'

const choice = {
  field: 'service',
  other: 'custom',
  ids: serviceIds,
  label: serviceLabel,
} as const

export const consultations = describeKind(contract, {
  table,
  submit: requestConsultation,
  searched: ['name', 'email', 'company', 'message'],
  longText: 'message',
  choice,
  shown: (fields) => ({
    service: choiceLabel(choice, fields),
    plan: planLines(fields.plan, content().plan.questions)
      .map(([label, value]) => `${label}: ${value}`)
      .join('; '),
  }),
  mail: {
    subject: (fields) => `consultation request, ${choiceLabel(choice, fields)}`,
    facts: ['name', 'email', 'phone', 'company', 'service', 'preferredDate', 'plan'],
    acknowledgement: {
      subject: 'We have your consultation request',
      paragraphs: (fields) => [
        `Thank you for your request: ${choiceLabel(choice, fields)}, preferably on ${calendarDayText(fields.preferredDate)}.`,
        `We will contact you within ${limits.promiseHours} hours to schedule your consultation.`,
      ],
      prepare:
        'Three things to prepare: what your customers ask you for most often; the address of your present site, or of one you like, and why; who else has to agree, and by when.',
    },
  },
})
