import type { Blindness, KindPath, Step } from '#contract/inbox.ts'
import type { InboxRecord, RecordDetail } from './record.ts'

/**
 * In a blind answer the server leaves out the applicant until one's own score is in. Here such a
 * record gets a number as its name, so that the rest of the inbox knows no other case.
 */

/** Query parameter `blind=auto`: the server hides the names of applicants. */
export const blind = { blind: 'auto' } as const satisfies { blind: Blindness }

/** `Candidate 004 120`. */
export const candidateName = (candidate: number): string =>
  `Candidate ${String(candidate)
    .padStart(6, '0')
    .replace(/(?=\d{3}$)/, '\u00a0')}`

/** The parameter of lists and messages of the kind. */
export const blindFor = (kind: KindPath): { blind?: Blindness } =>
  kind === 'applications' ? blind : {}

export const isHidden = ({ candidate }: Pick<InboxRecord, 'candidate'>): boolean =>
  candidate !== undefined

/** Decisions wait until the name may be known. */
export const maySet = (record: Pick<InboxRecord, 'candidate'>, { stage }: Step): boolean =>
  !isHidden(record) || stage === 'waiting' || stage === 'moving'

export const shownRow = <R extends InboxRecord>(record: R): R =>
  record.candidate === undefined
    ? record
    : { ...record, name: candidateName(record.candidate), email: '' }

export const shownDetail = (record: RecordDetail): RecordDetail => {
  // The server leaves these out, too.
  const { related = [], mail = [] }: Partial<RecordDetail> = record
  return isHidden(record) ? { ...shownRow(record), related, mail } : record
}
