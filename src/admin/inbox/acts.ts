import { ApiError } from '#client/call.ts'
import { limits } from '#contract/limits.ts'
import { queryClient } from '../shell/query-client.ts'
import { type Change, make, recordDone, say } from './changes.ts'
import { type KindView, statusOf } from './kind-view.ts'
import { refreshLists } from './queries.ts'
import type { Filter, InboxRecord, RecordDetail } from './record.ts'
import {
  changeMany,
  changeRecord,
  keepRecord,
  listRecords,
  type RecordPatch,
  removeRecord,
  restoreRecord,
} from './wire.ts'

/** What staff can do to records, each as one change that shows at once. */

const now = (): string => new Date().toISOString()

const withStatus = (view: KindView, record: InboxRecord, status: string, by: string) => ({
  ...record,
  status,
  [view.stamp.by]: by,
  [view.stamp.at]: now(),
})

const patchOne = (
  view: KindView,
  before: InboxRecord,
  after: InboxRecord,
  patch: RecordPatch,
  text: string,
  again: (stored: InboxRecord) => void,
) =>
  make({
    kind: view.kind,
    pairs: [{ before, after }],
    text,
    failure: view.texts.changeFailed,
    again,
    run: async (versionOf) => {
      const { data, meta } = await changeRecord(view.kind, before._id, {
        ...patch,
        version: versionOf(before),
      })
      return { events: meta.event ? [meta.event] : [], answer: data }
    },
  })

export const setStatus = (
  view: KindView,
  record: InboxRecord,
  status: string,
  by: string,
): void => {
  if (record.status === status) return
  patchOne(
    view,
    record,
    withStatus(view, record, status, by),
    { status },
    `${record.name} is now ${statusOf(view, status).label}`,
    (stored) => setStatus(view, stored, status, by),
  )
}

export const assign = (view: KindView, record: InboxRecord, assignee: string | null): void => {
  if (record.assignee === assignee) return
  patchOne(
    view,
    record,
    { ...record, assignee },
    { assignee },
    assignee ? `${record.name} is assigned to ${assignee}` : `${record.name} is assigned to nobody`,
    (stored) => assign(view, stored, assignee),
  )
}

