import type pg from 'pg'
import type { DatabaseConfig } from '#server/config.ts'
import { connectAsOwner } from '#server/db/migrate.ts'

/** The program's rights to a table, by SQL's names; a table that is not listed gets all four. */
const RIGHTS = 'select, insert, update, delete'
const narrowed: Readonly<Record<string, string>> = {
  // Erasing a person deletes notes and empties values and texts, which the policies below hold it to.
  events: 'select, insert, delete, update (before, after, text)',
  // The chain of the audit log only grows.
  audit_seals: 'select, insert',
}

/** The role removes old refused sign-ins, notes and visitors' acts, and empties values and texts. */
const eventPolicies = {
  events_read: `for select using (true)`,
  events_add: `for insert with check (true)`,
  events_erase: `for delete
    using (kind = 'note' or (by is null and via is null and kind <> 'sign_in_refused')
      or (kind = 'sign_in_refused' and at <= now() - interval '12 months'))`,
  events_empty: `for update
    using (true) with check (before is null and after is null and text is null)`,
}

/**
 * Makes a role for the running program: it reads and writes rows, and can neither change nor make
 * tables. Run as the owner of a migrated database, any number of times; tables of later migrations are
 * reachable by themselves, while the same owner runs them.
 *
 * @param password set where the role is new; an existing role gets it only with `renew`
 * @returns the URL with the role in place of the owner, without a password where that is unknown
 */
export async function makeRuntimeRole(
  database: Exclude<DatabaseConfig, { kind: 'embedded' }>,
  { name, password, renew }: { name: string; password: string; renew: boolean },
) {
  const client = await connectAsOwner(database)
  try {
    await client.query('begin')
    const isNew = await createRole(client, name, password)
    if (renew && !isNew) await client.query(setPassword(client, name, password))
    await grant(client, name)
    await client.query('commit')
    return { url: urlWithRole(database.url, name, isNew || renew ? password : ''), isNew }
  } finally {
    await client.end()
  }
}

const setPassword = (client: pg.Client, name: string, password: string): string =>
  `alter role ${client.escapeIdentifier(name)} password ${client.escapeLiteral(password)}`

/** True if there was none of that name yet. */
async function createRole(client: pg.Client, name: string, password: string): Promise<boolean> {
  const { rows } = await client.query<{ isOwner: boolean }>(
    `select rolname = current_user as "isOwner" from pg_roles where rolname = $1`,
    [name],
  )
  if (rows[0]?.isOwner)
    throw new Error(`${name} is the owner itself. Run this as the owner, for another name.`)
  if (rows.length > 0) return false
  await client.query(
    `create role ${client.escapeIdentifier(name)} login nocreatedb nocreaterole
      password ${client.escapeLiteral(password)}`,
  )
  return true
}

async function grant(client: pg.Client, name: string): Promise<void> {
  const role = client.escapeIdentifier(name)
  const { rows } = await client.query<{ database: string; tables: string[] }>(
    `select current_database() as database, array(
      select tablename::text from pg_tables where schemaname = 'public' order by 1
    ) as tables`,
  )
  const { database = '', tables = [] } = rows[0] ?? {}
  const here = client.escapeIdentifier(database)
  const grants = tables.map((table) => {
    const rights = narrowed[table] ?? RIGHTS
    return `grant ${rights} on public.${client.escapeIdentifier(table)} to ${role}`
  })
  for (const statement of [
    `revoke create on schema public from public`,
    `revoke temporary on database ${here} from public`,
    `grant connect on database ${here} to ${role}`,
    `grant usage on schema public, drizzle to ${role}`,
    // True if every migration has been applied.
    `grant select on all tables in schema drizzle to ${role}`,
    `revoke all on all tables in schema public from ${role}`,
    ...grants,
    `alter table public.events enable row level security`,
    ...Object.entries(eventPolicies).flatMap(([policy, rule]) => [
      `drop policy if exists ${policy} on public.events`,
      `create policy ${policy} on public.events ${rule}`,
    ]),
    `alter default privileges in schema public grant ${RIGHTS} on tables to ${role}`,
  ])
    await client.query(statement)
}

function urlWithRole(url: string, name: string, password: string): string {
  const changed = new URL(url)
  changed.username = name
  changed.password = password
  return changed.href
}
