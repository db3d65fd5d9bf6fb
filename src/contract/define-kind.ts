import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { subjectProblem } from '#contract/mail/placeholders.ts'
import { agentDraft, proposal } from '#contract/programs/agents.ts'
import { cursor, email, flag, id, instant, isoTimestamp, version } from './fields.ts'
import {
  absentIfBlank,
  activityEntry,
  activityMeta,
  blind,
  blindParameter,
  bulkActions,
  common,
  contactFields,
  draft,
  eventMeta,
  type FieldName,
  type KindPath,
  listMeta,
  listParameters,
  match,
  messageText,
  type NotConsent,
  recordMail,
  relatedRecord,
  type Step,
} from './inbox.ts'
import { limits } from './limits.ts'
import { checkedText, longText, oneLine } from './text.ts'

/** The calls that every kind of record has. `contacts.ts` shows the description of a kind. */

interface KindDefinition<
  Path extends KindPath,
  Status extends string,
  Fields extends z.core.$ZodShape,
  Who extends string,
  At extends string,
  Filter extends z.core.$ZodShape,
  Extra extends z.core.$ZodShape,
  DetailExtra extends z.core.$ZodShape,
> {
  path: Path
  /** Each status, in the order that work moves; the first is that of a new record. */
  steps: Readonly<Record<Status, Step>>
  /** The status in which a first answer is due within `limits.promiseHours`; null without a promise. */
  promisedIn: NoInfer<Status> | null
  /** The record's own fields as staff get them, in the order of the API reference. */
  fields: Fields
  /** Labels of the fields in mails and screens for staff. */
  labels: { readonly [Name in keyof NoInfer<Fields> as NotConsent<Name>]: string }
  /** Names of the fields that say who last set the status, and when. */
  who: Who
  at: At
  /** Fields that say who the sender is: a blind answer leaves them out. */
  hidden?: readonly (keyof NoInfer<Fields>)[]
  /** Own parameters of the list: each names a field and selects its value. */
  filter?: Filter
  extra?: { record: Extra; detail: DetailExtra }
}

type Nothing = Record<never, never>

const assigneeMessage = 'The assignee is a username or null.'

/** A username, or a status where many are changed: whatever it names, it must be storable. */
const name = z
  .string({ error: assigneeMessage })
  .check(z.refine((value) => !/[\p{Cc}\p{Cs}]/u.test(value), { error: assigneeMessage }))

const snoozeMessage = 'Snoozed until is a time such as 2026-12-01T09:00:00Z, or null.'

/** In UTC: a zone may carry a time out of the years that a database reads as they are written. */
const isStorable = (value: string): boolean => {
  const year = instant(value)?.getUTCFullYear() ?? 0
  return year > 0 && year < 10_000
}

const snoozedUntil = z.nullable(
  z.string({ error: snoozeMessage }).check(
    z.refine(isStorable, { error: snoozeMessage }),
    z.overwrite((value) => instant(value)?.toISOString() ?? value),
  ),
)

/** The type stays that of a whole shape: who asks for less knows what is missing. */
const mayLack = <Shape extends z.core.$ZodShape>(
  shape: Shape,
  names: readonly PropertyKey[],
): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [
      name,
      names.includes(name) ? z.optional(schema) : schema,
    ]),
  ) as unknown as Shape

export const defineKind = <
  const Path extends KindPath,
  const Status extends string,
  Fields extends z.core.$ZodShape,
  const Who extends string,
  const At extends string,
  Filter extends z.core.$ZodShape = Nothing,
  Extra extends z.core.$ZodShape = Nothing,
  DetailExtra extends z.core.$ZodShape = Nothing,
