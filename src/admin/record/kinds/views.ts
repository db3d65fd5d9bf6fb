import type { KindPath } from '#contract/inbox.ts'
import { applicationsView } from './applications.ts'
import { consultationsView } from './consultations.ts'
import { contactsView } from './contacts.ts'
import type { KindView } from './kind-view.ts'

export const views: Record<KindPath, KindView> = {
  consultations: consultationsView,
  applications: applicationsView,
  contacts: contactsView,
}
