import '#styles/consent.css'
import type { consultations } from '#contract/consultations.ts'
import type { FieldName } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { type Service, serviceLabel } from '#contract/services.ts'
import type { Choice, FormDescription } from '#ui/form/description.ts'
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
    phoneField,
    {
      name: 'company',
      label: 'Company',
      optional: true,
      autoComplete: 'organization',
      maxLength: limits.company,
      half: true,
    },
    {
      name: 'preferredDate',
      label: 'Preferred date',
      type: 'date',
      half: true,
      note: 'We write back within 24 hours and agree the hour with you. The date is a day in your own time zone.',
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
    text: `Thank you for your request. We will contact you within ${limits.promiseHours} hours to schedule your consultation.`,
    promiseHours: limits.promiseHours,
    back: { href: '/consultation', label: 'Back to Services' },
    toTop: true,
  },
  away: { href: '/consultation', label: 'Back to Services' },
}

const serviceChoice = (service: Service): Choice<Name> => ({
  name: 'service',
  label: 'Service',
  value: service,
  valueLabel: serviceLabel(service),
})

export const ConsultationForm = ({ service }: { service: Service }) => (
  <Form description={consultationForm} choice={serviceChoice(service)} />
)