>(
  definition: KindDefinition<Path, Status, Fields, Who, At, Filter, Extra, DetailExtra>,
) => {
  const { path, steps, fields, who, at } = definition
  const hidden: readonly PropertyKey[] = definition.hidden ?? []
  const hides = hidden.length > 0
  const extra =
    definition.extra ?? ({ record: {}, detail: {} } as NonNullable<typeof definition.extra>)
  // An object holds its keys in the order in which they were written.
  const statuses = Object.keys(steps) as [Status, ...Status[]]
  const fieldNames = Object.keys(fields).filter((name) => name !== 'consent')
  const status = z.enum(statuses, { error: 'Unknown status.' })
  const stamp = {
    [who]: z.nullable(z.string()),
    [at]: z.nullable(isoTimestamp),
  } as Record<Who, z.ZodMiniNullable<z.ZodMiniString>> &
    Record<At, z.ZodMiniNullable<z.ZodMiniString>>
  const text = longText('The message', { max: limits.staffMessage })
  const subject = oneLine('The subject', { max: limits.subject })
  /** The message of a bulk action; the call itself reports a problem of its text. */
  const message = z.object({ text, subject: z.optional(subject), status: z.optional(status) })
  const checkedMessage = z.object({
    text: messageText,
    subject: z.optional(checkedText(subject, subjectProblem)),
    status: z.optional(status),
  })
  const shown = {
    // A blind answer lacks the sender, an answer to a token without the scope `contacts` the ways to reach them.
    ...mayLack(fields, [...hidden, ...contactFields]),
    ...common,
    status,
    ...stamp,
    ...extra.record,
  }
  const record = z.object(shown)
  /** A search says where it found each row. */
  const row = z.object({ ...shown, match: z.optional(z.nullable(match)) })
  /** Left out of a blind answer. */
  const about = { related: z.array(relatedRecord), mail: z.array(recordMail) }
  const detail = z.object({
    ...shown,
    activity: z.array(activityEntry),
    ...mayLack(about, hides ? Object.keys(about) : []),
    drafts: z.array(agentDraft),
    proposal: z.nullable(proposal),
    draft: z.nullable(draft),
    writing: z.array(z.string()),
    ...extra.detail,
  })
  const parameters = listParameters(statuses, definition.filter ?? ({} as Filter), hides)
  /** Every kind takes it: records of the same person may be hidden. */
  const blindQuery = z.object({ blind })
  const changed = z.object({ data: detail, meta: eventMeta })

  return {
    ...definition,
    statuses,
    fieldNames: fieldNames as FieldName<{ fields: Fields }>[],
    record,
    detail,
    viewParameters: parameters.view,
    list: endpoint(`GET /api/${path}`, {
      summary: `List ${path}, newest first`,
      access: 'records.read',
      scope: 'read',
      query: parameters.list,
      output: z.object({ data: z.array(row), meta: listMeta }),
    }),
    search: endpoint(`POST /api/${path}/search`, {
      summary: `List ${path} as GET does, with the parameters in the body`,
      access: 'records.read',
      scope: 'read',
      body: parameters.list,
      output: z.object({ data: z.array(row), meta: listMeta }),
    }),
    read: endpoint(`GET /api/${path}/:id`, {
      summary: `One of the ${path} with its activity and related records`,
      access: 'records.read',
      scope: 'read',
      query: blindQuery,
      output: z.object({ data: detail, meta: activityMeta }),
    }),
    activity: endpoint(`GET /api/${path}/:id/activity`, {
      summary: `Its activity, ${limits.activity.page} entries at a time, from the newest back`,
      access: 'records.read',
      scope: 'read',
      query: z.object({ blind, cursor: absentIfBlank(cursor) }),
      output: z.object({ data: z.array(activityEntry), meta: activityMeta }),
    }),
    entry: endpoint(`GET /api/${path}/:id/activity/:entry`, {
      summary: 'One entry of it, its text whole',
      access: 'records.read',
      scope: 'read',
      query: blindQuery,
      output: z.object({ data: activityEntry }),
    }),
    change: endpoint(`PUT /api/${path}/:id`, {
      summary: 'Set status, assignee, box, until when it is snoozed or the sender’s address',
      access: 'records.change',
      scope: 'write',
      tokenFields: ['status', 'assignee', 'snoozedUntil', 'version'],
      query: blindQuery,
      body: z.object({
        status: z.optional(status),
        assignee: z.optional(z.nullable(name)),
        box: z.optional(z.enum(['inbox', 'spam'], { error: 'The box is inbox or spam.' })),
        snoozedUntil: z.optional(snoozedUntil),
        email: z.optional(email),
        /** Superusers alone: exempt from the retention rules, and what was accepted from the sender’s erasure. */
        keep: z.optional(flag),
        version: z.optional(version),
      }),
      output: changed,
    }),
    seen: endpoint(`POST /api/${path}/:id/seen`, {
      summary: 'Say that staff have read it; the first call counts',
      access: 'records.read',
      output: z.object({ data: z.object({ seenAt: isoTimestamp }) }),
    }),
    note: endpoint(`POST /api/${path}/:id/notes`, {
      summary: 'Write a note',
      access: 'records.change',
      scope: 'draft',
      body: z.object({ text: longText('The note', { max: limits.note }) }),
      output: z.object({ data: activityEntry }),
      status: 201,
      repeatable: true,
    }),
    message: endpoint(`POST /api/${path}/:id/messages`, {
      summary: `Write to the sender; the mail leaves ${limits.messageDelaySeconds} seconds later`,
      access: 'records.change',
      scope: 'write',
      query: z.object(blindParameter(hides)),
      body: checkedMessage,
      output: z.object({ data: activityEntry, meta: eventMeta }),
      status: 201,
      repeatable: true,
    }),
    draft: endpoint(`PUT /api/${path}/:id/draft`, {
      summary: 'Keep the answer that one has begun; an empty text deletes it',
      access: 'records.change',
      scope: 'draft',
      body: z.object({
        text: longText('The draft', { min: 0, max: limits.staffMessage }),
        subject: absentIfBlank(subject),
      }),
      output: z.object({ data: z.nullable(draft) }),
    }),
    writing: endpoint(`PUT /api/${path}/:id/writing`, {
      summary: `Say that one is writing an answer, for ${limits.writingSeconds} seconds`,
      access: 'records.change',
      repeatable: false,
    }),
    claim: endpoint(`POST /api/${path}/:id/claim`, {
      summary: 'Take a record that nobody has; a 409 where somebody has it',
      access: 'records.change',
      scope: 'write',
      query: blindQuery,
      output: changed,
      repeatable: true,
    }),
    endLink: endpoint(`DELETE /api/${path}/:id/link`, {
      summary: 'End the links of the sender’s page; the next mail carries a new one',
      access: 'records.change',
    }),
    remove: endpoint(`DELETE /api/${path}/:id`, {
      summary: 'Move to the trash',
      access: 'records.remove',
      output: z.object({ data: z.object({}), meta: eventMeta }),
    }),
    restore: endpoint(`POST /api/${path}/:id/restore`, {
      summary: 'Take out of the trash',
      access: 'records.remove',
      query: blindQuery,
      output: changed,
      repeatable: true,
    }),
    keep: endpoint(`PUT /api/${path}/:id/keep`, {
      summary:
        'Exempt from the retention rules, or not any more; with an accepted offer superusers alone',
      access: 'records.remove',
      query: blindQuery,
      body: z.object({ keep: flag }),
      output: changed,
    }),
    bulk: endpoint(`POST /api/${path}/bulk`, {
      summary: `Change up to ${limits.bulk} records in one transaction`,
      access: 'records.change',
      body: z.object({
        ids: z
          .array(z.string({ error: 'Each id is a string.' }), { error: 'Send a list of ids.' })
          .check(
            z.minLength(1, 'Choose at least one record.'),
            z.maxLength(limits.bulk, `At most ${limits.bulk} records at once.`),
          ),
        action: z.enum(bulkActions, { error: 'Unknown action.' }),
        value: z.optional(z.nullable(z.union([name, z.boolean(), message]))),
      }),
      output: z.object({
        data: z.object({ changed: z.array(id), missing: z.array(z.string()) }),
        meta: eventMeta,
      }),
      repeatable: true,
    }),
    export: endpoint(`GET /api/${path}/export.csv`, {
      summary: 'The filtered list as CSV',
      access: 'records.remove',
      stepUp: true,
      query: parameters.export,
      output: z.string(),
      produces: 'text/csv',
    }),
    exportBy: endpoint(`POST /api/${path}/export.csv`, {
      summary: 'The same, with the parameters in the body',
      access: 'records.remove',
      stepUp: true,
      body: parameters.export,
      output: z.string(),
      produces: 'text/csv',
    }),
  }
}
