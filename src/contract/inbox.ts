import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import {
  deliveries,
  mailKinds,
  mailStatuses,
  messageDeliveries,
} from '#contract/mail/outgoing-mail.ts'
import { calendarDay, email, id, instant, isoTimestamp } from './fields.ts'
import { limits } from './limits.ts'
import { sourceKeys } from './submission.ts'
import { longText, plainText } from './text.ts'

/**
 * What staff do with records: the same calls for every kind. A kind is described by data (see
 * `contacts.ts`); nothing here knows which kinds there are.
 */

export const boxes = ['inbox', 'spam', 'trash'] as const
export type Box = (typeof boxes)[number]

export const waitingForNames = ['us', 'them'] as const
export type WaitingFor = (typeof waitingForNames)[number]

const spamReasons = ['trap', 'too_fast', 'links', 'repeat', 'staff', 'auto'] as const
export type SpamReason = (typeof spamReasons)[number]

export const kindPaths = ['consultations', 'applications', 'contacts'] as const
export type KindPath = (typeof kindPaths)[number]

const activityKinds = [
  'created',
  'status',
  'assign',
  'note',
  'spam',
  'release',
  'delete',
  'restore',
  'undo',
  'keep',
  'snooze',
  'message',
  'link_ended',
  'corrected',
  'reply',
  'withdrawn',
  'auto',
  'revealed',
] as const
export type ActivityKind = (typeof activityKinds)[number]

/** `due`: what is owed first, then what is not, newest first. */
export const sortKeys = ['due', 'createdAt', '-createdAt', 'name', '-name'] as const
export type SortKey = (typeof sortKeys)[number]

/** An empty parameter counts as none. */
export const absentIfBlank = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.optional(
    z.pipe(
      z.transform((value): unknown => (value === '' || value === null ? undefined : value)),
      z.optional(schema),
    ),
  )

const day = z.string().check(
  z.meta({ description: 'Of the creation: YYYY-MM-DD, whole UTC days, or an ISO time' }),
  z.refine((value) => calendarDay(value) !== null || instant(value) !== null, {
    error: 'Dates look like 2026-11-20 or 2026-11-20T09:30:00Z.',
  }),
)

/** A whole number: digits in a query, a number or digits in JSON. */
const wholeNumber = (least: number, most: number, message: string, description: string) =>
  z.pipe(
    z.transform((value) =>
      typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : value,
    ),
    z
      .int({ error: message })
      .check(z.gte(least, message), z.lte(most, message), z.meta({ description })),
  )

const pageSize = wholeNumber(
  1,
  limits.page.max,
  `The limit is a number from 1 to ${limits.page.max}.`,
  `${limits.page.default} by default`,
)

/** A place in a list, for a jump to where no cursor leads; pages in order go by cursor. */
const place = wholeNumber(
  0,
  9_999_999,
  'The number of records to skip is a whole number from 0.',
  'Records to pass over, from the cursor or the start',
)

export const blindness = ['1', 'auto'] as const
export type Blindness = (typeof blindness)[number]

/** Who applied may be hidden. In JSON `1` may be a number. */
export const blind = absentIfBlank(
  z.pipe(
    z.transform((value) => (value === 1 ? '1' : value)),
    z.enum(blindness, { error: 'Blind is 1 or auto.' }).check(
      z.meta({
        description:
          '`1` leaves out who it is; `auto` does so where the position asks for it and one’s own score is not in',
      }),
    ),
  ),
)

/** The parameter of lists. Its type is there for every kind; only a kind that hides fields takes it. */
const blindParameter = (isTaken: boolean): { blind: typeof blind } =>
  (isTaken ? { blind } : {}) as { blind: typeof blind }

/** The filter of a list: the admin's URL, the API's query and its JSON are this one schema. */
const listFilter = <Status extends string>(statuses: readonly [Status, ...Status[]]) => ({
  box: absentIfBlank(z.enum(boxes, { error: 'Unknown box.' })),
  status: absentIfBlank(z.enum(statuses, { error: 'Unknown status.' })),
  q: absentIfBlank(plainText('The search text', limits.search)),
  assignee: absentIfBlank(plainText('The assignee', limits.username.max)),
  from: absentIfBlank(day),
  to: absentIfBlank(day),
  sort: absentIfBlank(z.enum(sortKeys, { error: 'Unknown sort key.' })),
})

const parametersAreAnObject = { error: 'Send the parameters as a JSON object.' }

interface ListOptions<Status extends string, Filter extends z.core.$ZodShape> {
  statuses: readonly [Status, ...Status[]]
  /** The kind's own. */
  filter: Filter
  hides: boolean
}

