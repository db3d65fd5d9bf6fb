import { positionLabel } from '#contract/positions.ts'
import type { Application } from '../api/record.ts'
import { kindView } from './kind-view.ts'

export const applicationsView = kindView<Application>({
  kind: 'applications',
  title: 'Applications',
  noun: 'application',
  nouns: 'applications',
  statuses: [
    { value: 'new', label: 'New', stage: 'waiting' },
    { value: 'reviewing', label: 'Reviewing', stage: 'moving', action: 'Mark as Reviewing' },
    { value: 'interviewed', label: 'Interviewed', stage: 'moving', action: 'Mark as Interviewed' },
    { value: 'accepted', label: 'Accepted', stage: 'done', action: 'Accept Application' },
    { value: 'rejected', label: 'Rejected', stage: 'closed', action: 'Reject Application' },
  ],
  heading: (matching, status) =>
    `${matching.toLocaleString('en')} ${status ?? 'Total'} Applications`,
  texts: {
    empty: 'No applications found',
    nothingSelected: 'No Application Selected',
    loadFailed: 'Failed to load applications. Please try again.',
    changeFailed: 'Failed to update status. Please try again.',
    removeFailed: 'Failed to delete application. Please try again.',
    removeQuestion: 'Are you sure you want to delete this application?',
    search: 'Search applications',
  },
  stamp: { by: 'reviewedBy', at: 'reviewedAt' },
  line: ({ position }) => positionLabel(position),
  facts: (record) => [
    { term: 'Email', value: record.email, as: 'email' },
    { term: 'Phone', value: record.phone, as: 'phone' },
    { term: 'Location', value: record.location },
    { term: 'University', value: record.university },
    { term: 'Year of study', value: String(record.yearOfStudy) },
    { term: 'Major', value: record.major },
    { term: 'Portfolio', value: record.portfolio, as: 'link' },
    { term: 'LinkedIn', value: record.linkedin, as: 'link' },
    { term: 'Resume', value: record.resumeUrl, as: 'file' },
    { term: 'Date applied', value: record.createdAt, as: 'moment' },
  ],
  body: ({ coverLetter }) => ({ heading: 'Cover letter', text: coverLetter }),
  mail: {
    label: 'Send Email',
    subject: ({ position }) => `Regarding Your Application for ${positionLabel(position)}`,
  },
  promised: false,
})
