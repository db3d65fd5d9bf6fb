import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { keys } from '../../record/keys.ts'
import { pollQuery, type RecordPage } from '../../record/list-records.ts'
import type { Filter } from '../../record/record.ts'
import { queryClient } from '../../session/query-client.ts'

const countsOf = ({ meta: { matching, counts, boxes, groups, drafts } }: RecordPage): string =>
  JSON.stringify([matching, counts, boxes, groups, drafts])

const versionsOf = ({ data }: RecordPage): string =>
  data.map(({ _id, version }) => `${_id} ${version}`).join()

/**
 * Polls while the tab is visible, and fetches the pages in view again when something has changed.
 * Gives the ids of the records that have arrived since the list was opened or last looked at, newest first.
 */
export const useArrivals = (kind: KindPath, filter: Filter, first: RecordPage | undefined) => {
  const { data: poll, dataUpdatedAt } = useQuery({
    ...pollQuery(kind, filter),
    enabled: first !== undefined,
  })
  const before = useRef<{ filter: Filter; versions: string }>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each poll is compared once
  useEffect(() => {
    if (!poll) return
    const versions = versionsOf(poll)
    const isChanged = before.current?.filter === filter && before.current.versions !== versions
    before.current = { filter, versions }
    const page = queryClient.getQueryState<RecordPage>(keys.page(kind, filter, 0))
    if (!page?.data || page.dataUpdatedAt > dataUpdatedAt) return
    if (isChanged || countsOf(page.data) !== countsOf(poll))
      void queryClient.invalidateQueries({ queryKey: keys.list(kind, filter) })
  }, [dataUpdatedAt])

  const [seen, setSeen] = useState<{ filter: Filter; newest: string } | null>(null)
  const newest = poll?.data[0]?.createdAt ?? ''
  if (poll && seen?.filter !== filter) setSeen({ filter, newest })
  const ids =
    seen?.filter === filter
      ? (poll?.data ?? []).flatMap(({ _id, createdAt }) => (createdAt > seen.newest ? _id : []))
      : []
  return { ids, onSeen: () => setSeen({ filter, newest }) }
}
