import { consultations } from '#contract/consultations.ts'
import { planLines } from '#contract/plan.ts'
import { type Service, serviceLabel } from '#contract/services.ts'
import { countOf } from '../../format/count.ts'
import type { Consultation } from '../record.ts'
import { kindView } from './kind-view.ts'

const { labels } = consultations

const serviceTags: Record<Service, string> = {
  'website-creation': 'Website',
  'basic-package': 'Basic',
  'premium-package': 'Premium',
  custom: 'Custom',
}

export const consultationsView = kindView(consultations, {
  title: 'Consultations',
  noun: 'consultation',
  nouns: 'consultations',
  actions: {
    pending: null,
    contacted: 'Mark as Contacted',
    completed: 'Mark as Completed',
  },
  heading: (matching, status) => `${countOf(matching)} ${status ?? 'Total'} Consultations`,
  nothingSelected: 'No Consultation Selected',
  line: ({ service }: Consultation) => serviceLabel(service),
  tag: ({ service }: Consultation) => serviceTags[service],
  outcomes: {},
  topics: null,
  facts: (record: Consultation) => [
    { term: labels.email, value: record.email, as: 'email' },
    { term: labels.phone, value: record.phone, as: 'phone' },
    { term: labels.company, value: record.company },
    { term: labels.preferredDate, value: record.preferredDate, as: 'day' },
    ...planLines(record.plan).map(([term, value]) => ({
      term: `Plan: ${term.toLowerCase()}`,
      value,
    })),
    { term: 'Date requested', value: record.createdAt, as: 'moment' },
  ],
  body: ({ message }: Consultation) => ({ text: message }),
  mail: { label: 'Send Email', subject: () => 'Regarding Your Consultation Request' },
  placeholders: ({ service }: Consultation) => ({ service: serviceLabel(service) }),
})
