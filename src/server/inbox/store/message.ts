import type { ActivityEntry } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { countAttempt, type Limit } from '#server/db/rate-limit.ts'
import { run } from '#server/db/rows.ts'
import { staffSettings } from '#server/db/schema/accounts/users.ts'
import { agentDrafts } from '#server/db/schema/agent-drafts.ts'
import { mail } from '#server/db/schema/mail.ts'
import { drafts } from '#server/db/schema/record-staff.ts'
import { writeRow } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { activityJson, isMessage } from '#server/kinds/store/activity.ts'
import { answerTimeSql } from '#server/kinds/store/answer-days.ts'
import { fieldsJson } from '#server/kinds/store/record.ts'
import { renderMessage, textForRecord } from '#server/mail-out/render/message.ts'
import {
  applied,
  entryRows,
  now,
  type Outcome,
  outcomeColumns,
  patchSteps,
  type Step,
  waitingBefore,
  waitingColumns,
} from './change.ts'

/** A message of staff to senders, and the status that their records have from then on. */
export interface NewMessage {
  text: string
  /** Absent: names the form and the reference. */
  subject?: string | undefined
  status?: string | undefined
  /** Other writes that go with the message, such as an offer. */
  besides?: Besides | undefined
}

export interface Besides {
  kind: 'times' | 'offer_sent'
  facts: Readonly<Record<string, unknown>>
  /** Lines of the mail after the text, for a reader in that zone. */
  lines: (timeZone: string) => readonly string[]
  /** Further steps after `logged`, the entries; begins with a comma. */
  steps?: SQL
}

export interface MessageOutcome extends Omit<Outcome, 'assignable'> {
  /** The entry, if it was asked for. */
  entry: ActivityEntry | null
}

/** The side that answers after a message. A kind that owes a decision owes it until it is told. */
const waitingAfter = (kind: Kind, status: string | undefined): SQL => {
  const isFinal = sql`coalesce(${status ?? null}::text, t.status) = any(${sql.param(kind.finalStatuses)}::text[])`
  return sql`(case when ${isFinal} then null else ${kind.owesDecision ? 'us' : 'them'}::text end)`
}

const messageStep = (kind: Kind, { status, besides }: NewMessage): Step => {
  const next = waitingAfter(kind, status)
  // A reply's promise is kept; the day of the decision goes on.
  const due = kind.owesDecision
    ? sql`, 'due_at', case when ${next} = 'us' then ${answerTimeSql('t')} else t.due_at end`
    : sql``
  return {
    kind: besides?.kind ?? 'message',
    fields: ['message'],
    applies: sql`t.box = 'inbox'`,
    before: sql`jsonb_build_object(${waitingBefore}, 'due_at', t.due_at, 'last_message_at', t.last_message_at)`,
    after: sql`jsonb_build_object(${waitingColumns(next)}, 'last_message_at', ${now},
      'subject', (select g.mail->>'subject' from given g where g.id = t.id),
      'sentAs', (select g.name from given g where g.id = t.id) ${due})
      || ${JSON.stringify(besides?.facts ?? {})}::jsonb`,
    text: sql`(select g.text from given g where g.id = t.id)`,
  }
}

/** The status alone: who is to answer follows from the message. */
const statusSteps = (kind: Kind, status: string | undefined, actor: Actor): Step[] =>
  patchSteps(kind, { status }, actor).map((step) => ({
    ...step,
    applies: sql`t.box = 'inbox' and ${step.applies}`,
    before: sql`${step.before} - array['waiting_for', 'answered_at']`,
    after: sql`${step.after} - array['waiting_for', 'answered_at']`,
  }))

/**
 * Writes to the senders of records in the inbox: the messages, their mail and the status in one
 * statement. The mail is due after the time in which undo recalls it.
 *
 * @param limit counts each message; where it is full the statement fails, see `isLimitReached`
 * @param withEntry answers the entry, for one record: what a statement answers is stored under the
 * call's key, and of a call about many it would outlive an erasure
 */
export const writeMessages = async (
  db: Database,
  kind: Kind,
  ids: readonly string[],
  { text, subject, status, besides }: NewMessage,
  { actor, limit, withEntry = false }: { actor: Actor; limit: Limit; withEntry?: boolean },
): Promise<MessageOutcome> => {
  const records = await run(
    db
      .select({
        id: sql<string>`r.id`,
        fields: fieldsJson(kind),
        timeZone: sql<string | null>`r.source->>'timeZone'`,
        author: sql<{ name: string | null; signature: string } | null>`(
          select json_build_object('name', s.display_name, 'signature', s.signature)
          from ${staffSettings} s where s.user_id = ${actor.id}::uuid
        )`,
      })
      .from(sql`${kind.table} r`)
      .where(sql`r.id = any(${sql.param(ids)}::uuid[]) and r.box = 'inbox'`),
  )
  const given = records.map(({ id, fields, author, timeZone }) => {
    const lines = besides?.lines(timeZone ?? 'UTC')
    const written = { text, subject, signature: author?.signature, lines }
    return {
      id,
      text: textForRecord(kind, fields, text, '{link}'),
      name: author?.name ?? null,
      mail: renderMessage(kind, { id, fields }, written),
    }
  })
  return writeRow<MessageOutcome>(
    db,
    sql`
      given as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(id uuid, text text, name text, mail jsonb)
      ),
      target as materialized (
        select t.* from ${kind.table} t where t.id = any(${sql.param(ids)}::uuid[])
        order by t.id for update
      ),
      entries as materialized (
        ${entryRows(
          [messageStep(kind, { text, status, besides }), ...statusSteps(kind, status, actor)],
          sql`exists (select from given g where g.id = t.id)`,
        )}
      ),
      ${applied(kind, actor, {})},
      queued as (
        insert into ${mail}
          (kind, record_kind, record_id, event_id, recipient, from_name, subject, text, html, status, next_attempt_at)
        select 'message', ${kind.path}, t.id, e.id, t.email, g.name,
          g.mail->>'subject', g.mail->>'text', g.mail->>'html', 'waiting',
          now() + make_interval(secs => ${limits.messageDelaySeconds}::int)
        from logged e join target t on t.id = e.target_id join given g on g.id = t.id
        where ${isMessage}
        returning 1
      ),
      counted as (
        ${countAttempt([limit], sql`exists (select from queued)`, sql`now()`, sql`select count(*) from queued`)}
      ),
      undrafted as (
        delete from ${drafts} d using planned p
        where d.record_id = p.id and d.user_id = ${actor.id}::uuid
      ),
      agent_undrafted as (delete from ${agentDrafts} d using planned p where d.record_id = p.id)${besides?.steps ?? sql``}`,
    sql`
      select
        ${outcomeColumns},
        ${withEntry ? sql`(select ${activityJson} from logged e where ${isMessage})` : sql`null`} as entry`,
  )
}
