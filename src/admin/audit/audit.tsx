import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { User } from '#contract/accounts/users.ts'
import { type AuditEntry, eventKinds, listAudit } from '#contract/audit.ts'
import { isStoredDay } from '#contract/fields.ts'
import { Field } from '#ui/field.tsx'
import { LinkButton } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'
import { Options } from '../components/form.tsx'
import { byCursor, LoadState, ShowMore } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import { Table } from '../components/table.tsx'
import { TextLink } from '../components/text-link.tsx'
import { When } from '../components/when.tsx'
import { navigate, parametersOf, useLocation } from '../router/location.ts'
import { ask } from '../session/session.ts'
import { usersQuery } from '../session/users-query.ts'
import { useFieldName } from '../site/field-name.ts'
import { isOff } from '../site.ts'
import { actorLabel, detailsLabel, isRecords, kindLabel, targetLabel } from './labels.ts'

const filterBy = (search: object): void =>
  void navigate({ to: '/admin/audit', search }, { replace: true, keepScroll: true })

const kindOptions = eventKinds
  .map((kind) => [kind, kindLabel(kind)] as const)
  .toSorted(([, a], [, b]) => a.localeCompare(b))

/** The log of what staff and the program did, newest first: names of fields, no personal texts. */
export function Audit() {
  const id = useId()
  const { kind, by, day = '' } = parametersOf(useLocation(({ search }) => search))
  // The filter of the URL, without values that are not valid.
  const filter = {
    kind: eventKinds.find((one) => one === kind),
    by: by || undefined,
    day: isStoredDay(day) ? day : undefined,
  }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const audit = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      ask(listAudit, { query: { ...filter, cursor: pageParam } }, { signal }),
    ...byCursor,
  })
  const { data: users = [] } = useQuery(usersQuery)
  // The chosen one may be deleted, or not loaded yet.
  const names = new Set(users.map(({ username }) => username))
  if (filter.by) names.add(filter.by)
  const { data } = audit
  const entries = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <h1 className={panel.title}>Audit log</h1>
      <search className="form-grid" aria-label="Filter">
        <Field id={`${id}-kind`} label="What" third>
          <select
            id={`${id}-kind`}
            value={filter.kind ?? ''}
            onChange={({ target }) => filterBy({ ...filter, kind: target.value })}
          >
            <option value="">Everything</option>
            <Options values={kindOptions} />
          </select>
        </Field>
        <Field id={`${id}-by`} label="Who" third>
          <select
            id={`${id}-by`}
            value={filter.by ?? ''}
            onChange={({ target }) => filterBy({ ...filter, by: target.value })}
          >
            <option value="">Everyone</option>
            <Options values={[...names]} />
          </select>
        </Field>
        <Field
          label="Day (UTC)"
          third
          type="date"
          value={filter.day ?? ''}
          onChange={({ target }) => filterBy({ ...filter, day: target.value })}
        />
      </search>
      <LoadState query={audit} failed="Failed to load the audit log. Please try again." />
      {data && entries.length === 0 && isFiltered && (
        <Empty text="No entry matches">
          <LinkButton onClick={() => filterBy({})}>Show all entries</LinkButton>
        </Empty>
      )}
      {data && entries.length === 0 && !isFiltered && (
        <Empty text="Nothing has happened yet">
          Sign-ins, changes and exports of staff are listed here, and what the program does by
          itself. <TextLink to="/admin/dashboard">Go to the dashboard</TextLink>
        </Empty>
      )}
      <Table
        columns={[
          ['What', ({ kind }) => kindLabel(kind)],
          ['Who', (entry) => actorLabel(entry, users)],
          ['On', ({ target }) => <Target target={target} users={users} />],
          ['Details', (entry) => <Details entry={entry} />],
          ['When', ({ at }) => <When at={at} />],
        ]}
        rows={entries}
      />
      <ShowMore label="Show earlier ones" query={audit} />
    </>
  )
}

function Details({ entry }: { entry: AuditEntry }) {
  if (entry.target?.kind !== 'releases' || entry.fields.length === 0)
    return detailsLabel(entry) || '–'
  return entry.fields.map((name) => <PublishedField key={name} name={name} />)
}

/** A field of the site, in the log by a name such as `faq.price.answer.0`. */
function PublishedField({ name }: { name: string }) {
  const [collection = '', id = '', ...keys] = name.split('.')
  const path = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key))
  const { list, title, field } = useFieldName(collection, id, path)
  return <p>{[...new Set([list, title, field])].filter(Boolean).join(', ')}</p>
}

/** The target of an entry, as a link if it has a screen. */
function Target({ target, users }: Pick<AuditEntry, 'target'> & { users: readonly User[] }) {
  if (!target) return '–'
  const { kind, _id } = target
  const label = targetLabel(target, users)
  if (kind === 'users') return <TextLink to="/admin/users">{label}</TextLink>
  if (!_id || !isRecords(kind) || isOff(kind)) return label
  return (
    <TextLink to={`/admin/${kind}`} search={{ id: _id }}>
      {label}
    </TextLink>
  )
}
