import * as z from 'zod/mini'
import type { EventKind } from '#contract/audit.ts'
import { kindPaths } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { countAttempt, perHour } from '#server/db/rate-limit.ts'
import { checkedRow, rows } from '#server/db/rows.ts'
import { agentDrafts, agentProposals } from '#server/db/schema/agent-drafts.ts'
import { writesAny } from '#server/db/write.ts'
import { orRateLimited } from '#server/http/rate-limited.ts'
import type { Actor, ActorToken } from '#server/http/route.ts'
import { unionOfKinds } from '#server/kinds/store/record.ts'

export type Agent = Actor & { token: ActorToken }

const known = z.object({ kind: z.enum(kindPaths), id: z.string() })
export type Known = z.output<typeof known>

/** The record of an id in the inbox: spam and trash are unknown to agents. */
export const findKnown = (db: Database, id: string): Promise<Known | undefined> =>
  checkedRow(
    db,
    known,
    unionOfKinds(
      ({ path, table }) =>
        sql`select ${sql.raw(`'${path}'`)} as kind, id from ${table} where id = ${id}::uuid and box = 'inbox'`,
    ),
  )

type AgentCall = Extract<EventKind, `agent.${string}`>

/** A call in the audit log, without texts; it is no entry of its record's activity. */
const logged = (agent: Agent, kind: AgentCall, record?: Known) =>
  recordEvent({
    by: agent,
    kind,
    targetKind: 'agents',
    ...(record ? { targetId: sql`${record.id}::uuid` } : {}),
  })

export const logCall = (db: Database, agent: Agent, kind: AgentCall, record?: Known) =>
  rows(db, logged(agent, kind, record))

export const logRefusal = (db: Database, agent: Agent, tool: string): Promise<unknown> =>
  rows(db, recordEvent({ by: agent, kind: 'agent.refused', targetKind: 'agents', fields: [tool] }))

/**
 * Logs that an agent reads a record, and counts it.
 *
 * @throws HttpError `rate_limited`
 */
export const logRead = (db: Database, agent: Agent, kind: AgentCall, record: Known) => {
  const key = `agent-records:${agent.token.id}`
  const limit = { key, ...perHour(limits.agentRecordsPerHour) }
  return orRateLimited(db, [limit], () =>
    rows(db, sql`with counted as (${countAttempt([limit])}) ${logged(agent, kind, record)}`),
  )
}

export const storeProposal = (
  db: Database,
  agent: Agent,
  record: Known,
  { status, why }: { status: string; why: string },
) =>
  rows(
    db,
    sql`with kept as (
        insert into ${agentProposals} (record_kind, record_id, status, why, token, by)
        values (${record.kind}, ${record.id}::uuid, ${status}, ${why}, ${agent.token.name}, ${agent.username})
        on conflict (record_id) do update set status = excluded.status, why = excluded.why,
          token = excluded.token, by = excluded.by, at = now()
      )
      ${logged(agent, 'agent.propose_status', record)}`,
  )

const remove = (
  db: Database,
  actor: Actor,
  kind: 'agent.draft_dropped' | 'agent.proposal_dropped',
  deletion: SQL,
): Promise<boolean> =>
  writesAny(
    db,
    sql`gone as (${deletion} returning *),
      logged as (${recordEvent({
        from: sql`gone`,
        by: actor,
        kind,
        targetKind: 'agents',
        targetId: sql`record_id`,
      })})`,
    sql`select record_id from gone`,
  )

export const removeDraft = (db: Database, actor: Actor, id: string) =>
  remove(db, actor, 'agent.draft_dropped', sql`delete from ${agentDrafts} where id = ${id}::uuid`)

export const removeProposal = (db: Database, actor: Actor, recordId: string) =>
  remove(
    db,
    actor,
    'agent.proposal_dropped',
    sql`delete from ${agentProposals} where record_id = ${recordId}::uuid`,
  )
