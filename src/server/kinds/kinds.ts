import type { KindPath } from '#contract/inbox.ts'
import { applications } from './applications.ts'
import { consultations } from './consultations.ts'
import { contacts } from './contacts.ts'
import type { Kind } from './kind.ts'

/** Every kind of submission, in the order of the dashboard. */
export const kinds: readonly Kind[] = [consultations, applications, contacts]

export const kindByPath: Readonly<Record<KindPath, Kind>> = {
  consultations,
  applications,
  contacts,
}
