import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { usePatches } from '../../changes/change.ts'
import { pageQuery } from '../../record/list-records.ts'
import type { Filter } from '../../record/record.ts'
import { type ShownList, shownList } from './shown-list.ts'

/** Keeps some pages of a list loaded, and gives the list as it is shown. */
export const useList = (kind: KindPath, filter: Filter, pages: readonly number[]) => {
  const client = useQueryClient()
  const patches = usePatches(kind)
  const results = useQueries({ queries: pages.map((page) => pageQuery(kind, filter, page)) })
  const state = results.map(({ dataUpdatedAt }, index) => [pages[index], dataUpdatedAt]).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pages are read from the cache, and `state` says when
  const list = useMemo(
    (): ShownList | undefined => shownList(client, kind, filter, patches),
    [client, kind, filter, patches, state],
  )
  return { list, failed: results.filter(({ error, data }) => error && !data) }
}
