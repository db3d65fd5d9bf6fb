import type { Page, Request } from '@playwright/test'
import { entries } from '#site/content.ts'
import { isOff } from '#site/features.ts'

/** A public form for tests: its page, its values, its messages. */
export interface FormCase {
  path: string
  endpoint: string
  thanks: string
  /** By label. */
  values: Readonly<Record<string, string>>
  agrees: boolean
  submit: string
  sending: string
  failed: string
  sent: string
}

const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)

export const contact: FormCase = {
  path: '/',
  endpoint: '/api/contacts',
  thanks: '/thanks/contacts',
  values: {
    Name: 'Café owner',
    Email: 'owner@cafe.example',
    Message: 'We bake for two cafés and want to take orders online.',
  },
  agrees: false,
  submit: 'Send Message',
  sending: 'Sending...',
  failed: 'Failed to send message. Please try again.',
  sent: 'Message sent successfully!',
}

export const consultation: FormCase = {
  path: '/consultation-form',
  endpoint: '/api/consultations',
  thanks: '/thanks/consultations',
  values: {
    Name: 'Bakery owner',
    Email: 'owner@bakery.example',
    Phone: '(123) 456-7890',
    'Preferred date': inTenDays,
    Message: 'We need a page that takes orders for Saturday.',
  },
  agrees: true,
  submit: 'Submit Request',
  sending: 'Submitting...',
  failed: 'Failed to submit consultation request. Please try again.',
  sent: 'Consultation Request Submitted Successfully!',
}

export const application: FormCase = {
  path: '/apply',
  endpoint: '/api/applications',
  thanks: '/thanks/applications',
  values: {
    Name: 'Second-year student',
    Email: 'student@university.example',
    Location: 'Pune',
    University: 'A University',
    Major: 'Computer Science',
    'Year of study': '2',
    'Cover letter': 'I write small servers and want to write larger ones.',
    'Resume link': 'https://drive.example/resume',
  },
  agrees: true,
  submit: 'Submit Application',
  sending: 'Submitting...',
  failed: 'Failed to submit application. Please try again.',
  sent: 'Application Submitted Successfully!',
}

export const allForms = [contact, consultation, application].filter(({ path }) => !isOff(path))

/** A position that the form is there for. */
export const openPosition = entries('openings').find(({ data }) => data.open)?.id ?? 'other'

export const submitButton = (page: Page, { submit }: FormCase) =>
  page.getByRole('button', { name: submit, exact: true })

/** Scrolls the form into view and waits until its script runs. */
export const comesAlive = async (page: Page) => {
  await page.getByRole('form').scrollIntoViewIfNeeded()
  await page.locator('astro-island:has(form):not([ssr])').waitFor({ state: 'attached' })
}

/** Opens the form's page and waits until its script runs. */
export const open = async (page: Page, form: FormCase, path = form.path) => {
  await page.goto(path)
  await comesAlive(page)
}

export const reload = async (page: Page) => {
  await page.reload()
  await comesAlive(page)
}

export const fill = async (page: Page, form: FormCase, changes: Record<string, string> = {}) => {
  for (const [label, value] of Object.entries({ ...form.values, ...changes }))
    await page.getByLabel(label, { exact: true }).fill(value)
  if (form.agrees) await page.getByRole('checkbox').check()
}

/** A text that no other test sends, so that it does not count as a duplicate. */
export const unique = (text: string) => `${text} ${crypto.randomUUID()}`

/** The name of a form's long text, with a text of its own. */
export const ownText = (form: FormCase): Record<string, string> => {
  const label = Object.keys(form.values).find((name) => /Message|Cover letter/.test(name)) ?? ''
  return { [label]: unique(form.values[label] ?? '') }
}

/** Collects the page's submissions from now on. */
export const submissions = (page: Page, { endpoint }: FormCase): Request[] => {
  const requests: Request[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === endpoint)
      requests.push(request)
  })
  return requests
}
