import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import * as mail from '#contract/mail/outgoing-mail.ts'
import { messageProblem } from '#contract/mail/placeholders.ts'
import { calendarDay, cursor, id, instant, isoTimestamp, isStoredDay } from './fields.ts'
import { limits } from './limits.ts'
import { sourceKeys } from './submission.ts'
import { checkedText, longText, plainText } from './text.ts'

/**
 * Records and their lists, as staff get them: the same for every kind. Nothing here knows what a kind
 * has of its own; the calls of a kind are in `define-kind.ts`.
 */

export const boxes = ['inbox', 'spam', 'trash'] as const
export type Box = (typeof boxes)[number]

const waitingForNames = ['us', 'them'] as const
export type WaitingFor = (typeof waitingForNames)[number]

/** Every record is in exactly one: late, due, to answer without a promised time, snoozed, with them, done. */
export const groups = ['late', 'due', 'open', 'snoozed', 'waiting', 'done'] as const
export type Group = (typeof groups)[number]

export const groupLabels: Readonly<Record<Group, string>> = {
  late: 'Late',
  due: 'Due',
  open: 'To answer',
  snoozed: 'Snoozed',
  waiting: 'With them',
  done: 'Done',
}

export const owedGroups = ['late', 'due', 'open', 'snoozed'] as const satisfies readonly Group[]

export const answerNames = ['due', 'inTime', 'late', 'open'] as const
export type AnswerName = (typeof answerNames)[number]

export const answerLabels: Readonly<Record<AnswerName, string>> = {
  due: 'fell due',
  inTime: 'answered in time',
  late: 'answered late',
  open: 'late and open',
}

const spamReasons = ['trap', 'too_fast', 'links', 'repeat', 'staff', 'auto', 'flood'] as const
export type SpamReason = (typeof spamReasons)[number]

export const kindPaths = ['consultations', 'applications', 'contacts'] as const
export type KindPath = (typeof kindPaths)[number]

const eachOf = <Name extends string, Value extends z.ZodMiniType>(
  names: readonly Name[],
  value: Value,
) => z.object(Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>)

export const byKind = <Value extends z.ZodMiniType>(value: Value) => eachOf(kindPaths, value)

/** A calendar program's answers to an invitation. */
export const attendance = ['accepted', 'declined', 'tentative'] as const

/** The text of a message: no unknown placeholder, no blank left. */
export const messageText = checkedText(
  longText('The message', { max: limits.staffMessage }),
  messageProblem,
)

export const activityKinds = [
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
  'erasure_asked',
  'auto',
  'revealed',
  'times',
  'booked',
  'moved',
  'cancelled',
  'offer_sent',
  'offer_accepted',
  'offer_declined',
] as const
export type ActivityKind = (typeof activityKinds)[number]

/** `due`: in the order of the groups, what is owed first. */
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

export const dayOrTime = z.string().check(
  z.meta({ description: 'Of the creation: YYYY-MM-DD, whole UTC days, or an ISO time' }),
  z.refine((value) => calendarDay(value) !== null || instant(value) !== null, {
    error: 'Dates look like 2026-11-20 or 2026-11-20T09:30:00Z.',
  }),
)

export const utcDay = (description: string) =>
  z
    .string()
    .check(
      z.meta({ description }),
      z.refine(isStoredDay, { error: 'A day looks like 2026-11-20.' }),
    )

