import { hash } from 'node:crypto'
import type { ChainedEvent } from './store/seals.ts'

export const CHAIN_START = '0'.repeat(64)

const digest = (parts: readonly unknown[]): string => hash('sha256', JSON.stringify(parts), 'hex')

export const contentOf = (event: ChainedEvent): string => {
  const { id, at, by, byId, via, kind, targetKind, targetId, fields, details } = event
  return digest([id, at, by, byId, via, kind, targetKind, targetId, fields, details])
}

/** The hash of an entry and everything before it. The entry itself may be gone by now. */
export const nextHash = (previous: string, entry: { kind: string; content: string }): string =>
  digest([previous, entry.kind, entry.content])

/** The same of a seal of the first form, which leaves the details out. */
export const firstFormHash = (previous: string, event: ChainedEvent): string => {
  const { id, at, by, byId, via, kind, targetKind, targetId, fields } = event
  return digest([previous, id, at, by, byId, via, kind, targetKind, targetId, fields])
}