const filterShape = <Status extends string, Filter extends z.core.$ZodShape>({
  statuses,
  filter,
}: Omit<ListOptions<Status, Filter>, 'hides'>) => ({ ...listFilter(statuses), ...filter })

/** What a saved view holds. Whether names are hidden is asked with each list: it would not go with a search. */
const viewQuery = <Status extends string, Filter extends z.core.$ZodShape>(
  options: ListOptions<Status, Filter>,
) => z.object({ ...filterShape(options), limit: absentIfBlank(pageSize) })

const listQuery = <Status extends string, Filter extends z.core.$ZodShape>(
  options: ListOptions<Status, Filter>,
) =>
  z.object(
    {
      ...filterShape(options),
      ...blindParameter(options.hides),
      limit: absentIfBlank(pageSize),
      cursor: absentIfBlank(plainText('The cursor', 1_000)),
      skip: absentIfBlank(place),
    },
    parametersAreAnObject,
  )

const exportQuery = <Status extends string, Filter extends z.core.$ZodShape>(
  options: ListOptions<Status, Filter>,
) => z.object({ ...filterShape(options), ...blindParameter(options.hides) }, parametersAreAnObject)

const sourceShape = z.nullable(
  z.object(
    Object.fromEntries(sourceKeys.map((key) => [key, z.optional(z.string())])) as Record<
      (typeof sourceKeys)[number],
      z.ZodMiniOptional<z.ZodMiniString>
    >,
  ),
)

export const consent = z.nullable(z.object({ at: isoTimestamp, terms: z.string() }))

/** What every record carries beside its own fields. */
const common = {
  _id: id,
  createdAt: isoTimestamp,
  updatedAt: isoTimestamp,
  /** A username, or null. */
  assignee: z.nullable(z.string()),
  box: z.enum(boxes),
  /** When an answer was promised; null where nothing is owed. */
  dueAt: z.nullable(isoTimestamp),
  /** Who is to answer next: `us` from arrival or reply, `them` after a message, else null. */
  waitingFor: z.nullable(z.enum(waitingForNames)),
  /** Of the last message or reply. */
  lastMessageAt: z.nullable(isoTimestamp),
  snoozedUntil: z.nullable(isoTimestamp),
  /** When staff first had it open. */
  seenAt: z.nullable(isoTimestamp),
  /** When the sender took it back. */
  withdrawnAt: z.nullable(isoTimestamp),
  /** Why it was set apart, or null. */
  spam: z.nullable(z.array(z.enum(spamReasons))),
  source: sourceShape,
  /** Grows by one with each change. */
  version: z.int(),
  /** When the retention rules will erase it; null where staff chose to keep it. */
  expiresAt: z.nullable(isoTimestamp),
}

const activityEntry = z.object({
  _id: id,
  at: isoTimestamp,
  /** A username; null for what the visitor or the system did. */
  by: z.nullable(z.string()),
  kind: z.enum(activityKinds),
  /** Of a reply or an automatic mail: its address, null where that is the record's own. */
  from: z.optional(z.nullable(z.string())),
  to: z.optional(z.nullable(z.string())),
  text: z.optional(z.string()),
  /** Of what came by mail. */
  subject: z.optional(z.nullable(z.string())),
  /** Of what a sender corrected: the names of the fields. */
  fields: z.optional(z.array(z.string())),
  /** Of a message: how far its mail is. */
  delivery: z.optional(z.enum(messageDeliveries)),
})
export type ActivityEntry = z.output<typeof activityEntry>

const relatedRecord = z.object({
  kind: z.enum(kindPaths),
  _id: id,
  createdAt: isoTimestamp,
  status: z.string(),
  box: z.enum(boxes),
})
export type RelatedRecord = z.output<typeof relatedRecord>

/** A message that the record caused. */
const recordMail = z.object({
  _id: id,
  kind: z.enum(mailKinds),
  status: z.enum(mailStatuses),
  /** The entry of the activity whose message it carries. */
  entry: z.nullable(id),
  /** What the provider reported since: a bounced acknowledgement means that the address is wrong. */
  delivery: z.nullable(z.enum(deliveries)),
  /** When it was sent, or written where it was not. */
  at: isoTimestamp,
})
export type RecordMail = z.output<typeof recordMail>

const counts = z.record(z.string(), z.int())

const listMeta = z.object({
  /** Records in the box. */
  total: z.int(),
  /** Records that the filter selects. */
  matching: z.int(),
  /** By status, under every filter but the status. */
  counts,
  boxes: z.object({ inbox: z.int(), spam: z.int(), trash: z.int() }),
  /** How many of the matching records are owed an answer by when: `today` is the UTC day, snoozed ones are `later`. */
  groups: z.object({ late: z.int(), today: z.int(), later: z.int(), done: z.int() }),
  nextCursor: z.nullable(z.string()),
})
export type ListMeta = z.output<typeof listMeta>

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

