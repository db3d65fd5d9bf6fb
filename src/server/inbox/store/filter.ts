import { firstMoment, momentAfter } from '#contract/fields.ts'
import {
  type AnswerName,
  AROUND,
  type Box,
  contactFields,
  type Group,
  type Match,
  matchIn,
  type SortKey,
} from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { iso } from '#server/db/json.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { events, searchedKinds } from '#server/db/schema/events.ts'
import { dueSegments, groupConditions } from '#server/db/schema/records.ts'
import type { KeyType } from '#server/http/cursor.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { isMessage } from '#server/kinds/store/activity.ts'
import { answerConditions, type Period, periodStart } from '#server/kinds/store/groups.ts'
import { fieldColumn, row } from '#server/kinds/store/record.ts'
import type { ExportQuery } from '../contract.ts'
import { hasDraft } from './drafts.ts'

/** A list's filter, whole: what was left out has its default. */
export interface Filter {
  box: Box
  status: string | undefined
  group: Group | undefined
  /** Records that fell due in a period, by their answer. */
  answers: (Period & { name: AnswerName }) | undefined
  /** Records for which the reader has a draft. */
  drafts: boolean | undefined
  reader?: string
  q: string | undefined
  /** A username, or `none`. */
  assignee: string | undefined
  /** The first instant that counts. */
  from: string | undefined
  /** The first instant that counts no more. */
  before: string | undefined
  sort: SortKey
  /** The kind's own parameters: the value of each field. */
  own: Readonly<Record<string, string>>
  /** True if the sender of `r` is hidden; absent for kinds that hide none. */
  hidden?: SQL
  /** A search looks at no addresses and phone numbers, nor at texts, which may give some. */
  withoutContacts?: boolean
}

/** Parameters of every list that are no filter. */
const paging = ['limit', 'cursor', 'skip', 'blind', 'labels']

const moment = (time: string): SQL => sql`${time}::timestamptz`

/** The named days, else the last ones. */
const periodOf = ({ days, dueFrom, dueTo }: ExportQuery): Period =>
  dueFrom === undefined && dueTo === undefined
    ? { since: periodStart(days ?? limits.statsDays.default) }
    : {
        since: moment(dueFrom === undefined ? '-infinity' : firstMoment(dueFrom)),
        before: dueTo === undefined ? undefined : moment(momentAfter(dueTo)),
      }

export const toFilter = (query: ExportQuery): Filter => {
  const { box, status, group, answers, drafts, q, assignee, from, to, sort, ...rest } = query
  const { days: _, dueFrom: __, dueTo: ___, ...others } = rest
  return {
    box: box ?? 'inbox',
    status,
    group,
    answers: answers && { name: answers, ...periodOf(query) },
    drafts: drafts && true,
    q,
    assignee,
    from: from === undefined ? undefined : firstMoment(from),
    before: to === undefined ? undefined : momentAfter(to),
    sort: sort ?? '-createdAt',
    own: Object.fromEntries(
      Object.entries(others).flatMap(([name, value]) =>
        paging.includes(name) || value === undefined ? [] : [[name, String(value)]],
      ),
    ),
  }
}

/** The names of what a filter asks for beside the defaults, for the log of exports. */
export const filterNames = ({
  box,
  sort,
  before,
  own,
  hidden,
  withoutContacts: _,
  reader: __,
  ...others
}: Filter): string[] => [
  ...(box === 'inbox' ? [] : ['box']),
  ...(hidden === undefined ? [] : ['blind']),
  ...Object.entries({ ...others, ...own }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  ),
  ...(before === undefined ? [] : ['to']),
]

/** The user that a filter names, for `in` their id; nobody has an unknown name. */
export const assigneeId = (username: string): SQL =>
  sql`(select u.id from ${users} u where lower(u.username) = lower(${username}))`

const isAssignedTo = (assignee: string): SQL =>
  assignee === 'none' ? sql`r.assignee_id is null` : sql`r.assignee_id = ${assigneeId(assignee)}`

/** A line a field, in the order of `searched`; what is hidden comes first. */
const shownSearch = ({ searched, hidden }: Kind): SQL => {
  const hiddenLines = searched.filter((name) => hidden.includes(name)).length
  return sql`regexp_replace(r.search, ${`^([^\n]*\n){${hiddenLines}}`}::text, '')`
}

const searchWithoutContacts = (kind: Kind): SQL => {
  const names = kind.searched.filter((name) => !contactFields.includes(name))
  const columns = names.map((name) => fieldColumn(kind, name))
  return sql`lower(concat_ws(E'\\n', ${sql.join(columns, sql`, `)}))`
}

/**
 * The spellings in which a lowered text may hold the searched one. `toLowerCase` writes a capital sigma
 * differently at the end of a word, Postgres everywhere alike.
 */
const spellings = (q: string): string[] =>
  /[Σς]/.test(q) ? [q.toLowerCase(), q.replace(/[Σς]/g, 'σ')] : [q]

const pattern = (q: string): string => `%${q.replace(/[\\%_]/g, '\\$&')}%`

