import { applications } from '#contract/applications.ts'
import { countOf } from '../../format/count.ts'
import { site, tagOf } from '../../site.ts'
import type { Application } from '../record.ts'
import { type Fact, kindView } from './kind-view.ts'

const { labels } = applications

/** Facts about the applicant, unless they are hidden. */
const ifKnown = ({ candidate }: Application, facts: Fact[]): Fact[] =>
  candidate === undefined ? facts : []

export const applicationsView = kindView(applications, {
  title: 'Applications',
  noun: 'application',
  nouns: 'applications',
  counted: 'total candidates',
  form: '/careers',
  actions: {
    new: null,
    reviewing: 'Mark as Reviewing',
    interviewed: 'Mark as Interviewed',
    accepted: 'Accept Application',
    rejected: 'Reject Application',
  },
  heading: (matching, status) => `${countOf(matching)} ${status ?? 'Total'} Applications`,
  nothingSelected: 'No Application Selected',
  line: ({ positionLabel }: Application) => positionLabel,
  tag: ({ position, positionLabel, score, untold }: Application) =>
    `${tagOf(site.positions, position, positionLabel)}${untold ? ', not told' : score.mine ? ', scored' : ''}`,
  outcomes: { accepted: 'Accept with a message …', rejected: 'Reject with a message …' },
  topics: {
    field: 'position',
    label: labels.position,
    labels: Object.fromEntries(site.positions.map(({ id, label }) => [id, label])),
  },
  facts: (record: Application) => [
    ...ifKnown(record, [
      { term: labels.email, value: record.email, as: 'email' },
      { term: labels.phone, value: record.phone, as: 'phone' },
      { term: labels.location, value: record.location },
      { term: labels.university, value: record.university },
    ]),
    { term: labels.yearOfStudy, value: String(record.yearOfStudy) },
    { term: labels.major, value: record.major },
    ...ifKnown(record, [
      { term: labels.portfolio, value: record.portfolio, as: 'link' },
      { term: labels.linkedin, value: record.linkedin, as: 'link' },
      { term: labels.resumeUrl, value: record.resumeUrl, as: 'file' },
    ]),
    { term: 'Date applied', value: record.createdAt, as: 'moment' },
  ],
  body: ({ coverLetter }: Application) => ({ heading: labels.coverLetter, text: coverLetter }),
  mail: {
    label: 'Send Email',
    subject: ({ positionLabel }: Application) => `Regarding Your Application for ${positionLabel}`,
  },
  placeholders: ({ positionLabel }: Application) => ({ position: positionLabel }),
})
