import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEventOf } from '#server/db/events/record-event.ts'
import { iso } from '#server/db/json.ts'
import { countAttempt, type Limit } from '#server/db/rate-limit.ts'
import { writeOne } from '#server/db/write.ts'
import { type Fields, fieldText, type Kind, textHash } from '#server/kinds/kind.ts'
import { dueForPosition } from '#server/kinds/store/answer-days.ts'
import { columnOf } from '#server/kinds/store/record.ts'
import type { Linked } from './find.ts'

/**
 * The search columns of the record `t` with corrected fields, in the order of `searched`. Other
 * fields are taken from the row: another correction may have changed it since the record was read.
 */
const correctedSearch = ({ searched }: Kind, corrected: Fields): SQL => {
  const parts = searched.map((name, n) => {
    if (name in corrected) return sql`${fieldText(corrected[name]).toLowerCase()}::text`
    // All but the last are one line each.
    return n < searched.length - 1
      ? sql`split_part(t.search, chr(10), ${n + 1}::int)`
      : sql`regexp_replace(t.search, ${`^([^\n]*\n){${n}}`}::text, '')`
  })
  return sql.join(parts, sql` || chr(10) || `)
}

/**
 * Stores corrected fields, with what they said before, and answers when the record is due. Undefined where there is
 * no such record in the inbox.
 *
 * @param corrected the fields that change
 * @throws the driver's error of a full limit
 */
export const correct = async (
  db: Database,
  { kind, id }: Linked,
  { corrected, limit }: { corrected: Fields; limit: Limit },
): Promise<{ dueAt: string | null } | undefined> => {
  const names = Object.keys(corrected)
  const own = names.map((name) => {
    const column = columnOf(kind, name)
    return sql`${sql.identifier(column.name)} = ${corrected[name] ?? null}::${sql.raw(column.getSQLType())}`
  })
  const { choice, longText } = kind
  const long = corrected[longText]
  const assignments = [
    ...own,
    ...(choice && choice.field in corrected
      ? [
          sql`${sql.identifier(`${choice.field}_label`)} = ${choice.label(fieldText(corrected[choice.field]))}`,
        ]
      : []),
    ...(kind.owesDecision && 'position' in corrected
      ? [sql`due_at = ${dueForPosition(sql`${corrected.position}::text`)}`]
      : []),
    sql`search = ${correctedSearch(kind, corrected)}`,
    ...(long === undefined ? [] : [sql`text_hash = ${textHash(fieldText(long))}`]),
  ]
  const before: SQL[] = names.map(
    (name) => sql`${name}::text, to_jsonb(t.${sql.identifier(columnOf(kind, name).name)})`,
  )
  return writeOne(
    db,
    sql`
      target as materialized (
        select * from ${kind.table} where id = ${id}::uuid and box = 'inbox' for update
      ),
      counted as (${countAttempt([limit], sql`exists (select from target)`)}),
      updated as (
        update ${kind.table} r
        set ${sql.join(assignments, sql`, `)}, version = r.version + 1, updated_at = now()
        from target t where t.id = r.id
        returning r.id, r.version, r.due_at, jsonb_build_object(${sql.join(before, sql`, `)}) as before
      ),
      logged as (
        ${recordEventOf('updated', {
          kind: 'corrected',
          targetKind: kind.path,
          fields: names,
          before: sql`before`,
          after: sql`${JSON.stringify(corrected)}::jsonb || jsonb_build_object('state', version)`,
          version: sql`version`,
        })}
      )`,
    sql`select ${iso(sql`due_at`)} as "dueAt" from updated`,
  )
}
