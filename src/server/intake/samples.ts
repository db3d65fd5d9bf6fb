import type { FieldName, KindPath } from '#contract/inbox.ts'
import type { Kinds } from '#contract/kinds.ts'
import { entries, judging, packageServices } from '#site/content.ts'

const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)

const [service = 'custom'] = packageServices()
const opening = entries('openings').find(
  ({ id, data }) => data.open && !data.opensAt && !data.closesAt && !judging(id).blind,
)

export const samples: {
  readonly [Path in KindPath]: { readonly [Name in FieldName<Kinds[Path]> | 'agree']?: unknown }
} = {
  contacts: {
    name: 'Zoë O’Hara',
    email: 'Zoe+site@Mail.example',
    message: 'We bake bread for two cafés.\nCan people order it online?',
  },
  consultations: {
    name: 'Bakery owner',
    email: 'owner@bakery.example',
    phone: '(123) 456-7890',
    company: 'Two Cafés',
    service,
    message: 'We need a page that takes orders.',
    preferredDate: inTenDays,
  },
  applications: {
    name: 'Second-year student',
    email: 'student@university.example',
    location: 'Pune',
    position: opening?.id ?? 'other',
    university: 'A University',
    yearOfStudy: 2,
    major: 'Computer Science',
    coverLetter: 'I write small servers and would like to write larger ones.',
    resumeUrl: 'https://drive.example/resume',
  },
}
