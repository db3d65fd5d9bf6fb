import { setImmediate } from 'node:timers/promises'
import type { Database } from '#server/db/drizzle.ts'
import { isDuplicate } from '#server/db/rows.ts'
import { type Deps, nameOf } from '#server/deps.ts'
import { CHAIN_START, contentOf, firstFormHash, nextHash } from './chain.ts'
import * as store from './store/seals.ts'

const BATCH = 200
const MOST_BATCHES = 25

/** An entry may commit this much later than it began. */
const OVERLAP_MS = 10 * 60_000

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

/** Refused sign-ins are kept for this long at least. */
const YEAR_MS = 365 * 24 * 3_600_000

/** The lowest UUIDv7 of a time before another's. */
const idBefore = (id: string, milliseconds: number): string => {
  const at = Math.max(0, timeOf(id) - milliseconds)
  const hex = at.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/**
 * Seals what the audit log has got since: each entry is chained to the one before it. Not part of the
 * statements that write entries, so that no write waits for another. Never throws.
 *
 * @param isWhole whether to look through the whole log, and not only at what came lately
 * @returns how many entries this run has sealed
 */
export const sealAuditLog = async (
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { isWhole = false } = {},
): Promise<number> => {
  let sealed = 0
  try {
    let last = await store.lastSeal(db)
    let after = last && !isWhole ? idBefore(last.eventId, OVERLAP_MS) : null
    for (let n = 0; n < MOST_BATCHES; n += 1) {
      const found = await store.unsealedEvents(db, after, BATCH)
      const seals: store.Seal[] = []
      for (const event of found) {
        const entry = { kind: event.kind, content: contentOf(event) }
        const hash = nextHash(last?.hash ?? CHAIN_START, entry)
        last = { position: (last?.position ?? 0) + 1, eventId: event.id, ...entry, hash }
        seals.push(last)
      }
      if (seals.length > 0) await store.insertSeals(db, seals)
      sealed += seals.length
      if (found.length < BATCH) break
      after = last?.eventId ?? null
      // The embedded database answers without returning to the event loop, which reads new requests.
      await setImmediate()
    }
    // A copy of this line outside the database proves later changes.
    if (last && sealed > 0) {
      const { position, hash } = last
      log({ level: 'info', event: 'audit_sealed', entries: sealed, position, hash })
    }
  } catch (error) {
    // Another worker seals at the same time: what is left is for the next run.
    if (!isDuplicate(error)) log({ level: 'warn', event: 'audit_not_sealed', name: nameOf(error) })
  }
  return sealed
}

/** Verifies the chain: `head` is its end, null where it has not begun, `problem` the first one in it. */
export const checkAuditLog = async (db: Database) => {
  let position = 0
  let hash = CHAIN_START
  let problem: string | null = null
  while (problem === null) {
    const seals = await store.sealsAfter(db, position, BATCH)
    for (const seal of seals) {
      problem = problemOf(seal, position, hash)
      if (problem !== null) break
      ;({ position, hash } = seal)
    }
    if (seals.length < BATCH) break
  }
  return {
    sealed: position,
    unsealed: await store.countUnsealed(db),
    head: position === 0 ? null : hash,
    problem,
  }
}

const problemOf = (
  seal: Awaited<ReturnType<typeof store.sealsAfter>>[number],
  previous: number,
  hash: string,
): string | null => {
  if (seal.position !== previous + 1) return `Entry ${previous + 1} of the chain is missing.`
  const { kind, content, event } = seal
  const changed = `Entry ${seal.position} is not what was sealed, or an entry before it was replaced.`
  if (kind === null || content === null) {
    if (!event) return `The event of entry ${seal.position} is gone.`
    return firstFormHash(hash, event) === seal.hash ? null : changed
  }
  if (nextHash(hash, { kind, content }) !== seal.hash) return changed
  if (event) return contentOf(event) === content ? null : changed
  const isExpired = kind === 'sign_in_refused' && timeOf(seal.eventId) <= Date.now() - YEAR_MS
  return isExpired ? null : `The event of entry ${seal.position} is gone.`
}