/** Names a change, for undo; null when nothing changed. */
const eventMeta = z.object({ event: z.nullable(id) })

const bulkActions = ['status', 'assign', 'spam', 'delete', 'restore', 'message'] as const
export type BulkAction = (typeof bulkActions)[number]

/** How far the work on a record has come: drawn as a mark before its status. */
export type Stage = 'waiting' | 'moving' | 'done' | 'closed'

export interface Step {
  label: string
  stage: Stage
}

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
  /** What mails and screens for staff call each field. */
  labels: { readonly [Name in keyof NoInfer<Fields> as NotConsent<Name>]: string }
  /** Names of the fields that say who last set the status, and when. */
  who: Who
  at: At
  /** Fields that say who the sender is: a blind answer leaves them out. */
  hidden?: readonly (keyof NoInfer<Fields>)[]
  /** Own parameters of the list: each names a field and selects its value. */
  filter?: Filter
  /** What the record carries besides, and what its detail does. */
  extra?: { record: Extra; detail: DetailExtra }
}

type Nothing = Record<never, never>

/** Consent is asked for beside a form's fields, and shown beside a record's. */
type NotConsent<Name> = Name extends 'consent' ? never : Name & string

/** The statuses of a kind. */
export type Status<Kind extends { steps: object }> = keyof Kind['steps'] & string

/** The names of a kind's own fields. */
export type FieldName<Kind extends { fields: object }> = NotConsent<keyof Kind['fields']>

/** A kind's own fields as they are stored. */
export type FieldValues<Kind extends { fields: z.core.$ZodShape }> = {
  readonly [Name in FieldName<Kind>]: z.output<Kind['fields'][Name]>
}

