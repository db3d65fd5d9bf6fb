import * as z from 'zod/mini'
import { groups } from '#contract/inbox.ts'
import { answerDay, closing } from '#contract/positions.ts'
import type { Stats } from '#contract/stats.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { iso } from '#server/db/json.ts'
import { checkedRows } from '#server/db/rows.ts'
import { applications, isUnanswered } from '#server/db/schema/applications.ts'
import { groupConditions, groupOf } from '#server/db/schema/records.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { lastName } from '#server/kinds/store/choice.ts'
import { row } from '#server/kinds/store/record.ts'
import { openings } from '#site/content.ts'
import { isOff } from '#site/features.ts'

/** Applicants whom nobody has answered, of one position and group; those set aside are left out. */
const unanswered = z.object({
  position: z.string(),
  label: z.optional(z.string()),
  group: z.enum(groups),
  count: z.int(),
  /** The time of the first application among them, as an ISO time. */
  since: z.string(),
})
export type Unanswered = z.output<typeof unanswered>

const byPosition = (): SQL => sql`(
  select coalesce(json_agg(
    json_strip_nulls(json_build_object('position', position, 'group', "group", 'count', n,
      'since', ${iso(sql`since`)}, 'label', ${lastName(kindByPath.applications, sql`t.position`)}))
    order by since
  ), '[]')
  from (
    select r.position, ${groupOf(row)} as "group", count(*) as n, min(r.created_at) as since
    from ${applications} r
    where ${isUnanswered({ ...row, box: sql`r.box` })} and (${groupConditions(row).snoozed}) is not true
    group by 1, 2
  ) as t
)`

/** `Unanswered[]`, the longest wait first, as part of a statement; none where careers are switched off. */
export const unansweredJson = (): SQL =>
  isOff('/api/applications') ? sql`'[]'::json` : byPosition()

/** The day is that of the first who applied: for others a later one may hold. */
export const withOpening = (one: Unanswered, now: Date) => {
  const { position, since } = one
  const { [position]: opening = { open: false } } = openings()
  return {
    ...one,
    answerBy: answerDay(openings(), position, since),
    closing: position === 'other' ? null : closing(opening, now),
  }
}

/** Positions that have closed or close soon while applicants wait for an answer. */
export const closingUnanswered = async (db: Database): Promise<Stats['unanswered']> => {
  const [found] = await checkedRows(
    db,
    z.object({ unanswered: z.array(unanswered) }),
    sql`select ${unansweredJson()} as unanswered`,
  )
  const now = new Date()
  return (found?.unanswered ?? [])
    .map((one) => withOpening(one, now))
    .filter((one) => one.closing !== null)
}
