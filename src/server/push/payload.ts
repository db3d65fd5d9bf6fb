import type { KindPath } from '#contract/inbox.ts'
import type { PushPayload, PushReason } from '#contract/push.ts'

/** A notification that is due, with what there is to say of its record. */
export interface DuePush {
  reason: PushReason
  cause: string
  /** Whether the person may change records. */
  mayChange: boolean
  record: {
    kind: KindPath
    id: string
    /** The sender's first name, where it may be told. */
    firstName: string | null
    isAssigned: boolean
  } | null
}

export const payloadOf = ({ reason, cause, mayChange, record }: DuePush): PushPayload => ({
  reason,
  kind: record?.kind ?? null,
  name: record?.firstName ?? null,
  _id: record?.id ?? null,
  tag: cause,
  canClaim: mayChange && record !== null && !record.isAssigned,
})
