import { applyForInternship, applications as contract } from '#contract/applications.ts'
import { openingState } from '#contract/positions.ts'
import { applications as table } from '#server/db/schema/applications.ts'
import { openings, positionIds, positionLabel } from '#site/content.ts'
import { choiceLabel, describeKind } from './kind.ts'

const choice = {
  field: 'position',
  other: 'other',
  ids: positionIds,
  label: positionLabel,
} as const

export const applications = describeKind(contract, {
  table,
  submit: applyForInternship,
  searched: ['name', 'email', 'university', 'major', 'coverLetter'],
  longText: 'coverLetter',
  isScored: true,
  choice,
  owesDecision: true,
  shown: (fields) => ({ position: choiceLabel(choice, fields) }),
  closed: ({ position }, now) => {
    if (position === choice.other) return undefined
    const { [position]: opening = { open: false } } = openings()
    if (openingState(opening, now) === 'open') return undefined
    return {
      position: [
        `The ${positionLabel(position)} position is not taking applications at the moment.`,
      ],
    }
  },
  mail: {
    subject: (fields) => `application, ${choiceLabel(choice, fields)}`,
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
      paragraphs: (fields) => [
        `Thank you for applying: ${choiceLabel(choice, fields)}.`,
        'We will review your application and get back to you soon, at this address. There is nothing you need to do until then.',
      ],
    },
  },
})