const dueDay = absentIfBlank(
  utcDay('Of `answers`, in place of `days`: a UTC day, YYYY-MM-DD; both are included'),
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

export const pageSize = wholeNumber(
  1,
  limits.page.max,
  `The limit is a number from 1 to ${limits.page.max}.`,
  `${limits.page.default} by default`,
)

/** UTC days, today among them. */
export const periodDays = (description: string) =>
  wholeNumber(
    1,
    limits.statsDays.max,
    `Days is a whole number from 1 to ${limits.statsDays.max}.`,
    description,
  )

/** A place in a list, for a jump to where no cursor leads; pages in order go by cursor. */
const place = wholeNumber(
  0,
  9_999_999,
  'The number of records to skip is a whole number from 0.',
  'Records to pass over, from the cursor or the start',
)

const blindness = ['1', 'auto'] as const
export type Blindness = (typeof blindness)[number]

/** In JSON `1` may be a number. */
const oneAsText = z.transform((value) => (value === 1 ? '1' : value))

/** A parameter that is `1` or left out. */
const onlyOne = (label: string, description: string) =>
  absentIfBlank(
    z
      .pipe(oneAsText, z.enum(['1'], { error: `${label} is 1.` }))
      .check(z.meta({ description: `\`1\`: ${description}` })),
  )

/** Asks to hide applicants' names. */
export const blind = absentIfBlank(
  z.pipe(
    oneAsText,
    z.enum(blindness, { error: 'Blind is 1 or auto.' }).check(
      z.meta({
        description:
          '`1` leaves out who it is; `auto` does so where the position asks for it and one’s own score is not in',
      }),
    ),
  ),
)

/** The parameter of lists. Its type is there for every kind; only a kind that hides fields takes it. */
export const blindParameter = (isTaken: boolean): { blind: typeof blind } =>
  (isTaken ? { blind } : {}) as { blind: typeof blind }

/** Downloads only: uses labels in place of the API's codes. */
const labels = onlyOne('Labels', 'labels in place of field names and codes')

/**
 * The parameters of a kind's list: the admin's URL, the API's query and its JSON are this one schema. A saved view asks
 * for no hidden names: each list does.
 *
 * @param filter the kind's own
 */
export const listParameters = <Status extends string, Filter extends z.core.$ZodShape>(
  statuses: readonly [Status, ...Status[]],
  filter: Filter,
  hides: boolean,
) => {
  const shape = {
    box: absentIfBlank(z.enum(boxes, { error: 'Unknown box.' })),
    status: absentIfBlank(z.enum(statuses, { error: 'Unknown status.' })),
    group: absentIfBlank(z.enum(groups, { error: 'Unknown group.' })),
    answers: absentIfBlank(
      z.enum(answerNames, { error: 'Unknown kind of answer.' }).check(
        z.meta({
          description:
            'What fell due in the last `days`: all of it, answered in time or late, or still open',
        }),
      ),
    ),
    days: absentIfBlank(periodDays(`Of \`answers\`; ${limits.statsDays.default} by default`)),
    dueFrom: dueDay,
    dueTo: dueDay,
    drafts: onlyOne('Drafts', 'records with a draft of one’s own or of an agent'),
    q: absentIfBlank(plainText('The search text', limits.search)),
    assignee: absentIfBlank(plainText('The assignee', limits.username.max)),
    from: absentIfBlank(dayOrTime),
    to: absentIfBlank(dayOrTime),
    sort: absentIfBlank(z.enum(sortKeys, { error: 'Unknown sort key.' })),
    ...filter,
  }
  const limit = absentIfBlank(pageSize)
  const paging = { limit, cursor: absentIfBlank(cursor), skip: absentIfBlank(place) }
  const error = 'Send the parameters as a JSON object.'
  return {
    view: z.object({ ...shape, limit }),
    list: z.object({ ...shape, ...blindParameter(hides), ...paging }, { error }),
    export: z.object({ ...shape, ...blindParameter(hides), labels }, { error }),
  }
}

export const consent = z.nullable(z.object({ at: isoTimestamp, terms: z.string() }))

export const common = {
  _id: id,
  createdAt: isoTimestamp,
  updatedAt: isoTimestamp,
  /** A username, or null. */
  assignee: z.nullable(z.string()),
  box: z.enum(boxes),
  /** The time of the promised answer; null if nothing is owed. */
  dueAt: z.nullable(isoTimestamp),
  /**
   * The side that answers next: `us` while an answer is owed, `them` after it, null if nothing is
   * left to answer.
   */
  waitingFor: z.nullable(z.enum(waitingForNames)),
  group: z.enum(groups),
  /** True if something came from its sender since the reader last had it open. */
  unread: z.boolean(),
  lastMessageAt: z.nullable(isoTimestamp),
  snoozedUntil: z.nullable(isoTimestamp),
  /** The time at which staff first opened it. */
  seenAt: z.nullable(isoTimestamp),
  withdrawnAt: z.nullable(isoTimestamp),
  spam: z.nullable(z.array(z.enum(spamReasons))),
  source: z.nullable(eachOf(sourceKeys, z.optional(z.string()))),
  /** Grows by one with each change. */
  version: z.int(),
  /** True if a superuser has exempted it from the retention rules. */
  keep: z.boolean(),
  /** The time of its erasure by the retention rules; null if it is kept. */
  expiresAt: z.nullable(isoTimestamp),
}

export const activityEntry = z.object({
  _id: id,
  at: isoTimestamp,
  /** A username; null for what the visitor or the system did. */
  by: z.nullable(z.string()),
  kind: z.enum(activityKinds),
  /** The address of a reply or an automatic mail; null if it is the record's own. */
  from: z.optional(z.nullable(z.string())),
  to: z.optional(z.nullable(z.string())),
  text: z.optional(z.string()),
  /** Replies by mail only. */
  subject: z.optional(z.nullable(z.string())),
  /**
   * Mail only: true if the receiving server confirms the From address; null if no trusted server is
   * named.
   */
  verified: z.optional(z.nullable(z.boolean())),
  /** Mail of a calendar program only: its answer to the invitation. */
  attendance: z.optional(z.enum(attendance)),
  /** The text is longer, or was when it came. */
  cut: z.optional(z.literal(true)),
  /** Corrections by the sender only: the names of the fields. */
  fields: z.optional(z.array(z.string())),
  /** Messages only: how far its mail is. */
  delivery: z.optional(z.enum(mail.messageDeliveries)),
  /** Offers of times only: null offers all free hours of the host. */
  slots: z.optional(z.nullable(z.array(z.object({ start: isoTimestamp, taken: z.boolean() })))),
})
export type ActivityEntry = z.output<typeof activityEntry>

/** The number of entries, and the cursor of older ones. */
export const activityMeta = z.object({
  activity: z.object({ total: z.int(), cursor: z.nullable(z.string()) }),
})

export const relatedRecord = z.object({
  kind: z.enum(kindPaths),
  _id: id,
  createdAt: isoTimestamp,
  status: z.string(),
  box: z.enum(boxes),
})
export type RelatedRecord = z.output<typeof relatedRecord>

/** The ways to reach a sender: a token sees them with the scope `contacts` alone. */
export const contactFields: readonly string[] = ['email', 'phone']

/** A message that the record caused. */
export const recordMail = z.object({
  _id: id,
  kind: z.enum(mail.mailKinds),
  status: z.enum(mail.mailStatuses),
  /** The entry of the activity whose message it carries. */
  entry: z.nullable(id),
  /** The provider's report: a bounced acknowledgement means that the address is wrong. */
  delivery: z.nullable(z.enum(mail.deliveries)),
  /** The time of sending, or of writing if it was not sent. */
  at: isoTimestamp,
})
export type RecordMail = z.output<typeof recordMail>

const counts = z.record(z.string(), z.int())

export const groupCounts = eachOf(groups, z.int())
export type GroupCounts = z.output<typeof groupCounts>

/** The place in which a search found a record, if not in a field, with the words around. */
export const match = z.object({
  in: z.enum(['message', 'reply', 'note', 'text']),
  text: z.string(),
})
export type Match = z.output<typeof match>

/** Characters on each side of what a search found. */
export const AROUND = 60

/** A part of a text without half a character of two code units at its start or end. */
export const withoutHalves = (part: string): string => part.replace(/^\p{Cs}|\p{Cs}$/gu, '')

/** The words of a record's own text around what a search finds in it. */
export const matchIn = (text: string, query: string): Match | null => {
  const at = text.toLowerCase().indexOf(query.toLowerCase())
  if (at < 0) return null
  const around = text.slice(Math.max(0, at - AROUND), at + query.length + AROUND)
  return { in: 'text', text: withoutHalves(around) }
}

export const draft = z.object({
  text: z.string(),
  subject: z.nullable(z.string()),
  at: isoTimestamp,
  /** A username. */
  by: z.string(),
})
export type Draft = z.output<typeof draft>

export const listMeta = z.object({
  /** Records in the box. */
  total: z.int(),
  matching: z.int(),
  /** By status, under every filter but the status. */
  counts,
  boxes: eachOf(boxes, z.int()),
  /** By group, under every filter but the group. */
  groups: groupCounts,
  /** Records of the box with a draft of one’s own or of an agent. */
  drafts: z.int(),
  nextCursor: z.nullable(z.string()),
})
export type ListMeta = z.output<typeof listMeta>

/** Names a change, for undo; null when nothing changed. */
export const eventMeta = z.object({ event: z.nullable(id) })

export const bulkActions = ['status', 'assign', 'spam', 'delete', 'restore', 'message'] as const

/** The progress of the work on a record: drawn as a mark before its status. */
export type Stage = 'waiting' | 'moving' | 'done' | 'closed'

export interface Step {
  label: string
  stage: Stage
}

/** Consent is asked for beside a form's fields, and shown beside a record's. */
export type NotConsent<Name> = Name extends 'consent' ? never : Name & string

export type Status<Kind extends { steps: object }> = keyof Kind['steps'] & string

export type FieldName<Kind extends { fields: object }> = NotConsent<keyof Kind['fields']>

/** A kind's own fields as they are stored. */
export type FieldValues<Kind extends { fields: z.core.$ZodShape }> = {
  readonly [Name in FieldName<Kind>]: z.output<Kind['fields'][Name]>
}

export const undo = endpoint('POST /api/undo', {
  summary: 'Reverse a change of one’s own',
  access: 'records.change',
  body: z.object({ event: z.string({ error: 'Name the event to undo.' }) }),
  output: z.object({
    data: z.object({ reverted: z.array(id), conflicts: z.array(id) }),
    meta: eventMeta,
  }),
  repeatable: true,
})
