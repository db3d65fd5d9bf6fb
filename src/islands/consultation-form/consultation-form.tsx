import '#styles/consent.css'
import type { consultations } from '#contract/consultations.ts'
import type { FieldName } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { FormDescription } from '#ui/form/description.ts'
import { Form } from '#ui/form/form.tsx'
import { emailField, nameField, phoneField } from '#ui/form/person-fields.ts'

type Name = FieldName<typeof consultations>

export const consultationForm: FormDescription<Name> = {
  kind: 'consultations',
  route: { method: 'POST', path: '/api/consultations' },
  name: 'Consultation request',
  fields: [
    nameField,
    emailField,
    {
      ...phoneField,
      hint: 'For the talk itself, or if a date moves. We do not call to sell.',
    },
    {
      name: 'preferredDate',
      label: 'Preferred date',
      type: 'date',
      half: true,
      hint: `Today at the earliest, in your own time zone. We agree the hour with you within ${limits.promiseHours} hours.`,
    },
    {
      name: 'company',
      label: 'Company',
      optional: true,
      autoComplete: 'organization',
      maxLength: limits.company,
    },
    {
      name: 'message',
      label: 'Message',
      type: 'long',
      hint: 'What the business does, who buys from you, and what the site should change.',
      maxLength: limits.message,
    },
  ],
  consent: true,
  submit: 'Submit Request',
  sending: 'Submitting...',
  failed: 'Failed to submit consultation request. Please try again.',
  failures: 'above',
  sent: {
    heading: 'Consultation Request Submitted Successfully!',
    title: 'Request sent',
    text: `Thank you for your request. We will contact you within ${limits.promiseHours} hours to schedule your consultation.`,
    promiseHours: limits.promiseHours,
    back: { href: '/consultation', label: 'Back to Services' },
  },
  away: { href: '/consultation', label: 'Back to Services' },
}

interface Props {
  /** Chosen before, with its label; without it the form offers all. */
  service?: string | undefined
  label?: string | undefined
  options?: readonly { value: string; label: string }[] | undefined
  /** True if a first talk is offered. */
  hasTalk?: boolean
}

export const ConsultationForm = ({ service, label, options = [], hasTalk }: Props) => (
  <Form
    description={consultationForm}
    choice={{
      name: 'service',
      label: 'Service',
      value: service,
      valueLabel: label,
      hint: `${hasTalk ? 'Most people start with the talk' : 'Choose what fits best'}. It ties you to nothing.`,
      options: [{ value: 'custom', label: 'Not sure yet, or something else' }, ...options],
    }}
  />
)
