import '#styles/consent.css'
import type { applications } from '#contract/applications.ts'
import type { FieldName } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { FormDescription } from '#ui/form/description.ts'
import { Form } from '#ui/form/form.tsx'
import { emailField, nameField, phoneField } from '#ui/form/person-fields.ts'

const urlHints = { type: 'url', inputMode: 'url', maxLength: limits.url } as const

type Name = FieldName<typeof applications>

export const applicationForm: FormDescription<Name> = {
  kind: 'applications',
  route: { method: 'POST', path: '/api/applications' },
  name: 'Application',
  fields: [
    nameField,
    emailField,
    {
      ...phoneField,
      optional: true,
      hint: 'Only for the day of an interview.',
    },
    {
      name: 'location',
      label: 'Location',
      autoComplete: 'address-level2',
      placeholder: 'City, country',
      maxLength: limits.location,
      half: true,
    },
    {
      name: 'university',
      label: 'University',
      placeholder: 'Its full name',
      maxLength: limits.university,
    },
    {
      name: 'major',
      label: 'Major',
      placeholder: 'What you study',
      hint: 'Any subject is welcome.',
      maxLength: limits.major,
      half: true,
    },
    {
      name: 'yearOfStudy',
      label: 'Year of study',
      type: 'number',
      inputMode: 'numeric',
      min: limits.yearOfStudy.min,
      max: limits.yearOfStudy.max,
      half: true,
      hint: `A number from ${limits.yearOfStudy.min} to ${limits.yearOfStudy.max}: the year you are in now, counted from the start of your degree.`,
    },
    {
      name: 'portfolio',
      label: 'Portfolio link',
      optional: true,
      autoComplete: 'url',
      hint: 'A site, a repository or a folder with your work.',
      placeholder: 'https://',
      half: true,
      ...urlHints,
    },
    {
      name: 'linkedin',
      label: 'LinkedIn link',
      optional: true,
      autoComplete: 'url',
      hint: 'The whole address of your profile.',
      placeholder: 'https://www.linkedin.com/in/',
      half: true,
      ...urlHints,
    },
    {
      name: 'coverLetter',
      label: 'Cover letter',
      type: 'long',
      hint: 'Why this position, what you have built, and what you want to learn.',
      maxLength: limits.coverLetter,
    },
    {
      name: 'resumeUrl',
      label: 'Resume link',
      autoComplete: 'off',
      hint: 'A file on a shared drive. The link must be publicly accessible: open it in a private window to be sure.',
      placeholder: 'https://',
      ...urlHints,
    },
  ],
  consent: true,
  submit: 'Submit Application',
  sending: 'Submitting...',
  failed: 'Failed to submit application. Please try again.',
  failures: 'above',
  sent: {
    heading: 'Application Submitted Successfully!',
    title: 'Application sent',
    text: 'Thank you for applying. We will review your application and get back to you soon.',
    back: { href: '/careers', label: 'Back to Careers' },
  },
}

interface Props {
  /** Chosen before, with its label; without it the form offers the open ones. */
  position?: string | undefined
  label?: string | undefined
  options?: readonly { value: string; label: string }[] | undefined
}

export const ApplicationForm = ({ position, label, options = [] }: Props) => (
  <Form
    description={applicationForm}
    choice={{
      name: 'position',
      label: 'Position',
      value: position,
      valueLabel: label,
      hint: 'You can also leave it open: we say which project would suit you.',
      options: [{ value: 'other', label: 'No particular position' }, ...options],
    }}
  />
)
