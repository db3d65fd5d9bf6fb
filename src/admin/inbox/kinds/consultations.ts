import { serviceLabel } from '#contract/services.ts'
import type { Consultation } from '../api/record.ts'
import { kindView } from './kind-view.ts'

export const consultationsView = kindView<Consultation>({
  kind: 'consultations',
  title: 'Consultations',
  noun: 'consultation',
  nouns: 'consultations',
  statuses: [
    { value: 'pending', label: 'Pending', stage: 'waiting' },
    { value: 'contacted', label: 'Contacted', stage: 'moving', action: 'Mark as Contacted' },
    { value: 'completed', label: 'Completed', stage: 'done', action: 'Mark as Completed' },
  ],
  heading: (matching, status) =>
    `${matching.toLocaleString('en')} ${status ?? 'Total'} Consultations`,
  texts: {
    empty: 'No consultations found',
    nothingSelected: 'No Consultation Selected',
    loadFailed: 'Failed to load consultations. Please try again.',
    changeFailed: 'Failed to update status. Please try again.',
    removeFailed: 'Failed to delete consultation. Please try again.',
    removeQuestion: 'Are you sure you want to delete this consultation?',
    search: 'Search consultations',
  },
  stamp: { by: 'completedBy', at: 'completedAt' },
  line: ({ service }) => serviceLabel(service),
  facts: (record) => [
    { term: 'Email', value: record.email, as: 'email' },
    { term: 'Phone', value: record.phone, as: 'phone' },
    { term: 'Company', value: record.company },
    { term: 'Preferred date', value: record.preferredDate, as: 'day' },
    { term: 'Date requested', value: record.createdAt, as: 'moment' },
  ],
  body: ({ message }) => ({ text: message }),
  mail: { label: 'Send Email', subject: () => 'Regarding Your Consultation Request' },
  promised: true,
})
