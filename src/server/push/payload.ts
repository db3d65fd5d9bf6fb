import type { KindPath } from '#contract/inbox.ts'
import type { PushPayload, PushReason } from '#contract/push.ts'
import { firstName } from '#server/kinds/first-name.ts'

/** A notification that is due, with what there is to say of its record. */
export interface DuePush {
  reason: PushReason
  cause: string
  /** Whether the person may change records. */
  mayChange: boolean
  record: {
    kind: KindPath
    id: string
    name: string
    /** Whether applications for its position are judged without names. */
    isBlind: boolean
    isAssigned: boolean
  } | null
}

export const payloadOf = ({ reason, cause, mayChange, record }: DuePush): PushPayload => ({
  reason,
  kind: record?.kind ?? null,
  name: record && !record.isBlind ? firstName(record.name) : null,
  _id: record?.id ?? null,
  tag: cause,
  canClaim: mayChange && record !== null && !record.isAssigned,
})
