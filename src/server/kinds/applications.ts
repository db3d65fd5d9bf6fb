import { applyForInternship, applications as contract } from '#contract/applications.ts'
import { openingState, positionLabel } from '#contract/positions.ts'
import { applications as table } from '#server/db/schema/applications.ts'
import { type Kind, textOf } from './kind.ts'

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
    const label = positionLabel(textOf(position))
    return { position: [`The ${label} position is not taking applications at the moment.`] }
  },
  mail: {
    subject: (fields) => `application, ${positionLabel(textOf(fields.position))}`,
    facts: (fields) => [
      ['Name', textOf(fields.name)],
      ['Email', textOf(fields.email)],
      ['Phone', textOf(fields.phone) || 'N/A'],
      ['Location', textOf(fields.location)],
      ['Position', positionLabel(textOf(fields.position))],
      ['University', textOf(fields.university)],
      ['Year of study', textOf(fields.yearOfStudy)],
      ['Major', textOf(fields.major)],
      ['Portfolio', textOf(fields.portfolio) || 'N/A'],
      ['LinkedIn', textOf(fields.linkedin) || 'N/A'],
      ['Resume', textOf(fields.resumeUrl)],
    ],
    acknowledgement: {
      subject: 'We have your application',
      paragraphs: (fields) => [
        `Thank you for applying: ${positionLabel(textOf(fields.position))}.`,
        'We will review your application and get back to you soon, at this address. There is nothing you need to do until then.',
      ],
      promises: false,
    },
  },
}
