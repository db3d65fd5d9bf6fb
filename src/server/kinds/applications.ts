import { applyForInternship, applications as contract } from '#contract/applications.ts'
import { openingState, positionLabel } from '#contract/positions.ts'
import { applications as table } from '#server/db/schema/applications.ts'
import { fieldText, type Kind } from './kind.ts'

export const applications: Kind = {
  path: 'applications',
  table,
  submit: applyForInternship,
  statuses: contract.statuses,
  who: contract.who,
  at: contract.at,
  fields: [
    'name',
    'email',
    'phone',
    'location',
    'position',
    'university',
    'yearOfStudy',
    'major',
    'portfolio',
    'linkedin',
    'coverLetter',
    'resumeUrl',
  ],
  searched: ['name', 'email', 'university', 'major', 'coverLetter'],
  longText: 'coverLetter',
  asksConsent: true,
  closed: ({ position }, openings, now) => {
    const opening = Object.entries(openings).find(([value]) => value === position)?.[1]
    if (!opening || openingState(opening, now) === 'open') return undefined
    const label = positionLabel(fieldText(position))
    return { position: [`The ${label} position is not taking applications at the moment.`] }
  },
  mail: {
    subject: (fields) => `application, ${positionLabel(fieldText(fields.position))}`,
    facts: (fields) => [
      ['Name', fieldText(fields.name)],
      ['Email', fieldText(fields.email)],
      ['Phone', fieldText(fields.phone) || 'N/A'],
      ['Location', fieldText(fields.location)],
      ['Position', positionLabel(fieldText(fields.position))],
      ['University', fieldText(fields.university)],
      ['Year of study', fieldText(fields.yearOfStudy)],
      ['Major', fieldText(fields.major)],
      ['Portfolio', fieldText(fields.portfolio) || 'N/A'],
      ['LinkedIn', fieldText(fields.linkedin) || 'N/A'],
      ['Resume', fieldText(fields.resumeUrl)],
    ],
    acknowledgement: {
      subject: 'We have your application',
      paragraphs: (fields) => [
        `Thank you for applying: ${positionLabel(fieldText(fields.position))}.`,
        'We will review your application and get back to you soon, at this address. There is nothing you need to do until then.',
      ],
      promises: false,
    },
  },
}
