import type { Config } from '#server/config.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { roleMay, users } from '#server/db/schema/accounts/users.ts'

/** The addresses of `MAIL_TO` that hear of submissions; when empty, every superuser does. */
export const staffAddresses = ({ mail }: Pick<Config, 'mail'>): string[] =>
  mail.to
    ?.split(',')
    .map((to) => to.trim())
    .filter(Boolean) ?? []

/** The staff who hear of what belongs to nobody, as rows of `email`. */
export const teamRecipients = (config: Pick<Config, 'mail'>): SQL => {
  const team = staffAddresses(config)
  return sql`
    select value as email from jsonb_array_elements_text(${JSON.stringify(team)}::jsonb)
    union all
    select email from ${users} where role = 'superuser' and ${team.length === 0}`
}

/**
 * CTEs: `recipient` holds the staff who hear of the record `updated`, its `assignee` or else the team. An
 * assignee who has lost the right to read records counts as none.
 */
export const recordRecipients = (config: Pick<Config, 'mail'>): SQL => sql`
  assignee as (
    select a.email from updated u join ${users} a on a.id = u.assignee_id
    where ${roleMay(sql`a.role`, 'records.read')}
  ),
  recipient as (
    select email from assignee
    union all
    select email from (${teamRecipients(config)}) team where not exists (select from assignee)
  )`