const anyOf = (conditions: SQL[]): SQL => sql`(${sql.join(conditions, sql` or `)})`

/** True if `text`, which the program has lowered, holds what is searched for. */
const holds = (text: SQL, q: string): SQL =>
  anyOf(spellings(q).map((spelling) => sql`${text} like ${pattern(spelling.toLowerCase())}`))

/** The same of a text that the database lowers: its rules for letters such as İ are not the program's. */
const holdsLowered = (text: SQL, q: string): SQL =>
  anyOf(spellings(q).map((spelling) => sql`${text} like lower(${pattern(spelling)}::text)`))

/** True if a search finds a field of the row `r`; of a hidden one it looks at what is shown. */
const isInFields = (kind: Kind, { q = '', hidden, withoutContacts }: Filter): SQL => {
  const anywhere = holds(sql`r.search`, q)
  const found = withoutContacts
    ? sql`(${anywhere} and ${holdsLowered(searchWithoutContacts(kind), q)})`
    : anywhere
  return hidden === undefined
    ? found
    : sql`(${found} and (not ${hidden} or ${holds(shownSearch(kind), q)}))`
}

/** Messages, replies, notes and words with a talk or an offer: entries `e` of a kind that a search finds. */
const isInText = (kind: Kind, q: string): SQL =>
  sql`e.target_kind = ${kind.path} and e.kind in ${searchedKinds} and ${holdsLowered(sql`lower(e.text)`, q)}`

const matchPlace = sql`case
  when e.kind = 'note' then 'note'
  when ${isMessage} or (e.kind = 'cancelled' and e.by is not null) then 'message'
  else 'reply'
end`

const isShown = ({ hidden }: Filter): SQL => (hidden ? sql`not ${hidden}` : sql`true`)

/** True if a search finds the row `r`, judged row by row. */
export const isFoundByRow = (kind: Kind, filter: Filter): SQL => {
  const inFields = isInFields(kind, filter)
  if (filter.withoutContacts) return inFields
  return sql`(${inFields} or (${isShown(filter)} and exists (
    select from ${events} e where e.target_id = r.id and ${isInText(kind, filter.q ?? '')}
  )))`
}

/** The same, by the indexes of fields and texts. */
const isFound = (kind: Kind, filter: Filter): SQL => {
  const inFields = isInFields(kind, filter)
  if (filter.withoutContacts) return inFields
  return sql`r.id in (
    select r.id from ${kind.table} r where ${inFields}
    union
    select r.id from ${events} e join ${kind.table} r on r.id = e.target_id
    where ${isInText(kind, filter.q ?? '')} and ${isShown(filter)}
  )`
}

/**
 * Conditions of which each row that a search finds holds exactly one: the index of fields is read once, and the
 * rows that only a text names are added. `isFound` would join all of them by their ids.
 */
export const foundApart = (kind: Kind, filter: Filter): SQL[] => {
  const inFields = isInFields(kind, filter)
  if (filter.withoutContacts) return [inFields]
  const inTexts = sql`r.id in (
    select e.target_id from ${events} e where ${isInText(kind, filter.q ?? '')}
  ) and ${isShown(filter)} and not ${inFields}`
  return [inFields, inTexts]
}

/** The newest message, reply or note of `r` that a search finds, with the words around. */
export const foundText = (kind: Kind, filter: Filter): SQL => {
  const { q = '' } = filter
  if (filter.withoutContacts) return sql`null`
  const starts = spellings(q).map(
    (spelling) => sql`strpos(lower(e.text), lower(${spelling}::text))`,
  )
  return sql`(
    select json_build_object('in', ${matchPlace}, 'text',
      substr(e.text, greatest(1, greatest(${sql.join(starts, sql`, `)}) - ${AROUND}), ${2 * AROUND} + length(${q}::text)))
    from ${events} e where e.target_id = r.id and ${isInText(kind, q)} and ${isShown(filter)}
    order by e.id desc limit 1
  )`
}

/** The place of the match if it is not a field: the row's own long text, or texts about it. */
export const matchOf = (
  kind: Kind,
  { q = '', withoutContacts }: Filter,
  record: Readonly<Record<string, unknown>>,
  found: Match | null,
): Match | null => {
  const wanted = q.toLowerCase()
  const fieldOf = (name: string): string => (typeof record[name] === 'string' ? record[name] : '')
  const isIn = (name: string): boolean => fieldOf(name).toLowerCase().includes(wanted)
  const isSearched = (name: string): boolean =>
    name !== kind.longText && !(withoutContacts && contactFields.includes(name))
  if (kind.searched.some((name) => isSearched(name) && isIn(name))) return null
  return matchIn(fieldOf(kind.longText), q) ?? found
}

/** The conditions on status and group of the row `r`. Counts by status and group leave them out. */
export const withStatusAndGroup = ({ status, group }: Pick<Filter, 'status' | 'group'>): SQL =>
  sql.join([
    ...(status === undefined ? [] : [sql` and r.status = ${status}`]),
    ...(group === undefined ? [] : [sql` and ${groupConditions(row)[group]}`]),
  ])

