import { createHash } from 'node:crypto'

/** What of an entry is never erased: who did what to what and when, with names of fields. */
export interface ChainedEvent {
  id: string
  /** As ISO 8601 in UTC, to the millisecond. */
  at: string
  by: string | null
  byId: string | null
  via: string | null
  kind: string
  targetKind: string | null
  targetId: string | null
  fields: string[]
}

/** Comes before the first entry. */
export const CHAIN_START = '0'.repeat(64)

/** The hash of an entry and everything before it. */
export const nextHash = (previous: string, event: ChainedEvent): string => {
  const { id, at, by, byId, via, kind, targetKind, targetId, fields } = event
  return createHash('sha256')
    .update(JSON.stringify([previous, id, at, by, byId, via, kind, targetKind, targetId, fields]))
    .digest('hex')
}
