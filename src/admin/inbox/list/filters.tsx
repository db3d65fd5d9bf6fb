import { Link } from '@tanstack/react-router'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { boxes, type ListMeta, type SortKey, sortKeys } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { Icon } from '../../components/icon.tsx'
import { Key } from '../../components/key.tsx'
import { Options } from '../../components/options.tsx'
import { useAssignable } from '../api/staff.ts'
import type { KindView } from '../kinds/kind-view.ts'
import styles from './filters.module.css'
import { boxLabels, hashOf, type InboxSearch, sortLabels } from './inbox-url.ts'

interface FiltersProps {
  view: KindView
  search: InboxSearch
  meta: ListMeta | undefined
  /** `q: true` takes the search text over, too. */
  onChange: (patch: InboxSearch, how?: { replace?: boolean; q?: boolean }) => void
}

const show = (count: number | undefined): string => (count ?? 0).toLocaleString('en')

/** Without the open record: another filter shows another list. */
const closed = ({ q: _q, ...search }: InboxSearch): InboxSearch => ({ ...search, id: undefined })

/** The router marks a link as current only where the whole URL is the same. */
const exactly = { exact: true, includeSearch: true, explicitUndefined: true } as const

export function StatusTabs({ view, search, meta }: Omit<FiltersProps, 'onChange'>) {
  const counts = meta?.counts ?? {}
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const tabs: { value?: string; label: string; count: number }[] = [
    { label: 'All', count: all },
    ...view.statuses.map(({ value, label }) => ({ value, label, count: counts[value] ?? 0 })),
  ]
  return (
    <nav className={styles.tabs} aria-label="Status">
      {tabs.map(({ value, label, count }) => (
        <Link
          key={label}
          to={`/admin/${view.kind}`}
          search={{ ...closed(search), status: value }}
          hash={hashOf(search.q)}
          activeOptions={exactly}
          aria-current={search.status === value ? 'true' : undefined}
        >
          {label} <span>{meta ? show(count) : '–'}</span>
        </Link>
      ))}
    </nav>
  )
}

export function BoxLinks({ view, search, meta }: Omit<FiltersProps, 'onChange'>) {
  const current = search.box ?? 'inbox'
  return (
    <nav className={styles.boxes} aria-label="Box">
      {boxes.map((box) => (
        <Link
          key={box}
          to={`/admin/${view.kind}`}
          search={{ ...closed(search), box: box === 'inbox' ? undefined : box }}
          hash={hashOf(search.q)}
          activeOptions={exactly}
          aria-current={current === box ? 'true' : undefined}
        >
          {boxLabels[box]} <span>{meta ? show(meta.boxes[box]) : '–'}</span>
        </Link>
      ))}
    </nav>
  )
}

const searchDelayMs = 250

export function SearchField({
  view,
  search,
  onChange,
  field,
}: Omit<FiltersProps, 'meta'> & { field: RefObject<HTMLInputElement | null> }) {
  const [text, setText] = useState(search.q ?? '')
  const timer = useRef(0)

  // The URL decides: Back and links set the field too.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(search.q ?? '')
  }, [search.q, field])

  const look = (next: string) => {
    clearTimeout(timer.current)
    const q = next.trim() || undefined
    if (q !== search.q) onChange({ q, id: undefined }, { q: true, replace: search.q !== undefined })
  }

  return (
    <search className={styles.find}>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          look(text)
        }}
      >
        <Icon name="find" />
        <input
          ref={field}
          type="search"
          aria-label={view.texts.search}
          placeholder="Name, email or message"
          maxLength={limits.search}
          value={text}
          onChange={(event) => {
            const next = event.target.value
            setText(next)
            clearTimeout(timer.current)
            timer.current = window.setTimeout(() => look(next), searchDelayMs)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
        <Key of="/" />
      </form>
    </search>
  )
}

const refinements = ['assignee', 'from', 'to', 'sort'] as const

/** What is rarely set: order, assignee and dates. */
export function Refine({ view, search, onChange }: Omit<FiltersProps, 'meta'>) {
  const names = useAssignable(search.assignee === 'none' ? null : search.assignee)
  const set = refinements.filter((key) => search[key]).length
  return (
    <details className={styles.refine} open={set > 0 ? true : undefined}>
      <summary>Sort and filter{set > 0 && <span>, {set} set</span>}</summary>
      <div className={styles.fields}>
        <label>
          <span>Sort</span>
          <select
            value={search.sort ?? '-createdAt'}
            onChange={(event) => {
              const sort = event.target.value as SortKey
              onChange({ sort: sort === '-createdAt' ? undefined : sort })
            }}
          >
            {sortKeys.toReversed().map((key) => (
              <option key={key} value={key}>
                {sortLabels[key]}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Assigned to</span>
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
            <span>{end === 'from' ? 'From' : 'To'}</span>
            <input
              type="date"
              value={search[end] ?? ''}
              onChange={(event) => onChange({ [end]: event.target.value || undefined })}
            />
          </label>
        ))}
        {view.promisedIn && (
          <button
            type="button"
            onClick={() => onChange({ status: view.statuses[0]?.value, sort: 'createdAt' })}
          >
            Closest to the promise first
          </button>
        )}
        {set > 0 && (
          <button
            type="button"
            onClick={() =>
              onChange({ assignee: undefined, from: undefined, to: undefined, sort: undefined })
            }
          >
            Clear
          </button>
        )}
      </div>
    </details>
  )
}
