import type { scoreApplication } from '#contract/applications.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { applications } from '#server/db/schema/applications.ts'
import { applicationScores } from '#server/db/schema/record-staff.ts'
import { writeOne } from '#server/db/write.ts'
import type { Actor, Call } from '#server/http/route.ts'
import { criteriaOf } from '#server/kinds/store/hidden.ts'

/**
 * Stores one's own score in place of an earlier one, which stays in the log, unless it names criteria that the position does not
 * have: these are answered. Undefined where there is no application outside the trash. Both rows are
 * locked, so that no score is left of an application that is being erased.
 */
export const storeScore = (
  db: Database,
  id: string,
  { criteria, comment }: Call<typeof scoreApplication>['body'],
  actor: Actor,
): Promise<{ unknown: string[] } | undefined> =>
  writeOne<{ unknown: string[] }>(
    db,
    sql`
      target as materialized (
        select r.id, r.position, r.version, u.id as user_id, u.username
        from ${applications} r join ${users} u on u.id = ${actor.id}::uuid
        where r.id = ${id}::uuid and r.box <> 'trash' for key share
      ),
      unknown as materialized (
        select k.key from target t, jsonb_object_keys(${JSON.stringify(criteria)}::jsonb) as k (key)
        where not k.key = any(${criteriaOf(sql`t.position`)})
      ),
      stored as (
        insert into ${applicationScores} (application_id, user_id, by, criteria, comment)
        select t.id, t.user_id, t.username, ${JSON.stringify(criteria)}::jsonb, ${comment ?? null}::text
        from target t where not exists (select from unknown)
        on conflict (application_id, user_id) do update
          set by = excluded.by, criteria = excluded.criteria, comment = excluded.comment, updated_at = now()
        returning application_id
      ),
      logged as (
        ${recordEvent({
          from: sql`target t where exists (select from stored)`,
          by: actor,
          kind: 'score',
          targetKind: 'applications',
          targetId: sql`t.id`,
          fields: ['score'],
          details: sql`${JSON.stringify({ criteria })}::jsonb`,
          text: comment,
          version: sql`t.version`,
        })}
      )`,
    sql`select (select coalesce(json_agg(key), '[]') from unknown) as unknown from target`,
  )
