import type { KindPath } from '#contract/inbox.ts'
import { isAskedEarly } from '../session/early-answers.ts'
import { queryClient } from '../session/query-client.ts'
import { pageQuery } from './api/list-records.ts'
import { Inbox } from './inbox.tsx'
import { applicationsView } from './kinds/applications.ts'
import { consultationsView } from './kinds/consultations.ts'
import { contactsView } from './kinds/contacts.ts'
import { filterOf } from './list/inbox-url.ts'

export const ConsultationsScreen = () => <Inbox view={consultationsView} />
export const ApplicationsScreen = () => <Inbox view={applicationsView} />
export const ContactsScreen = () => <Inbox view={contactsView} />

/** Reads the first page that the document asked for, so that a list is drawn once, with its records. */
export const takeEarlyPage = (kind: KindPath): void => {
  if (isAskedEarly(`/api/${kind}`)) void queryClient.prefetchQuery(pageQuery(kind, filterOf({}), 0))
}