/** Describes one kind; its staff calls follow from that. */
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
  const extra =
    definition.extra ?? ({ record: {}, detail: {} } as NonNullable<typeof definition.extra>)
  /** Left out of a blind answer. The type stays that of a whole one: who asks blind knows what is missing. */
  const unlessBlind = <Shape extends z.core.$ZodShape>(shape: Shape, names = Object.keys(shape)) =>
    Object.fromEntries(
      Object.entries(shape).map(([name, schema]) => [
        name,
        hidden.length > 0 && names.includes(name) ? z.optional(schema) : schema,
      ]),
    ) as Shape
  // An object holds its keys in the order in which they were written.
  const statuses = Object.keys(steps) as [Status, ...Status[]]
  const fieldNames = Object.keys(fields).filter((name) => name !== 'consent')
  const status = z.enum(statuses, { error: 'Unknown status.' })
  const stamp = {
    [who]: z.nullable(z.string()),
    [at]: z.nullable(isoTimestamp),
  } as Record<Who, z.ZodMiniNullable<z.ZodMiniString>> &
    Record<At, z.ZodMiniNullable<z.ZodMiniString>>
  const message = z.object({
    text: longText('The message', { max: limits.staffMessage }),
    status: z.optional(status),
  })
  const shown = {
    ...unlessBlind(fields, hidden as string[]),
    ...common,
    status,
    ...stamp,
    ...extra.record,
  }
  const record = z.object(shown)
  const detail = z.object({
    ...shown,
    activity: z.array(activityEntry),
    ...unlessBlind({ related: z.array(relatedRecord), mail: z.array(recordMail) }),
    /** Who says that they are writing an answer, by username. */
    writing: z.array(z.string()),
    ...extra.detail,
  })
  const parameters = {
    statuses,
    filter: definition.filter ?? ({} as Filter),
    hides: hidden.length > 0,
  }
  /** Of every kind: records of the same person may be hidden. */
  const blindQuery = z.object({ blind })
  const one = z.object({ data: detail })
  const changed = z.object({ data: detail, meta: eventMeta })

  return {
    ...definition,
    statuses,
    fieldNames: fieldNames as FieldName<{ fields: Fields }>[],
    record,
    detail,
    /** The parameters of the list that a saved view may hold. */
    viewParameters: viewQuery(parameters),
    list: endpoint({
      method: 'GET',
      path: `/api/${path}`,
      summary: `List ${path}, newest first`,
      access: 'records.read',
      query: listQuery(parameters),
      output: z.object({ data: z.array(record), meta: listMeta }),
    }),
    search: endpoint({
      method: 'POST',
      path: `/api/${path}/search`,
      summary: `List ${path} as GET does, with the parameters in the body`,
      access: 'records.read',
      body: listQuery(parameters),
      output: z.object({ data: z.array(record), meta: listMeta }),
    }),
    read: endpoint({
      method: 'GET',
      path: `/api/${path}/:id`,
      summary: `One of the ${path} with its activity and related records`,
      access: 'records.read',
      query: blindQuery,
      output: one,
    }),
    change: endpoint({
      method: 'PUT',
      path: `/api/${path}/:id`,
      summary: 'Set status, assignee, box, until when it is snoozed or the sender’s address',
      access: 'records.change',
      query: blindQuery,
      body: z.object({
        status: z.optional(status),
        assignee: z.optional(z.nullable(name)),
        box: z.optional(z.enum(['inbox', 'spam'], { error: 'The box is inbox or spam.' })),
        snoozedUntil: z.optional(snoozedUntil),
        email: z.optional(email),
        version: z.optional(z.int({ error: 'The version is a whole number.' })),
      }),
      output: changed,
      repeatable: true,
    }),
    seen: endpoint({
      method: 'POST',
      path: `/api/${path}/:id/seen`,
      summary: 'Say that staff have read it; the first call counts',
      access: 'records.read',
      output: z.object({ data: z.object({ seenAt: isoTimestamp }) }),
    }),
    note: endpoint({
      method: 'POST',
      path: `/api/${path}/:id/notes`,
      summary: 'Write a note',
      access: 'records.change',
      body: z.object({ text: longText('The note', { max: limits.note }) }),
      output: z.object({ data: activityEntry }),
      status: 201,
      repeatable: true,
    }),
    message: endpoint({
      method: 'POST',
      path: `/api/${path}/:id/messages`,
      summary: `Write to the sender; the mail leaves ${limits.messageDelaySeconds} seconds later`,
      access: 'records.change',
      query: z.object(blindParameter(parameters.hides)),
      body: message,
      output: z.object({ data: activityEntry, meta: eventMeta }),
      status: 201,
      repeatable: true,
    }),
    writing: endpoint({
      method: 'PUT',
      path: `/api/${path}/:id/writing`,
      summary: `Say that one is writing an answer, for ${limits.writingSeconds} seconds`,
      access: 'records.change',
      output: z.object({ data: z.object({}) }),
    }),
    claim: endpoint({
      method: 'POST',
      path: `/api/${path}/:id/claim`,
      summary: 'Take a record that nobody has; a 409 where somebody has it',
      access: 'records.change',
      query: blindQuery,
      output: changed,
      repeatable: true,
    }),
    endLink: endpoint({
      method: 'DELETE',
      path: `/api/${path}/:id/link`,
      summary: 'End the links of the sender’s page; the next mail carries a new one',
      access: 'records.change',
      output: z.object({ data: z.object({}) }),
      repeatable: true,
    }),
    remove: endpoint({
      method: 'DELETE',
      path: `/api/${path}/:id`,
      summary: 'Move to the trash',
      access: 'records.remove',
      output: z.object({ data: z.object({}), meta: eventMeta }),
      repeatable: true,
    }),
    restore: endpoint({
      method: 'POST',
      path: `/api/${path}/:id/restore`,
      summary: 'Take out of the trash',
      access: 'records.remove',
      query: blindQuery,
      output: changed,
      repeatable: true,
    }),
    keep: endpoint({
      method: 'PUT',
      path: `/api/${path}/:id/keep`,
      summary: 'Exempt from the retention rules, or not any more',
      access: 'records.remove',
      query: blindQuery,
      body: z.object({ keep: z.boolean({ error: 'Say true or false.' }) }),
      output: changed,
      repeatable: true,
    }),
    bulk: endpoint({
      method: 'POST',
      path: `/api/${path}/bulk`,
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
    export: endpoint({
      method: 'GET',
      path: `/api/${path}/export.csv`,
      summary: 'The filtered list as CSV',
      access: 'records.remove',
      query: exportQuery(parameters),
      output: z.string(),
      produces: 'text/csv',
    }),
    exportBy: endpoint({
      method: 'POST',
      path: `/api/${path}/export.csv`,
      summary: 'The same, with the parameters in the body',
      access: 'records.remove',
      body: exportQuery(parameters),
      output: z.string(),
      produces: 'text/csv',
    }),
  }
}

export const undo = endpoint({
  method: 'POST',
  path: '/api/undo',
  summary: 'Reverse a change of one’s own',
  access: 'records.change',
  body: z.object({ event: z.string({ error: 'Name the event to undo.' }) }),
  output: z.object({
    data: z.object({ reverted: z.array(id), conflicts: z.array(id) }),
    meta: eventMeta,
  }),
  repeatable: true,
})
