import { type SortKey, sortKeys } from '#contract/inbox.ts'
import { Options } from '../../components/form.tsx'
import { useAssignable } from '../../session/users-query.ts'
import { defaultSort, sortLabels } from '../list/inbox-url.ts'
import type { HeaderProps } from './header.tsx'
import styles from './refine.module.css'

export function Refine({
  view,
  search,
  onChange,
}: Pick<HeaderProps, 'view' | 'search' | 'onChange'>) {
  const names = useAssignable(search.assignee === 'none' ? null : search.assignee)
  const usual = defaultSort(search)
  const { topics } = view
  const topic = topics && search[topics.field]
  return (
    <div className={styles.fields}>
      <label>
        <span className="caption">Sort</span>
        <select
          value={search.sort ?? usual}
          onChange={(event) => {
            const sort = event.target.value as SortKey
            onChange({ sort: sort === usual ? undefined : sort })
          }}
        >
          <Options values={sortKeys.toReversed().map((key) => [key, sortLabels[key]])} />
        </select>
      </label>
      {topics && (
        <label>
          <span className="caption">{topics.label}</span>
          <select
            value={topic ?? ''}
            onChange={(event) => onChange({ [topics.field]: event.target.value || undefined })}
          >
            <option value="">Any</option>
            <Options
              values={Object.entries({ ...(topic && { [topic]: topic }), ...topics.labels })}
            />
          </select>
        </label>
      )}
      <label>
        <span className="caption">Assigned to</span>
        <select
          value={search.assignee ?? ''}
          onChange={(event) => onChange({ assignee: event.target.value || undefined })}
        >
          <option value="">Anybody</option>
          <option value="none">Nobody</option>
          <Options values={names} />
        </select>
      </label>
      {(['from', 'to'] as const).map((end) => (
        <label key={end}>
          <span className="caption">{end === 'from' ? 'From' : 'To'}</span>
          <input
            type="date"
            // A link of the digest names times.
            value={search[end]?.slice(0, 10) ?? ''}
            onChange={(event) => onChange({ [end]: event.target.value || undefined })}
          />
        </label>
      ))}
      <button
        type="button"
        onClick={() => {
          const { id: _id, box: _box, status: _status, drafts: _drafts, ...set } = search
          onChange(Object.fromEntries(Object.keys(set).map((key) => [key, undefined])))
        }}
      >
        Clear
      </button>
    </div>
  )
}
