import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { email, personName, phone, webUrl } from './fields.ts'
import { consent, defineKind } from './inbox.ts'
import { limits } from './limits.ts'
import { positions } from './positions.ts'
import { agree, receipt, submission } from './submission.ts'
import { longText, oneLine } from './text.ts'

/** Applications for an internship. */

const yearSentence = `Year of study is a whole number from ${limits.yearOfStudy.min} to ${limits.yearOfStudy.max}.`

/** A number or a digit string. */
const yearOfStudy = z.pipe(
  z.transform((value) =>
    typeof value === 'string' && /^\d{1,3}$/.test(value.trim()) ? Number(value) : value,
  ),
  z
    .int({ error: yearSentence })
    .check(
      z.gte(limits.yearOfStudy.min, yearSentence),
      z.lte(limits.yearOfStudy.max, yearSentence),
    ),
)

export const applicationFields = {
  name: personName,
  email,
  phone: z.optional(phone),
  location: oneLine('Location', { max: limits.location }),
  position: z.catch(z.enum(positions), 'other'),
  university: oneLine('University', { max: limits.university }),
  yearOfStudy,
  major: oneLine('Major', { max: limits.major }),
  portfolio: z.optional(webUrl('Portfolio link')),
  linkedin: z.optional(webUrl('LinkedIn link')),
  coverLetter: longText('Cover letter', { max: limits.coverLetter }),
  resumeUrl: webUrl('Resume link'),
}

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
    position: z.enum(positions),
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
})

export const applyForInternship = endpoint({
  method: 'POST',
  path: '/api/applications',
  summary: 'Apply for an internship',
  access: 'public',
  body: submission({ ...applicationFields, agree }),
  output: receipt({ status: z.enum(applications.statuses) }),
  status: 201,
  form: true,
})