export const setSpam = (view: KindView, record: InboxRecord, isSpam: boolean): void => {
  const box = isSpam ? 'spam' : 'inbox'
  if (record.box === box) return
  patchOne(
    view,
    record,
    { ...record, box, spam: isSpam ? ['staff'] : null },
    { box },
    isSpam ? `${record.name} is in spam` : `${record.name} is back in the inbox`,
    (stored) => setSpam(view, stored, isSpam),
  )
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export const remove = (view: KindView, before: InboxRecord): void => {
  make({
    kind: view.kind,
    pairs: [{ before, after: { ...before, box: 'trash' } }],
    text: `${before.name} is in the trash`,
    failure: view.texts.removeFailed,
    run: async (_, tries) => {
      try {
        const { meta } = await removeRecord(view.kind, before._id)
        return { events: meta.event ? [meta.event] : [], changed: [before._id] }
      } catch (error) {
        // The first try arrived after all; only its answer was lost.
        if (tries > 0 && isGone(error)) return { events: [] }
        throw error
      }
    },
  })
}

export const restore = (view: KindView, before: InboxRecord): void => {
  make({
    kind: view.kind,
    pairs: [{ before, after: { ...before, box: before.spam ? 'spam' : 'inbox' } }],
    text: `${before.name} is out of the trash`,
    failure: view.texts.changeFailed,
    run: async () => {
      const { data, meta } = await restoreRecord(view.kind, before._id)
      return { events: meta.event ? [meta.event] : [], answer: data }
    },
  })
}

/** Exempts a record from the retention rules, or lets them have it again. */
export const keep = (view: KindView, before: RecordDetail, isKept: boolean): void => {
  make({
    kind: view.kind,
    pairs: [{ before, after: isKept ? { ...before, expiresAt: null } : before }],
    text: isKept ? `${before.name} is kept` : `${before.name} follows the retention rules again`,
    failure: 'Failed to change how long this is kept. Please try again.',
    run: async () => {
      const { data, meta } = await keepRecord(view.kind, before._id, isKept)
      return { events: meta.event ? [meta.event] : [], answer: data }
    },
  })
}

/** What can be done to many at once. */
export type BulkAct =
  | { action: 'status'; value: string }
  | { action: 'assign'; value: string | null }
  | { action: 'spam'; value: boolean }
  | { action: 'delete' }
  | { action: 'restore' }

const afterAct = (view: KindView, record: InboxRecord, act: BulkAct, by: string): InboxRecord => {
  switch (act.action) {
    case 'status':
      return record.status === act.value ? record : withStatus(view, record, act.value, by)
    case 'assign':
      return { ...record, assignee: act.value }
    case 'spam':
      return { ...record, box: act.value ? 'spam' : 'inbox', spam: act.value ? ['staff'] : null }
    case 'delete':
      return { ...record, box: 'trash' }
    case 'restore':
      return { ...record, box: record.spam ? 'spam' : 'inbox' }
  }
}

/** `3 consultations`, `1 consultation`. */
export const countOf = (view: KindView, count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? view.noun : view.nouns}`

const sayAct = (view: KindView, act: BulkAct, count: number): string => {
  const many = countOf(view, count)
  const are = count === 1 ? 'is' : 'are'
  switch (act.action) {
    case 'status':
      return `${many} ${are} now ${statusOf(view, act.value).label}`
    case 'assign':
      return `${many} ${are} assigned to ${act.value ?? 'nobody'}`
    case 'spam':
      return act.value ? `${many} ${are} in spam` : `${many} ${are} back in the inbox`
    case 'delete':
      return `${many} ${are} in the trash`
    case 'restore':
      return `${many} ${are} out of the trash`
  }
}

export const inChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

export const changeAll = (
  view: KindView,
  records: readonly InboxRecord[],
  act: BulkAct,
  by: string,
): void => {
  const waiting = inChunks(
    records.map((record) => record._id),
    limits.bulk,
  )
  const events: string[] = []
  const changed: string[] = []
  make({
    kind: view.kind,
    pairs: records.map((before) => ({ before, after: afterAct(view, before, act, by) })),
    text: sayAct(view, act, records.length),
    failure: act.action === 'delete' ? view.texts.removeFailed : view.texts.changeFailed,
    run: async () => {
      for (let ids = waiting[0]; ids; ids = waiting[0]) {
        const { data, meta } = await changeMany(view.kind, { ids, ...act })
        changed.push(...data.changed)
        if (meta.event) events.push(meta.event)
        waiting.shift()
      }
      return { events, changed }
    },
  })
}

/** How far a change of everything is, and its way out. */
export interface Progress {
  /** Ends it after the records that are on their way; what is done stays, and can be undone. */
  stop: AbortSignal
  onDone: (count: number) => void
  onEnd: () => void
}

/**
 * Changes all that a filter selects, a page at a time. Where the server goes away it waits like any
 * other change and goes on from where it was.
 */
export const changeMatching = (
  view: KindView,
  filter: Filter,
  act: BulkAct,
  matching: number,
  { stop, onDone, onEnd }: Progress,
): Change => {
  const events: string[] = []
  let changed = 0
  let done = 0
  // Undefined at the start, null after the last page. It stays valid while records before it leave.
  let cursor: string | null | undefined
  const change = make({
    kind: view.kind,
    pairs: [],
    text: `All ${countOf(view, matching)} that match`,
    failure: act.action === 'delete' ? view.texts.removeFailed : view.texts.changeFailed,
    undoable: false,
    quiet: true,
    run: async () => {
      while (cursor !== null && !stop.aborted) {
        const page = await listRecords(view.kind, { ...filter, limit: limits.bulk, cursor })
        const ids = page.data.map((record) => record._id)
        if (ids.length === 0) break
        const { data, meta } = await changeMany(view.kind, { ids, ...act })
        if (meta.event) events.push(meta.event)
        changed += data.changed.length
        done += ids.length
        cursor = page.meta.nextCursor
        say(change, `${done.toLocaleString('en')} of ${countOf(view, matching)} changed so far`)
        onDone(done)
      }
      return { events }
    },
    onEnd: () => {
      void refreshLists(queryClient, view.kind)
      onEnd()
      if (changed > 0) recordDone(view.kind, events, `${countOf(view, changed)} changed`)
    },
  })
  return change
}
