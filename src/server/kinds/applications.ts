import { applyForInternship, applications as contract } from '#contract/applications.ts'
import { openingState, positionLabel } from '#contract/positions.ts'
import { applications as table } from '#server/db/schema/applications.ts'
import { describeKind } from './kind.ts'

export const applications = describeKind(contract, {
  table,
  submit: applyForInternship,
  noun: 'Application',
  searched: ['name', 'email', 'university', 'major', 'coverLetter'],
  longText: 'coverLetter',
  isScored: true,
  owesDecision: true,
  shown: ({ position }) => ({ position: positionLabel(position) }),
  closed: ({ position }, openings, now) => {
    const opening = position === 'other' ? undefined : openings[position]
    if (!opening || openingState(opening, now) === 'open') return undefined
    return {
      position: [
        `The ${positionLabel(position)} position is not taking applications at the moment.`,
      ],
    }
  },
  mail: {
    subject: ({ position }) => `application, ${positionLabel(position)}`,
    facts: [
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
      'resumeUrl',
    ],
    acknowledgement: {
      subject: 'We have your application',
      paragraphs: ({ position }) => [
        `Thank you for applying: ${positionLabel(position)}.`,
        'We will review your application and get back to you soon, at this address. There is nothing you need to do until then.',
      ],
    },
  },
})
