import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { defineKind } from './define-kind.ts'
import { choice, email, entryId, personName, phone, webUrl, wholeNumber } from './fields.ts'
import { absentIfBlank, consent } from './inbox.ts'
import { limits } from './limits.ts'
import { agree, receipt, submission } from './submission.ts'
import { longText, oneLine } from './text.ts'

const yearOfStudy = z.pipe(
  z.transform((value) =>
    typeof value === 'string' && /^\d{1,3}$/.test(value.trim()) ? Number(value) : value,
  ),
  wholeNumber('Year of study', limits.yearOfStudy),
)

export const applicationFields = {
  name: personName,
  email,
  phone: z.optional(phone),
  location: oneLine('Location', { max: limits.location }),
  position: choice('other', 'positions'),
  university: oneLine('University', { max: limits.university }),
  yearOfStudy,
  major: oneLine('Major', { max: limits.major }),
  portfolio: z.optional(webUrl('Portfolio link')),
  linkedin: z.optional(webUrl('LinkedIn link')),
  coverLetter: longText('Cover letter', { max: limits.coverLetter }),
  resumeUrl: webUrl('Resume link'),
}

const scoreSentence = `Each criterion has a whole number from 1 to ${limits.score.max}.`

/** By the key of the criterion. */
const criteria = z.record(
  z.string().check(z.regex(/^[a-z][a-z-]{0,39}$/)),
  z
    .int({ error: scoreSentence })
    .check(z.gte(1, scoreSentence), z.lte(limits.score.max, scoreSentence)),
  { error: 'Send the criteria as an object, by their keys.' },
)

const score = { criteria, comment: z.nullable(z.string()) }

const scores = z.object({
  mine: z.nullable(z.object(score)),
  count: z.int(),
  /** Null until one’s own is in. */
  others: z.nullable(z.array(z.object({ by: z.string(), ...score }))),
})
export type Scores = z.output<typeof scores>

export const applications = defineKind({
  path: 'applications',
  steps: {
    new: { label: 'New', stage: 'waiting' },
    reviewing: { label: 'Reviewing', stage: 'moving' },
    interviewed: { label: 'Interviewed', stage: 'moving' },
    accepted: { label: 'Accepted', stage: 'done' },
    rejected: { label: 'Rejected', stage: 'closed' },
  },
  promisedIn: null,
  fields: {
    name: z.string(),
    email: z.string(),
    phone: z.nullable(z.string()),
    location: z.string(),
    position: z.string(),
    university: z.string(),
    yearOfStudy: z.int(),
    major: z.string(),
    portfolio: z.nullable(z.string()),
    linkedin: z.nullable(z.string()),
    coverLetter: z.string(),
    resumeUrl: z.string(),
    consent,
  },
  labels: {
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    location: 'Location',
    position: 'Position',
    university: 'University',
    yearOfStudy: 'Year of study',
    major: 'Major',
    portfolio: 'Portfolio',
    linkedin: 'LinkedIn',
    coverLetter: 'Cover letter',
    resumeUrl: 'Resume',
  },
  who: 'reviewedBy',
  at: 'reviewedAt',
  hidden: [
    'name',
    'email',
    'phone',
    'location',
    'university',
    'portfolio',
    'linkedin',
    'resumeUrl',
  ],
  filter: { position: absentIfBlank(entryId('Unknown position.')) },
  extra: {
    record: {
      positionLabel: z.string(),
      score: scores,
      /** True if it is decided and no message has told its sender. */
      untold: z.boolean(),
      /** The day by which everybody who applied hears the decision, `YYYY-MM-DD`. */
      answerBy: z.nullable(z.string()),
      /** In place of the name, in a blind answer. */
      candidate: z.optional(z.int()),
    },
    detail: {
      /** The position's criteria, each with words for 1 to 4. */
      criteria: z.array(
        z.object({ key: z.string(), label: z.string(), anchors: z.array(z.string()) }),
      ),
    },
  },
})

export const scoreApplication = endpoint('PUT /api/applications/:id/score', {
  summary: 'Give one’s own score, in place of an earlier one',
  access: 'records.change',
  body: z.object({
    criteria: criteria.check(
      z.refine((given) => Object.keys(given).length > 0, {
        error: 'Score at least one criterion.',
      }),
    ),
    comment: absentIfBlank(longText('The comment', { max: limits.score.comment })),
  }),
  output: z.object({ data: applications.detail }),
})

export const revealApplication = endpoint('POST /api/applications/:id/reveal', {
  summary: 'The whole record; that it was asked for is logged',
  access: 'records.change',
  output: z.object({ data: applications.detail }),
  repeatable: true,
})

export const applyForInternship = endpoint('POST /api/applications', {
  summary: 'Apply for a position',
  access: 'public',
  body: submission({ ...applicationFields, agree }),
  output: receipt({ status: z.enum(applications.statuses) }),
  status: 201,
  form: true,
})
