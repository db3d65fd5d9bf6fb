import type { Scores } from '#contract/applications.ts'
import type { ActivityEntry } from '#contract/inbox.ts'
import { answerDay } from '#contract/positions.ts'
import { candidateNumber } from '#contract/reference.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { applicationScores } from '#server/db/schema/record-staff.ts'
import { invalidField } from '#server/http/http-error.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { type BlindReader, hiddenFrom } from '#server/kinds/store/hidden.ts'
import { recordJson } from '#server/kinds/store/record.ts'
import { judging, openings } from '#site/content.ts'
import type { InboxDetail, InboxRecord } from '../contract.ts'
import type { Filter } from './filter.ts'
import { isUnread } from './reads.ts'

/** A record as one person may see it: with the scores that they may see, and blind if asked for. */

export interface ShownRow {
  record: InboxRecord
  score?: Scores | undefined
  unread: boolean
  isHidden?: boolean | undefined
}

/**
 * A blind list is neither searched nor sorted by what it hides. Where only some records are hidden, a
 * search looks at what is shown of them, and an order by name puts them last.
 *
 * @throws HttpError `invalid`
 */
export const blindFilter = (kind: Kind, reader: BlindReader, wanted: Filter): Filter => {
  const filter = {
    ...wanted,
    ...(wanted.drafts ? { reader: reader.id } : {}),
    ...(reader.seesContacts ? {} : { withoutContacts: true }),
  }
  const hidden = hiddenFrom(kind, reader)
  if (hidden === undefined) return filter
  if (reader.blind === '1') {
    if (filter.q !== undefined) throw invalidField('q', 'A blind list cannot be searched.')
    if (filter.sort.endsWith('name'))
      throw invalidField('sort', 'A blind list is not sorted by name.')
  }
  return { ...filter, hidden }
}

const scores = (viewer: BlindReader): SQL => {
  const isMine = sql`s.user_id = ${viewer.id}::uuid`
  const given = sql.raw(`'criteria', s.criteria, 'comment', s.comment`)
  return sql`(
    select json_build_object('mine', t.mine, 'count', t.n, 'others', t.others)
    from (
      select count(*) as n,
        (json_agg(json_build_object(${given})) filter (where ${isMine}))->0 as mine,
        coalesce(
          json_agg(json_build_object('by', coalesce(u.username, s.by), ${given}) order by s.id)
            filter (where (${isMine}) is not true), '[]'
        ) as others
      from ${applicationScores} s left join ${users} u on u.id = s.user_id
      where s.application_id = r.id
    ) as t
  )`
}

export const shownColumns = (kind: Kind, viewer: BlindReader): Record<string, SQL> => ({
  record: recordJson(kind),
  unread: isUnread(kind, viewer.id),
  ...(kind.isScored ? { score: scores(viewer) } : {}),
  ...(kind.hidden.length > 0 ? { isHidden: hiddenFrom(kind, viewer) ?? sql`false` } : {}),
})

/** Fields of scored kinds: others' scores once one's own is whole. */
const scored = (record: InboxRecord, { score }: ShownRow) => {
  const { position, createdAt } = record as InboxRecord & { position: string }
  const given = score?.mine?.criteria ?? {}
  const isWhole = judging(position).criteria.every(({ key }) => given[key] !== undefined)
  return {
    score: score && { ...score, others: isWhole ? score.others : null },
    answerBy: answerDay(openings(), position, createdAt),
  }
}

/** The record without what says whose it is: a time zone and a referring page may say it too. */
export const withoutPerson = (kind: Kind, record: InboxRecord): InboxRecord => {
  const left = Object.entries(record).filter(([name]) => !kind.hidden.includes(name))
  const candidate = candidateNumber(record._id)
  return { ...Object.fromEntries(left), source: null, candidate } as unknown as InboxRecord
}

export const shownRecord = (kind: Kind, row: ShownRow): InboxRecord => ({
  ...(row.isHidden ? withoutPerson(kind, row.record) : row.record),
  unread: row.unread,
  ...(kind.isScored ? scored(row.record, row) : {}),
})

const withoutNames = (text: string, [name, ...others]: readonly string[]): string =>
  name === undefined
    ? text
    : text
        .split(name)
        .map((part) => withoutNames(part, others))
        .join('{name}')

/** The server fills in `{name}` where staff write it; the sender's own words stay as they are. */
const withoutSender = ({ subject: _, ...entry }: ActivityEntry, names: readonly string[]) => {
  if (entry.kind === 'reply' || entry.kind === 'auto') {
    const { from: __, ...mail } = entry
    return mail
  }
  return entry.text === undefined ? entry : { ...entry, text: withoutNames(entry.text, names) }
}

interface Besides extends Omit<InboxDetail, keyof InboxRecord> {
  /** Before the sender corrected them. */
  earlierNames: readonly string[]
}

export const shownDetail = (
  kind: Kind,
  row: ShownRow,
  { activity, related, mail, earlierNames, ...others }: Besides,
): InboxDetail => {
  const { record, isHidden } = row
  const { position } = record as { position?: string }
  // The longest first: a name may be part of another.
  const names = [record.name, ...earlierNames].toSorted((a, b) => b.length - a.length)
  return {
    ...shownRecord(kind, row),
    ...others,
    ...(isHidden
      ? { activity: activity.map((entry) => withoutSender(entry, names)) }
      : { activity, related, mail }),
    ...(kind.isScored && position ? { criteria: judging(position).criteria } : {}),
  } as InboxDetail
}
