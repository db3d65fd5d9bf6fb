import { consultations } from '#contract/consultations.ts'
import { planLines } from '#contract/plan.ts'
import { countOf } from '../../format/count.ts'
import { site, tagOf } from '../../site.ts'
import type { Consultation } from '../record.ts'
import { kindView } from './kind-view.ts'

const { labels } = consultations

export const consultationsView = kindView(consultations, {
  title: 'Consultations',
  noun: 'consultation',
  nouns: 'consultations',
  counted: 'total requests',
  form: '/consultation',
  actions: {
    pending: null,
    contacted: 'Mark as Contacted',
    completed: 'Mark as Completed',
  },
  heading: (matching, status) => `${countOf(matching)} ${status ?? 'Total'} Consultations`,
  nothingSelected: 'No Consultation Selected',
  line: ({ serviceLabel }: Consultation) => serviceLabel,
  tag: ({ service, serviceLabel }: Consultation) => tagOf(site.services, service, serviceLabel),
  outcomes: {},
  topics: {
    field: 'service',
    label: labels.service,
    labels: Object.fromEntries(site.services.map(({ id, label }) => [id, label])),
  },
  facts: (record: Consultation) => [
    { term: labels.email, value: record.email, as: 'email' },
    { term: labels.phone, value: record.phone, as: 'phone' },
    { term: labels.company, value: record.company },
    { term: labels.preferredDate, value: record.preferredDate, as: 'day' },
    ...planLines(record.plan, site.planTexts).map(([term, value]) => ({
      term: `Plan: ${term.toLowerCase()}`,
      value,
    })),
    { term: 'Date requested', value: record.createdAt, as: 'moment' },
  ],
  body: ({ message }: Consultation) => ({ text: message }),
  mail: { label: 'Send Email', subject: () => 'Regarding Your Consultation Request' },
  placeholders: ({ serviceLabel }: Consultation) => ({ service: serviceLabel }),
})
