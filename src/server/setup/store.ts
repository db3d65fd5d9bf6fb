import * as z from 'zod/mini'
import { type SetupKey, setupKeys } from '#contract/setup.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { iso } from '#server/db/json.ts'
import { checkedRow } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { events } from '#server/db/schema/events.ts'
import { setupSteps } from '#server/db/schema/settings.ts'
import { writesAny } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'

const facts = z.object({
  steps: z.partialRecord(
    z.enum(setupKeys),
    z.object({ state: z.enum(['open', 'skipped', 'done']), at: z.string() }),
  ),
  /** True if the first start made the account, and nobody has changed its password since. */
  hasFirstPassword: z.boolean(),
  mustChangePassword: z.boolean(),
  hasFactor: z.boolean(),
  accounts: z.int(),
  templatesTouched: z.boolean(),
})
export type SetupFacts = z.output<typeof facts>

export const readFacts = (db: Database, userId: string): Promise<SetupFacts | undefined> =>
  checkedRow(
    db,
    facts,
    sql`select
        (
          select coalesce(json_object_agg(s.key, json_build_object('state', s.state, 'at', ${iso(sql`s.at`)})), '{}')
          from ${setupSteps} s
        ) as steps,
        exists (
          select from ${events} e where e.target_kind = 'users' and e.target_id = u.id
            and e.kind = 'user.create' and e.via = 'start'
        ) and not exists (
          select from ${events} e where e.target_kind = 'users' and e.target_id = u.id
            and e.kind = 'user.update' and 'password' = any(e.fields)
        ) as "hasFirstPassword",
        u.must_change_password as "mustChangePassword", u.factor_count > 0 as "hasFactor",
        (select count(*) from ${users}) as accounts,
        exists (
          select from ${events} e where e.target_kind = 'templates' and e.kind like 'template.%'
        ) as "templatesTouched"
      from ${users} u where u.id = ${userId}::uuid`,
  )

type StepState = (typeof setupSteps.$inferSelect)['state']

/** @param over the states that this one takes the place of; a step in another one stays */
export const setStep = (
  db: Database,
  key: SetupKey,
  state: StepState,
  over: readonly StepState[] = ['open', 'skipped', 'done'],
) =>
  writesAny(
    db,
    sql`
      s as (
        insert into ${setupSteps} as t (key, state) values (${key}, ${state})
        on conflict (key) do update set state = excluded.state, at = now()
        where t.state = any(${sql.param(over)}::text[])
        returning key
      )`,
    sql`select key from s`,
  )

/** The time by the database's clock, and the caller’s address. */
export const readRecipient = (db: Database, { id }: Pick<Actor, 'id'>) =>
  checkedRow(
    db,
    z.object({ email: z.string(), at: z.string() }),
    sql`select u.email, ${iso(sql`now()::timestamptz(3)`)} as at from ${users} u where u.id = ${id}::uuid`,
  )
