import type * as z from 'zod/mini'
import type { applications } from '#contract/applications.ts'
import type { consultations } from '#contract/consultations.ts'
import type { contacts } from '#contract/contacts.ts'
import type { Box, Match } from '#contract/inbox.ts'
import type { AnyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { longDayOf } from '../format/dates.ts'

export type Consultation = z.output<typeof consultations.record>
export type Application = z.output<typeof applications.record>
export type Contact = z.output<typeof contacts.record>

/** A record of any kind, as the inbox needs it. */
export interface InboxRecord
  extends Omit<z.output<AnyKind['record']>, 'group' | 'keep' | 'source'> {
  /** Searches only: the place of the match, if not in a field, with the words around. */
  match?: Match | null | undefined
  /** In place of the name, where it is hidden. */
  candidate?: number | undefined
  /** Applications only: the day by which its sender hears the decision, `YYYY-MM-DD`. */
  answerBy?: string | null | undefined
  /** Applications only: true if it is decided and no message has told its sender. */
  untold?: boolean | undefined
}

export type ApplicationDetail = RecordDetail &
  Pick<z.output<typeof applications.detail>, 'criteria' | 'score' | 'answerBy' | 'position'>

/** A record of the list is drawn as a detail until that is there: without criteria. */
export const isApplication = (record: RecordDetail): record is ApplicationDetail =>
  'score' in record && 'criteria' in record

/** Parts that only a detail has, of any kind. */
type Parts = Pick<
  z.output<AnyKind['detail']>,
  'activity' | 'related' | 'mail' | 'writing' | 'draft' | 'drafts' | 'proposal'
>

export interface RecordDetail extends InboxRecord, Parts {
  /** Leads to the activity before this; null if there is none, undefined if it is not known. */
  older?: string | null | undefined
  /** The time at which reading it began; only what was read by itself has one. */
  readAt?: number | undefined
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
export type Filter = Omit<z.output<AnyKind['viewParameters']>, 'days' | 'limit'> & {
  days?: string | undefined
  /** Applications only. */
  position?: string | undefined
  /** Consultations only. */
  service?: string | undefined
}

/** The days in which answers fell due: `in 30 days`, `from 2026-10-01 to 2026-10-31`. */
export const periodLabel = ({ days, dueFrom, dueTo }: Filter): string =>
  dueFrom || dueTo
    ? [dueFrom && `from ${longDayOf(dueFrom)}`, dueTo && `to ${longDayOf(dueTo)}`]
        .filter(Boolean)
        .join(' ')
    : `in ${days ?? limits.statsDays.default} days`

export const boxLabels: Readonly<Record<Box, string>> = {
  inbox: 'Inbox',
  spam: 'Spam',
  trash: 'Trash',
}
