import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { email, personName, phone, preferredDate } from './fields.ts'
import { consent, defineKind } from './inbox.ts'
import { limits } from './limits.ts'
import { services } from './services.ts'
import { agree, receipt, submission } from './submission.ts'
import { longText, oneLine } from './text.ts'

/** Requests for a consultation. */

const statuses = ['pending', 'contacted', 'completed'] as const

const consultationFields = {
  name: personName,
  email,
  phone,
  company: z.optional(oneLine('Company', { max: limits.company })),
  service: z.catch(z.enum(services), 'custom'),
  message: longText('Message', { max: limits.message }),
  preferredDate,
}

export const requestConsultation = endpoint({
  method: 'POST',
  path: '/api/consultations',
  summary: 'Request a consultation',
  access: 'public',
  body: submission({ ...consultationFields, agree }),
  output: receipt({ status: z.enum(statuses) }),
  status: 201,
  form: true,
})

export const consultations = defineKind({
  path: 'consultations',
  statuses,
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
  who: 'completedBy',
  at: 'completedAt',
})
