import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { offer } from '#contract/offers/offer.ts'
import { staffAppointment } from '#contract/times/appointment.ts'
import { defineKind } from './define-kind.ts'
import { choice, email, entryId, personName, phone, preferredDate } from './fields.ts'
import { absentIfBlank, consent } from './inbox.ts'
import { limits } from './limits.ts'
import { nestedPlan, type PlanQuestion, planFields, planValues, readPlan } from './plan.ts'
import { agree, receipt, submission } from './submission.ts'
import { longText, oneLine } from './text.ts'

/** The answers of the consultation page; unknown values count as absent. */
const plan = z.optional(
  z
    .pipe(z.unknown(), z.transform(readPlan))
    .check(
      z.meta({ description: `The plan: any of ${planFields.join(', ')}; from a form plan_goal …` }),
    ),
)

const withPlan = (body: unknown): unknown => {
  const plan = nestedPlan(body)
  return plan ? { plan, ...Object(body) } : body
}

const answer = <Q extends PlanQuestion>(question: Q) => z.nullable(z.enum(planValues(question)))

export const consultationFields = {
  name: personName,
  email,
  phone,
  company: z.optional(oneLine('Company', { max: limits.company })),
  service: choice('custom', 'consultation-services'),
  message: longText('Message', { max: limits.message }),
  preferredDate,
  plan,
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
    service: z.string(),
    message: z.string(),
    /** A calendar day, `YYYY-MM-DD`. */
    preferredDate: z.string(),
    plan: z.nullable(
      z.object({
        goal: answer('goal'),
        size: answer('size'),
        content: answer('content'),
        when: answer('when'),
        /** The day by which the site should be live, `YYYY-MM-DD`. */
        by: z.nullable(z.string()),
      }),
    ),
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
    plan: 'Plan',
  },
  who: 'completedBy',
  at: 'completedAt',
  filter: { service: absentIfBlank(entryId('Unknown service.')) },
  extra: {
    record: {
      /** The service's name and price at the time of the request. */
      serviceLabel: z.string(),
      appointment: z.nullable(staffAppointment),
    },
    detail: { offers: z.array(offer) },
  },
})

export const requestConsultation = endpoint('POST /api/consultations', {
  summary: 'Request a consultation',
  access: 'public',
  body: submission({ ...consultationFields, agree }, withPlan),
  output: receipt({ status: z.enum(consultations.statuses) }),
  status: 201,
  form: true,
})
