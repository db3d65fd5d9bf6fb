import { defaultSort, hashOf, inboxSearch } from '../inbox/list/inbox-url.ts'
import { views } from '../record/kinds/views.ts'
import type { SavedView } from './queries.ts'

/** The link of a saved view: its filter in the URL, its search text in the fragment. */
export const savedLink = ({ kind, filter }: Pick<SavedView, 'kind' | 'filter'>) => {
  const { q, sort, ...others } = filter
  const search = sort === defaultSort(filter) ? others : { ...others, sort }
  return {
    to: `/admin/${kind}` as const,
    search: inboxSearch(views[kind])(search),
    hash: hashOf(q),
  }
}
