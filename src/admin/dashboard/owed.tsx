import { useQueries } from '@tanstack/react-query'
import { answerNames, groupLabels, groups, type KindPath } from '#contract/inbox.ts'
import { LoadFailed } from '../components/load-failed.tsx'
import { countOf } from '../format/count.ts'
import { views } from '../record/kinds/views.ts'
import { type Filter, periodLabel } from '../record/record.ts'
import { parametersOf, type Target, useLocation } from '../router/location.ts'
import { sentenceOf } from '../session/session.ts'
import { shownKinds } from '../site.ts'
import { headOf } from './answers.tsx'
import styles from './dashboard.module.css'
import { Latest } from './latest.tsx'
import { filterQuery } from './queries.ts'

/** The list of what a number counts: of one kind alone the kind's own. */
export const listOf = (filter: Filter, holding: readonly KindPath[]): Target => ({
  to: holding.length === 1 && holding[0] ? `/admin/${holding[0]}` : '/admin/owed',
  search: filter,
})

/** The records of a group, or of what fell due, of all kinds. */
export function Owed() {
  const wanted = parametersOf(useLocation(({ search }) => search))
  const answers = answerNames.find((one) => one === wanted.answers)
  const group = groups.find((one) => one === wanted.group) ?? 'late'
  const { days, dueFrom, dueTo, assignee } = wanted
  const filter: Filter = answers ? { answers, days, dueFrom, dueTo, assignee } : { group }
  const lists = useQueries({ queries: shownKinds.map((kind) => filterQuery(kind, filter)) })
  const failed = lists.find(({ error }) => error)
  const counts = lists.map(({ data }) => data?.meta.matching)
  const known = counts.filter((count) => count !== undefined)
  // On a phone the lists stand below each other: one that comes later would move the others.
  const isLoading = lists.some(({ isPending }) => isPending)
  const total = known.reduce((sum, count) => sum + count, 0)
  return (
    <>
      <h1>
        {answers
          ? `${headOf(answers)} ${periodLabel(filter)}${assignee ? `, assigned to ${assignee === 'none' ? 'nobody' : assignee}` : ''}:`
          : groupLabels[group]}{' '}
        {known.length === counts.length ? countOf(total) : '–'}
      </h1>
      {failed && (
        <LoadFailed
          sentence={sentenceOf(failed.error, 'Failed to load the records. Please try again.')}
          retry={() => Promise.all(lists.map(({ refetch }) => refetch()))}
        />
      )}
      {isLoading ? (
        <p role="status">Loading...</p>
      ) : (
        <div className={styles.three}>
          {shownKinds.map((kind, index) => (
            <Latest
              key={kind}
              view={views[kind]}
              records={lists[index]?.data?.data}
              of={{ filter, count: counts[index] }}
            />
          ))}
        </div>
      )}
    </>
  )
}
