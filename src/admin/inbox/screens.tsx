import type { ComponentType } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { views } from '../record/kinds/views.ts'
import { pageQuery } from '../record/list-records.ts'
import { isAskedEarly } from '../session/early-answers.ts'
import { queryClient } from '../session/query-client.ts'
import { Inbox } from './inbox.tsx'
import { filterOf } from './list/inbox-url.ts'

/** Takes the first page that the document has asked for, so that a list is drawn once, with its records. */
export const openInbox = (kind: KindPath): ComponentType => {
  if (isAskedEarly(`/api/${kind}`)) void queryClient.prefetchQuery(pageQuery(kind, filterOf({}), 0))
  return () => <Inbox view={views[kind]} />
}