/** Conditions on the row `r`, all but status and group. */
export const filterConditions = (kind: Kind, filter: Filter): SQL => {
  const { box, q, assignee, from, before, own, answers } = filter
  return sql.join(
    [
      sql`r.box = ${box}`,
      ...(assignee === undefined ? [] : [isAssignedTo(assignee)]),
      ...(q === undefined ? [] : [isFound(kind, filter)]),
      ...Object.entries(own).map(([name, value]) => sql`${fieldColumn(kind, name)} = ${value}`),
      ...(answers === undefined ? [] : [answerConditions(answers)[answers.name]]),
      ...(filter.reader === undefined ? [] : [hasDraft(filter.reader)]),
      ...(from === undefined ? [] : [sql`r.created_at >= ${from}::timestamptz`]),
      ...(before === undefined ? [] : [sql`r.created_at < ${before}::timestamptz`]),
    ],
    sql` and `,
  )
}

/** True if the counts are stored, or the rows must be counted. */
export const hasStoredCounts = ({ q, from, before, own, answers, drafts }: Filter): boolean =>
  Object.keys(own).length === 0 &&
  [q, from, before, answers, drafts].every((condition) => condition === undefined)

export interface Order {
  /** The sort key of the row `r`, before its id. */
  key: SQL
  /** The key as it stands in a cursor, and the type that it has back. */
  text: SQL<string>
  type: SQL
  direction: SQL
  /** The order of rows with the same key. */
  ties: SQL
  /** Compares with a cursor: what comes after it. */
  after: SQL
  keyIs: KeyType
}

/** Hidden records come last, in either direction. */
const nameKey = (hidden: SQL | undefined, isDescending: boolean): SQL => {
  if (hidden === undefined) return sql`lower(r.name)`
  const [shown, last] = isDescending ? ['1', '0'] : ['0', '1']
  return sql`case when ${hidden} then ${last}::text else ${shown}::text || lower(r.name) end`
}

/** Between two segments: more than any time has seconds. */
const SEGMENT = 10_000_000_000_000n
const MIDDLE = 5_000_000_000_000n

const segments = dueSegments(row)

/** The order of `sort=due` as one ascending number: the place of the segment, then the seconds in it. */
const dueKey = (): SQL => {
  const cases = segments.map(({ holds, key, isDescending }, place) => {
    const start = sql.raw(`${BigInt(place) * SEGMENT + MIDDLE}::numeric`)
    const seconds = sql`extract(epoch from ${key})`
    return sql`when ${holds} then ${isDescending ? sql`${start} - ${seconds}` : sql`${start} + ${seconds}`}`
  })
  return sql`(case ${sql.join(cases, sql` `)} end)`
}

/** Ids in the order in which their segment is read. */
const dueTies = (): SQL => {
  const backwards = segments.filter(({ isDescending }) => isDescending).map(({ holds }) => holds)
  return sql`case when ${sql.join(backwards, sql` or `)} then r.id end desc, r.id`
}

/** The segments that a page after the cursor may hold; `after` is undefined where all of one is. */
export const segmentsAfter = (key: string | undefined) => {
  const named = key === undefined ? 0 : Number(BigInt(key.split('.')[0] ?? '') / SEGMENT)
  const first = Math.min(named, segments.length - 1)
  return segments.flatMap(({ holds, key: time, isDescending }, place) => {
    if (place < first) return []
    const start = sql.raw(String(BigInt(place) * SEGMENT + MIDDLE))
    const seconds = isDescending
      ? sql`(${start} - ${key}::numeric)`
      : sql`(${key}::numeric - ${start})`
    // A cursor that somebody wrote may name a time that the database does not know.
    const known = sql`least(greatest(${seconds}, -60000000000), 250000000000)`
    const at = sql`to_timestamp(${known}::float8)::timestamptz(3)`
    return [
      { holds, time, isDescending, at: key !== undefined && place === first ? at : undefined },
    ]
  })
}

export const sortOrder = ({ sort, hidden }: Pick<Filter, 'sort' | 'hidden'>): Order => {
  const isByTime = sort === 'createdAt' || sort === '-createdAt'
  const isDescending = sort.startsWith('-')
  if (sort === 'due') {
    const key = dueKey()
    return {
      key,
      text: sql<string>`${key}::text`,
      type: sql.raw('numeric'),
      direction: sql.raw('asc'),
      ties: dueTies(),
      after: sql.raw('>'),
      keyIs: 'number',
    }
  }
  const name = nameKey(hidden, isDescending)
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  return {
    key: isByTime ? sql`r.created_at` : name,
    text: isByTime ? iso(sql`r.created_at`) : sql<string>`${name}`,
    type: isByTime ? sql.raw('timestamptz') : sql.raw('text'),
    direction,
    ties: sql`r.id ${direction}`,
    after: sql.raw(isDescending ? '<' : '>'),
    keyIs: isByTime ? 'time' : 'text',
  }
}
