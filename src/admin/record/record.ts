import type * as z from 'zod/mini'
import type { AgentDraft, Proposal } from '#contract/agents.ts'
import type { applications } from '#contract/applications.ts'
import type { consultations } from '#contract/consultations.ts'
import type { contacts } from '#contract/contacts.ts'
import type {
  ActivityEntry,
  AnswerName,
  Box,
  Draft,
  Group,
  Match,
  RecordMail,
  RelatedRecord,
  SortKey,
  SpamReason,
  WaitingFor,
} from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'

export type Consultation = z.output<typeof consultations.record>
export type Application = z.output<typeof applications.record>
export type Contact = z.output<typeof contacts.record>

/** A record of any kind, as the inbox needs it. */
export interface InboxRecord {
  _id: string
  createdAt: string
  updatedAt: string
  name: string
  email: string
  status: string
  assignee: string | null
  box: Box
  spam: SpamReason[] | null
  version: number
  expiresAt: string | null
  /** The time of the promised answer; null if nothing is owed. */
  dueAt: string | null
  waitingFor: WaitingFor | null
  /** The time of the last message or reply. */
  lastMessageAt: string | null
  snoozedUntil: string | null
  seenAt: string | null
  /** Something came from its sender since this person last had it open. */
  unread: boolean
  withdrawnAt: string | null
  /** Searches only: the place of the match, if not in a field, with the words around. */
  match?: Match | null | undefined
  /** In place of the name, where it is hidden. */
  candidate?: number | undefined
  /** Applications only: the day by which its sender hears the decision, `YYYY-MM-DD`. */
  answerBy?: string | null | undefined
}

/** Further parts of an application's detail. */
export type ApplicationDetail = RecordDetail &
  Pick<z.output<typeof applications.detail>, 'criteria' | 'score' | 'answerBy' | 'position'>

/** A record of the list is drawn as a detail until that is there: without criteria. */
export const isApplication = (record: RecordDetail): record is ApplicationDetail =>
  'score' in record && 'criteria' in record

export interface RecordDetail extends InboxRecord {
  activity: ActivityEntry[]
  related: RelatedRecord[]
  mail: RecordMail[]
  /** Usernames of those who are writing an answer. */
  writing: string[]
  /** One's own, as the server holds it. */
  draft: Draft | null
  drafts: AgentDraft[]
  /** The status that an agent proposes. */
  proposal: Proposal | null
}

/** A record of a list as a detail, until that is there. */
export const asDetail = (row: InboxRecord): RecordDetail => ({
  activity: [],
  related: [],
  mail: [],
  writing: [],
  draft: null,
  drafts: [],
  proposal: null,
  ...row,
})

export type ConsultationDetail = RecordDetail &
  Pick<z.output<typeof consultations.detail>, 'appointment' | 'offers' | 'service' | 'source'>

/** A record of the list is drawn as a detail until that is there: without offers. */
export const isConsultation = (record: RecordDetail): record is ConsultationDetail =>
  'offers' in record && 'appointment' in record

/** The zone that the form sent. */
export const zoneOf = ({ source }: ConsultationDetail): string | undefined => source?.timeZone

export const firstNameOf = ({ name }: { name: string }): string => name.split(/\s+/)[0] || name

/** Set aside until a time that has not come yet. */
export const isSnoozed = ({ snoozedUntil }: InboxRecord, now: number): boolean =>
  snoozedUntil !== null && Date.parse(snoozedUntil) > now

/** The fields of a record that a change sets. */
export type Patch = Partial<InboxRecord>

/** Alike in all that staff can change. */
export const sameForStaff = (a: InboxRecord, b: InboxRecord): boolean =>
  a.status === b.status &&
  a.assignee === b.assignee &&
  a.box === b.box &&
  a.email === b.email &&
  a.snoozedUntil === b.snoozedUntil

/** The filter of a list, in the URL and in the API's query. */
export interface Filter {
  box?: Box | undefined
  status?: string | undefined
  group?: Group | undefined
  /** Records that fell due in the last `days`, or in the days from `dueFrom` to `dueTo`, by their answer. */
  answers?: AnswerName | undefined
  days?: string | undefined
  dueFrom?: string | undefined
  dueTo?: string | undefined
  q?: string | undefined
  /** With a draft of one’s own or of an agent. */
  drafts?: '1' | undefined
  assignee?: string | undefined
  from?: string | undefined
  to?: string | undefined
  sort?: SortKey | undefined
  /** Applications only. */
  position?: string | undefined
  /** Consultations only. */
  service?: string | undefined
}

/** The days in which answers fell due: `in 30 days`, `from 2026-10-01 to 2026-10-31`. */
export const periodLabel = ({ days, dueFrom, dueTo }: Filter): string =>
  dueFrom || dueTo
    ? [dueFrom && `from ${dueFrom}`, dueTo && `to ${dueTo}`].filter(Boolean).join(' ')
    : `in ${days ?? limits.statsDays.default} days`

export const boxLabels: Readonly<Record<Box, string>> = {
  inbox: 'Inbox',
  spam: 'Spam',
  trash: 'Trash',
}
