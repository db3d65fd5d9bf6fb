import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { email, personName, phone, preferredDate } from './fields.ts'
import { consent, defineKind } from './inbox.ts'
import { limits } from './limits.ts'
import { services } from './services.ts'
import { agree, receipt, submission } from './submission.ts'
import { longText, oneLine } from './text.ts'

/** Requests for a consultation. */

const consultationFields = {
  name: personName,
  email,
  phone,
  company: z.optional(oneLine('Company', { max: limits.company })),
  service: z.catch(z.enum(services), 'custom'),
  message: longText('Message', { max: limits.message }),
  preferredDate,
}

export const consultations = defineKind({
  path: 'consultations',
  steps: {
    pending: { label: 'Pending', stage: 'waiting' },
    contacted: { label: 'Contacted', stage: 'moving' },
    completed: { label: 'Completed', stage: 'done' },
  },
  promisedIn: 'pending',
  fields: {
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    company: z.nullable(z.string()),
    service: z.enum(services),
    message: z.string(),
    /** A calendar day, `YYYY-MM-DD`. */
    preferredDate: z.string(),
    consent,
  },
  labels: {
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    company: 'Company',
    service: 'Service',
    message: 'Message',
    preferredDate: 'Preferred date',
  },
  who: 'completedBy',
  at: 'completedAt',
})

export const requestConsultation = endpoint({
  method: 'POST',
  path: '/api/consultations',
  summary: 'Request a consultation',
  access: 'public',
  body: submission({ ...consultationFields, agree }),
  output: receipt({ status: z.enum(consultations.statuses) }),
  status: 201,
  form: true,
})
