import type { ComponentType } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { applicationsView } from '../record/kinds/applications.ts'
import { consultationsView } from '../record/kinds/consultations.ts'
import { contactsView } from '../record/kinds/contacts.ts'
import { pageQuery } from '../record/list-records.ts'
import { isAskedEarly } from '../session/early-answers.ts'
import { queryClient } from '../session/query-client.ts'
import { Inbox } from './inbox.tsx'
import { filterOf } from './list/inbox-url.ts'

const inboxes = {
  consultations: () => <Inbox view={consultationsView} />,
  applications: () => <Inbox view={applicationsView} />,
  contacts: () => <Inbox view={contactsView} />,
}

/** Takes the first page that the document has asked for, so that a list is drawn once, with its records. */
export const openInbox = (kind: KindPath): ComponentType => {
  if (isAskedEarly(`/api/${kind}`)) void queryClient.prefetchQuery(pageQuery(kind, filterOf({}), 0))
  return inboxes[kind]
}
