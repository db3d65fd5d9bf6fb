import type { contacts } from '#contract/contacts.ts'
import type { FieldName } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { FormDescription } from '#ui/form/description.ts'
import { Form } from '#ui/form/form.tsx'
import { emailField, nameField } from '#ui/form/person-fields.ts'

type Name = FieldName<typeof contacts>

export const contactForm: FormDescription<Name> = {
  kind: 'contacts',
  route: { method: 'POST', path: '/api/contacts' },
  name: 'Contact',
  fields: [
    nameField,
    emailField,
    { name: 'message', label: 'Message', type: 'long', maxLength: limits.message },
  ],
  consent: false,
  submit: 'Send Message',
  sending: 'Sending...',
  failed: 'Failed to send message. Please try again.',
  failures: 'below',
  sent: {
    heading: 'Message sent successfully!',
    text: "We'll get back to you as soon as possible.",
    promiseHours: limits.promiseHours,
  },
  remark: 'All three boxes are needed.',
}

export const ContactForm = () => <Form description={contactForm} />
