import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { User } from '#contract/accounts/users.ts'
import { type AuditEntry, eventKinds, listAudit } from '#contract/audit.ts'
import { Field } from '#ui/field.tsx'
import { LinkButton } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'
import { Options } from '../components/form.tsx'
import { byCursor, LoadState, ShowMore } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import { Table } from '../components/table.tsx'
import { TextLink } from '../components/text-link.tsx'
import { When } from '../components/when.tsx'
import { ask } from '../session/session.ts'
import { usersQuery } from '../session/users-query.ts'
import { actorLabel, detailsLabel, isRecords, kindLabel, targetLabel } from './labels.ts'

const noFilter = { kind: '', by: '', day: '' }

const kindOptions = eventKinds
  .map((kind) => [kind, kindLabel(kind)] as const)
  .toSorted(([, a], [, b]) => a.localeCompare(b))

/**
 * The log of actions by staff and by the program, newest first: names of fields, no personal
 * content.
 */
export function Audit() {
  const id = useId()
  const [filter, setFilter] = useState(noFilter)
  const isFiltered = Object.values(filter).some((value) => value !== '')
  const audit = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      ask(
        listAudit,
        {
          query: {
            kind: filter.kind || undefined,
            by: filter.by || undefined,
            day: filter.day || undefined,
            cursor: pageParam,
          },
        },
        { signal },
      ),
    ...byCursor,
  })
  const { data: users = [] } = useQuery(usersQuery)
  const { data } = audit
  const entries = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <h1 className={panel.title}>Audit log</h1>
      <search className="form-grid" aria-label="Filter">
        <Field id={`${id}-kind`} label="What" third>
          <select
            id={`${id}-kind`}
            value={filter.kind}
            onChange={({ target }) => setFilter({ ...filter, kind: target.value })}
          >
            <option value="">Everything</option>
            <Options values={kindOptions} />
          </select>
        </Field>
        <Field id={`${id}-by`} label="Who" third>
          <select
            id={`${id}-by`}
            value={filter.by}
            onChange={({ target }) => setFilter({ ...filter, by: target.value })}
          >
            <option value="">Everyone</option>
            <Options values={users.map(({ username }) => username)} />
          </select>
        </Field>
        <Field
          label="Day (UTC)"
          third
          type="date"
          value={filter.day}
          onChange={({ target }) => setFilter({ ...filter, day: target.value })}
        />
      </search>
      <LoadState query={audit} failed="Failed to load the audit log. Please try again." />
      {data && entries.length === 0 && isFiltered && (
        <Empty text="No entry matches">
          <LinkButton onClick={() => setFilter(noFilter)}>Show all entries</LinkButton>
        </Empty>
      )}
      {data && entries.length === 0 && !isFiltered && (
        <Empty text="Nothing has happened yet">
          Sign-ins, changes and exports of staff are listed here, and what the program does by
          itself. <TextLink to="/admin/dashboard">Go to the dashboard</TextLink>
        </Empty>
      )}
      {entries.length > 0 && (
        <Table
          columns={[
            ['What', ({ kind }) => kindLabel(kind)],
            ['Who', (entry) => actorLabel(entry, users)],
            ['On', ({ target }) => <Target target={target} users={users} />],
            ['Details', (entry) => detailsLabel(entry) || '–'],
            ['When', ({ at }) => <When at={at} />],
          ]}
          rows={entries}
        />
      )}
      <ShowMore label="Show earlier ones" query={audit} />
    </>
  )
}

/** The target of an entry, as a link if it has a screen. */
function Target({ target, users }: Pick<AuditEntry, 'target'> & { users: readonly User[] }) {
  if (!target) return '–'
  const { kind, _id } = target
  const label = targetLabel(target, users)
  if (kind === 'users') return <TextLink to="/admin/users">{label}</TextLink>
  if (!_id || !isRecords(kind)) return label
  return (
    <TextLink to={`/admin/${kind}`} search={{ id: _id }}>
      {label}
    </TextLink>
  )
}
