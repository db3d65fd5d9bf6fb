import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '#server/db/database.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { countAttempt, type Limit } from '#server/db/rate-limit.ts'
import { write } from '#server/db/write.ts'
import { derived, type Fields } from '#server/kinds/kind.ts'
import type { Linked } from './find.ts'

/**
 * Stores corrected fields, with what they said before. False where there is no such record in the inbox.
 *
 * @param corrected the fields that change
 * @param fields all fields as they are then, for what is derived from them
 * @throws the driver's error of a full limit
 */
export const correct = async (
  db: Database,
  { kind, id }: Linked,
  { corrected, fields, limit }: { corrected: Fields; fields: Fields; limit: Limit },
): Promise<boolean> => {
  const names = Object.keys(corrected)
  const columns = getTableColumns(kind.table) as Record<string, PgColumn>
  const { search, textHash } = derived(kind, fields)
  const assignments = names.map((name) => {
    const column = columns[name] as PgColumn
    return sql`${sql.identifier(column.name)} = ${corrected[name] ?? null}::${sql.raw(column.getSQLType())}`
  })
  const before: SQL[] = names.map(
    (name) => sql`${name}::text, to_jsonb(t.${sql.identifier((columns[name] as PgColumn).name)})`,
  )
  const found = await write<{ id: string }>(
    db,
    sql`
      target as materialized (
        select * from ${kind.table} where id = ${id}::uuid and box = 'inbox' for update
      ),
      counted as (${countAttempt([limit], sql`exists (select from target)`)}),
      updated as (
        update ${kind.table} r
        set ${sql.join(assignments, sql`, `)}, search = ${search}, text_hash = ${textHash},
          version = r.version + 1, updated_at = now()
        from target t where t.id = r.id
        returning r.id, r.version, jsonb_build_object(${sql.join(before, sql`, `)}) as before
      ),
      logged as (
        ${recordEvent(
          {
            kind: 'corrected',
            targetKind: kind.path,
            targetId: sql`u.id`,
            fields: names,
            before: sql`u.before`,
            after: sql`${JSON.stringify(corrected)}::jsonb || jsonb_build_object('state', u.version)`,
            version: sql`u.version`,
          },
          sql`updated u`,
        )}
      )`,
    sql`select id from target`,
  )
  return found.length > 0
}
