import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { cursor, id, isoTimestamp, pageOf } from './fields.ts'
import { absentIfBlank, activityKinds, type KindPath, utcDay } from './inbox.ts'
import { limits } from './limits.ts'
import { plainText } from './text.ts'

/** The log of actions by staff and by the program: names of fields, no personal content. */

/** Kinds of entries that the log can be asked for before it has any. */
export const eventKinds = [
  ...activityKinds,
  'score',
  'export',
  'erase',
  'erased_by_sender',
  'retry',
  'sign_in',
  'sign_in_refused',
  'sign_out',
  'step_up',
  'session.end',
  'factor_added',
  'factor_removed',
  'factor_renamed',
  'invited',
  'invitation.end',
  'token.create',
  'token.end',
  'user.create',
  'user.update',
  'user.delete',
  'view.create',
  'view.update',
  'view.delete',
  'template.create',
  'template.update',
  'template.delete',
  'retention',
  'sample_data',
  'backup.restore',
  'erase_again',
  'demo_setup',
  'endpoint.create',
  'endpoint.update',
  'endpoint.delete',
  'endpoint.test',
  'settings.update',
  'offer.draft',
  'offer.update',
  'offer.delete',
  'content_published',
  'content_replaced',
  'content_shown',
  'agent.list_inbox',
  'agent.read_record',
  'agent.search_records',
  'agent.inbox_figures',
  'agent.list_templates',
  'agent.read_site',
  'agent.draft_reply',
  'agent.add_note',
  'agent.propose_status',
  'agent.refused',
  'agent.draft_dropped',
  'agent.proposal_dropped',
] as const
export type EventKind = (typeof eventKinds)[number]

export type EventTarget =
  | KindPath
  | 'users'
  | 'sessions'
  | 'mail'
  | 'templates'
  | 'views'
  | 'privacy'
  | 'offers'
  | 'agents'
  | 'endpoints'
  | 'deliveries'
  | 'tokens'
  | 'factors'
  | 'invitations'
  | 'settings'
  | 'content'
  | 'releases'
  | 'visits'
  | 'answers'

/** The value before and after; null if there was or is no account. */
const change = z.tuple([z.nullable(z.string()), z.nullable(z.string())])

export const details = z.object({
  /** Changes of an account. A new e-mail or password is named in `fields` only. */
  changes: z.optional(
    z.object({
      username: z.optional(change),
      role: z.optional(change),
      status: z.optional(change),
      assignee: z.optional(change),
      snoozedUntil: z.optional(change),
    }),
  ),
  /** Refused sign-ins: keyed hashes of the e-mail and the IP. */
  emailHash: z.optional(z.string()),
  ipHash: z.optional(z.string()),
  /** The number of these refusals within an hour of the first. */
  count: z.optional(z.int()),
  token: z.optional(z.string()),
  /** Scores only: 1 to 4 by the key of the criterion. */
  criteria: z.optional(z.record(z.string(), z.int())),
  counts: z.optional(z.record(z.string(), z.int())),
})
export type AuditDetails = z.output<typeof details>

export const entry = z.object({
  _id: id,
  at: isoTimestamp,
  /** The username of the time; null for what the program did. */
  by: z.nullable(z.string()),
  /** Stays when the user is renamed, and when the account is deleted. */
  byId: z.nullable(id),
  via: z.optional(z.enum(['start', 'command', 'retention', 'sender'])),
  kind: z.string(),
  target: z.nullable(
    z.object({
      kind: z.string(),
      _id: z.nullable(z.string()),
      /** Consultations and contacts: the name that the record has now; null once it is erased. */
      name: z.optional(z.nullable(z.string())),
    }),
  ),
  fields: z.array(z.string()),
  ...details.shape,
})
export type AuditEntry = z.output<typeof entry>

export const listAudit = endpoint('GET /api/audit', {
  summary: 'The audit log, newest first',
  access: 'audit.read',
  query: z.object({
    kind: absentIfBlank(plainText('The kind', 40)),
    by: absentIfBlank(plainText('The username', limits.username.max)),
    day: absentIfBlank(utcDay('A UTC day: YYYY-MM-DD')),
    cursor: z.optional(cursor),
  }),
  output: pageOf(entry),
})
